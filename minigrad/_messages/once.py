"""Warnings that PyTorch gives once a process, however often there is cause, unless `set_warn_always(True)` was called.

Which these are was found by running each warning of PyTorch 2.13 twice; all others come every time, through
`warnings.warn`. Imports the standard library alone. Read next: _engine/backward.py, which warns of a cycle.
"""

import warnings

MOST = 1000  # warnings that are remembered
_given: dict[str, None] = {}
_always = False


def warn_once(message: str, stacklevel: int = 2) -> None:
    """Warn, if the process was not yet warned of this; `stacklevel` as for `warnings.warn`."""
    if _always:
        warnings.warn(message, UserWarning, stacklevel + 1)
    elif message not in _given:
        if len(_given) >= MOST:  # some name a shape, and a long program has many
            del _given[next(iter(_given))]
        _given[message] = None
        warnings.warn(message, UserWarning, stacklevel + 1)


def set_warn_always(always: bool, /) -> None:
    """From now on, give every warning each time there is cause (True), or some of them once a process (False, as at
    the start).

    Raises RuntimeError for what is no bool.

    >>> import minigrad as torch
    >>> torch.set_warn_always(False)
    >>> torch.is_warn_always_enabled()
    False
    """
    global _always
    if not isinstance(always, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(always).__name__}")
    _always = always


def is_warn_always_enabled() -> bool:
    """Is every warning given each time?

    >>> torch.set_warn_always(True)
    >>> torch.is_warn_always_enabled()
    True
    """
    return _always
