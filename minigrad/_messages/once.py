"""Warnings that PyTorch gives only once in a process, unless `set_warn_always(True)` was called.

Which ones these are was found by causing each warning of PyTorch 2.13 twice. All others are given every time, by
`warnings.warn`. Imports the standard library alone. Read next: _engine/backward.py, which warns of a cycle.
"""

import warnings

MOST = 1000  # number of warnings that are remembered
_given: dict[str, None] = {}
_always = False


def warn_once(message: str, stacklevel: int = 2) -> None:
    """Warn, unless the same warning was given before; `stacklevel` as for `warnings.warn`."""
    if _always:
        warnings.warn(message, UserWarning, stacklevel + 1)
    elif message not in _given:
        if len(_given) >= MOST:  # some texts contain a shape, so a long program may give many
            del _given[next(iter(_given))]
        _given[message] = None
        warnings.warn(message, UserWarning, stacklevel + 1)


def set_warn_always(always: bool, /) -> None:
    """Choose whether every warning is given each time (True), or some only once in a process (False, the default).

    Raises RuntimeError if the argument is not a bool.

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
    """True if every warning is given each time.

    >>> torch.set_warn_always(True)
    >>> torch.is_warn_always_enabled()
    True
    """
    return _always
