"""state_dict and load_state_dict: a module's parameters and buffers by name, out and in again.

Mixed into Module. Imports tensor and modes. Read next: ../serialization.py, which puts such a dict on disk.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..autograd.modes import no_grad
from ..tensor import Tensor


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` found missing and found too much."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


class State:
    """The two methods, and who takes part in them."""

    def _entries(self: Any, prefix: str = "") -> Iterator[tuple[str, Any, str, Any]]:
        """(key, book, name in it, tensor) of everything that belongs to the state; shared ones each time."""
        for path, module in self.named_modules(prefix=prefix.removesuffix("."), remove_duplicate=False):
            for book in (module._parameters, module._buffers):
                for name, tensor in book.items():
                    if tensor is not None and name not in module._transient:
                        yield (f"{path}.{name}" if path else name), book, name, tensor

    def state_dict(self, *, prefix: str = "", keep_vars: bool = False) -> OrderedDict[str, Tensor]:
        """All parameters and persistent buffers by dotted name. They share the module's memory: clone what must stay.

        With `keep_vars` the parameters themselves, not detached.

        >>> from minigrad import nn
        >>> list(nn.BatchNorm1d(2).state_dict())
        ['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked']
        """
        return OrderedDict((key, t if keep_vars else t.detach()) for key, _, _, t in self._entries(prefix))

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Copy the tensors of a `state_dict` into this module, by name.

        Raises RuntimeError, naming all that is wrong, if sizes differ or, with `strict`, if keys are missing
        or unexpected. With `assign` the module takes the tensors themselves.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        entries = list(self._entries())
        keys = {key for key, *_ in entries}
        missing = [key for key, *_ in entries if key not in state_dict]
        unexpected = [key for key in state_dict if key not in keys]
        problems = []
        if strict and missing:
            problems.append(f"Missing key(s) in state_dict: {', '.join(map(quote, missing))}. ")
        if strict and unexpected:
            problems.append(f"Unexpected key(s) in state_dict: {', '.join(map(quote, unexpected))}. ")
        for key, book, name, tensor in entries:
            if key in state_dict:
                problems.extend(load(book, name, tensor, key, state_dict[key], assign))
        if problems:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(problems))
        return IncompatibleKeys(missing, unexpected)


def quote(key: str) -> str:
    return f'"{key}"'


def load(book: dict[str, Any], name: str, tensor: Any, key: str, value: Any, assign: bool) -> Iterator[str]:
    """Put `value` into one entry; yield what speaks against it, in PyTorch's words."""
    if not isinstance(value, Tensor):
        yield (
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint '
            f"but received {type(value)}"
        )
    elif value.shape != tensor.shape:
        yield (
            f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, the shape in current "
            f"model is {tensor.shape}."
        )
    elif assign:
        book[name] = type(tensor)(value, tensor.requires_grad) if type(tensor) is not Tensor else value
    else:
        with no_grad():
            tensor.copy_(value)
