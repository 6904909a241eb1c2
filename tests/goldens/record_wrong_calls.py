"""Record what PyTorch says of wrong calls: python -m tests.goldens wrong_calls

Writes wrong_calls.json beside this file, {functions: {"accepted", or an error's type and text: calls}}. The calls are
those of ../wrong_calls.py; a function whose right call PyTorch does not take is left out, and so is one of which
wrong_calls.py does not know what to give it. Read next: ../test_wrong_kinds.py.
"""

from __future__ import annotations

import json
import sys
from operator import attrgetter
from pathlib import Path

GOLDENS = Path(__file__).with_name("wrong_calls.json")
sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]


def recorded() -> dict[str, dict[str, str]]:
    import torch
    from wrong_calls import calls, everything, outcome

    out: dict[str, dict[str, list[str]]] = {}
    for name, function in everything().items():
        try:
            attrgetter(name)(torch)
            asked = calls(torch, name, function)
        except (AttributeError, KeyError):
            continue
        if outcome(torch, name, asked["right"]) != "accepted":
            continue
        torch.manual_seed(0)
        for what, make in asked.items():
            out.setdefault(name, {}).setdefault(outcome(torch, name, make), []).append(what)
    alike: dict[str, list[str]] = {}
    for name, said in out.items():
        alike.setdefault(json.dumps({text: "; ".join(asked) for text, asked in said.items()}), []).append(name)
    return {" ".join(names): json.loads(said) for said, names in alike.items()}


if __name__ == "__main__":
    found = recorded()
    lines = [f"{json.dumps(name)}: {json.dumps(said, ensure_ascii=False)}" for name, said in found.items()]
    GOLDENS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
