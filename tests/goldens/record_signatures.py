"""PyTorch's signatures of what minigrad has in nn and optim: python tests/goldens/record_signatures.py

Writes signatures.json beside this file. What PyTorch wrote in C++ has its signature in the first line of its
documentation. Read next: ../test_signatures.py.
"""

from __future__ import annotations

import inspect
import json
import re
from operator import attrgetter
from pathlib import Path
from typing import Any

GOLDENS = Path(__file__).with_name("signatures.json")
PLACES = "nn", "nn.functional", "nn.init", "nn.utils", "nn.utils.rnn", "optim", "optim.lr_scheduler"
METHODS = "nn.Module", "nn.Embedding", "optim.Optimizer", "optim.lr_scheduler.LRScheduler"


def names(library: Any) -> list[str]:
    """The public classes and functions of each place that are its own, and the public methods of some classes."""
    found = []
    for place in PLACES:
        module = attrgetter(place)(library)
        for name in sorted(getattr(module, "__all__", vars(module))):
            thing = getattr(module, name)
            ours = getattr(thing, "__module__", "").startswith(f"minigrad.{place.split('.')[0]}.")
            if name[0] != "_" and callable(thing) and ours:
                found.append(f"{place}.{name}")
    for name in METHODS:
        kind = attrgetter(name)(library)
        public = (
            n
            for base in kind.__mro__
            for n, f in vars(base).items()
            if n[0] != "_" and inspect.isroutine(f) and hasattr(kind, n)
        )
        found += [f"{name}.{method}" for method in sorted({*public})]
    return found


def said(library: Any, name: str) -> str:
    """The signature of a name, without its annotations, and with 1 for 1.0; "" for what the library lacks."""
    try:
        thing = attrgetter(name)(library)
        signature = inspect.signature(thing)
    except AttributeError:
        return ""
    except ValueError:
        arguments = re.search(r"\((.*?)\) -> ", thing.__doc__, re.DOTALL)
        signature = inspect.signature(eval(f"lambda {' '.join(arguments[1].split())}: 0"))
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return re.sub(r"(\d)\.0\b", r"\1", str(inspect.Signature(plain)))


if __name__ == "__main__":
    import torch

    import minigrad

    recorded = {name: said(torch, name) for name in names(minigrad)}
    GOLDENS.write_text(json.dumps(recorded, indent=0) + "\n", encoding="utf-8")
