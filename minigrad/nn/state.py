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
        """(key, module, name in it, tensor) of everything that belongs to the state; shared ones each time."""
        for path, module in self.named_modules(prefix=prefix.removesuffix("."), remove_duplicate=False):
            for name, tensor in {**module._parameters, **module._buffers}.items():
                if tensor is not None and name not in module._transient:
                    yield (f"{path}.{name}" if path else name), module, name, tensor

    def state_dict(self, *, prefix: str = "", keep_vars: bool = False) -> OrderedDict[str, Tensor]:
        """All parameters and persistent buffers by dotted name. They share the module's memory: clone what must stay.

        With `keep_vars` the parameters themselves, not detached.

        >>> from minigrad import nn
        >>> list(nn.BatchNorm1d(2).state_dict())
        ['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked']
        """
        return OrderedDict((key, t if keep_vars else t.detach()) for key, _, _, t in self._entries(prefix))

    @no_grad()
    def load_state_dict(self, state_dict: Mapping[str, Any], strict=True, assign=False) -> IncompatibleKeys:
        """Copy the tensors of a `state_dict` into this module, by name.

        Raises RuntimeError, naming all that is wrong, if sizes differ or, with `strict`, if keys are missing
        or unexpected. With `assign` the module takes the tensors themselves.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        entries = {key: entry for key, *entry in self._entries()}
        missing = [key for key in entries if key not in state_dict]
        unexpected = [key for key in state_dict if key not in entries]
        problems = []
        for word, keys in (("Missing", missing), ("Unexpected", unexpected)):
            if strict and keys:
                quoted = ", ".join(f'"{key}"' for key in keys)
                problems.append(f"{word} key(s) in state_dict: {quoted}. ")
        for key, (module, name, tensor) in entries.items():
            if key not in state_dict:
                continue
            value = state_dict[key]
            if not isinstance(value, Tensor):
                problems.append(
                    f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                    f"checkpoint but received {type(value)}"
                )
            elif value.shape != tensor.shape:
                problems.append(
                    f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, the shape in "
                    f"current model is {tensor.shape}."
                )
            elif assign:
                setattr(module, name, value if type(tensor) is Tensor else type(tensor)(value, tensor.requires_grad))
            else:
                tensor.copy_(value)
        if problems:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(problems))
        return IncompatibleKeys(missing, unexpected)
