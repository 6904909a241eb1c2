"""Record the modules of PyTorch whose parent minigrad has: python tests/goldens/record_submodules.py

Writes minigrad/_messages/submodules.txt, a line for each such parent: its name, a colon, the modules in it. They come
from the files that PyTorch installs, because importing all of them takes a minute. Read next:
../../minigrad/_as_torch/submodules.py.
"""

import pkgutil
from importlib.util import find_spec
from pathlib import Path

SUBMODULES = Path(__file__).parents[2] / "minigrad" / "_messages" / "submodules.txt"


def is_here(name):
    """Does minigrad have a module of this name?"""
    try:
        return find_spec("minigrad" + name.removeprefix("torch")) is not None
    except ModuleNotFoundError:  # its parent is not a package
        return False


def submodules(place, folder):
    """{parent: its modules}, for `place` and for what is below it."""
    inside = [*pkgutil.iter_modules([str(folder)])]
    found = {place: sorted(each.name for each in inside)} if inside else {}
    for each in inside:
        if each.ispkg and is_here(f"{place}.{each.name}"):
            found |= submodules(f"{place}.{each.name}", folder / each.name)
    return found


if __name__ == "__main__":
    import torch

    assert torch.__version__.startswith("2.13")
    found = submodules("torch", Path(torch.__file__).parent)
    SUBMODULES.write_text(
        "".join(f"{place}: {' '.join(names)}\n" for place, names in sorted(found.items())), encoding="utf-8"
    )
