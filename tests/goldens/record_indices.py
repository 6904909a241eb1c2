"""300 index expressions of index_programs.py, as PyTorch takes them: python tests/goldens/record_indices.py

Writes indices.json beside this file: of each the way it is used, the part of the value that is broadcast, the size of
the tensor, the index, and the outcome. Read next: ../test_index_rules.py.
"""

import json
import random
import sys
from pathlib import Path

GOLDENS = Path(__file__).with_name("indices.json")
COUNT = 300


def program(number):
    """Way, part, size and text of the program of this number."""
    from index_programs import PARTS, WAYS, draw

    chance = random.Random(number)
    size, text = draw(chance)
    return chance.choice([*WAYS]), chance.choice([*PARTS]), size, text


if __name__ == "__main__":
    import torch

    sys.path.insert(0, str(Path(__file__).parents[1]))
    from index_programs import outcome

    rows = [[*program(number), outcome(torch, *program(number))] for number in range(COUNT)]
    GOLDENS.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n", encoding="utf-8")
