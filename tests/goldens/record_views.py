"""What PyTorch makes of every program of view_programs.py: python tests/goldens/record_views.py

Writes views.json beside this file: the outcomes that there are, and for each program of one to three lines, in the
order of `programs`, which of them is its own. Read next: ../test_view_rules.py.
"""

import json
import sys
from pathlib import Path

GOLDENS = Path(__file__).with_name("views.json")
LENGTHS = (1, 2, 3)

if __name__ == "__main__":
    import torch

    sys.path.insert(0, str(Path(__file__).parents[1]))
    from view_programs import outcome, programs

    places: dict[str, int] = {}
    which = {n: [places.setdefault(outcome(torch, p), len(places)) for p in programs(n)] for n in LENGTHS}
    lines = [f'"torch": "{torch.__version__}"', '"outcomes": ' + json.dumps([*places], indent=0)]
    lines += ['"which": ' + json.dumps(which, separators=(",", ":"))]
    GOLDENS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
