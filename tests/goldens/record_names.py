"""Record PyTorch's public names: python tests/goldens/record_names.py

Writes minigrad/_messages/names.txt, a line for each module (and for torch.Tensor): its name, a colon, its public names.
From it comes what is said of a name that minigrad does not have. Read next: ../../minigrad/_messages/names.py.
"""

import importlib
import pkgutil
import types
from pathlib import Path

NAMES = Path(__file__).parents[2] / "minigrad" / "_messages" / "names.txt"
MODULES = "torch torch.accelerator torch.autograd torch.autograd.functional torch.autograd.graph torch.backends "
MODULES += (
    "torch.cuda torch.distributions torch.distributions.constraints torch.linalg torch.nn "
    "torch.nn.functional torch.nn.init torch.nn.utils torch.optim "
)
MODULES += "torch.optim.lr_scheduler torch.random torch.utils torch.utils.checkpoint torch.utils.data"


def public(module, torch):
    """The names that a module offers and those of its submodules; not what it has imported from elsewhere."""
    inside = {each.name for each in pkgutil.iter_modules(getattr(module, "__path__", []))}
    listed = getattr(module, "__all__", None)
    for name in inside.union(dir(module)):
        thing = getattr(module, name, None)
        if isinstance(thing, types.ModuleType):
            good = thing.__name__.startswith(module.__name__ + ".")
        elif listed is not None and module is not torch:
            good = name in listed
        else:  # constants, and what is written in C, don't say where they are from
            good = (getattr(thing, "__module__", None) or "torch").startswith("torch")
            good = good and (thing is not torch.Tensor or module is torch) and name != "TYPE_CHECKING"
        if (good or name in inside) and not name.startswith("_"):
            yield name


if __name__ == "__main__":
    import torch

    assert torch.__version__.startswith("2.13")
    found = {name: sorted(public(importlib.import_module(name), torch)) for name in MODULES.split()}
    found["torch.Tensor"] = sorted(name for name in dir(torch.Tensor) if not name.startswith("_"))
    NAMES.write_text(
        "".join(f"{place}: {' '.join(names)}\n" for place, names in sorted(found.items())), encoding="utf-8"
    )
