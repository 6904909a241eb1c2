"""state_dict and load_state_dict: save and load a module's parameters and buffers by name.

A mix-in of Module. Each module writes and reads its own part (`_save_to_state_dict`, `_load_from_state_dict`, which a
subclass may override), then calls its children; `get_extra_state` and hooks add values that are not tensors.
Imports tensor, parameter and no_grad. Read next: ../serialization/, which saves such a dict to a file.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .._engine.hooks import Handle
from .._messages.foreign import refuse
from .._tensors.tensor import Tensor
from ..autograd.grad_mode import no_grad
from .parameter import Parameter

EXTRA = "_extra_state"


class IncompatibleKeys(NamedTuple):
    """The keys that `load_state_dict` didn't find, and those that it didn't expect."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


class State:
    """The methods for saving and loading, which Module inherits."""

    _version = 1  # the format's version: an older state_dict may lack entries

    def get_extra_state(self) -> Any:
        """Override it, with `set_extra_state`, to save a value besides parameters and buffers in the state_dict."""
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    def set_extra_state(self, state: Any) -> None:
        """Override it to load the value from `get_extra_state`."""
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    def _own_state(self: Any) -> Iterator[tuple[str, Any]]:
        """(name, tensor) for each tensor that this module itself saves."""
        for entries, left_out in ((self._parameters, ()), (self._buffers, self._non_persistent_buffers_set)):
            yield from ((name, t) for name, t in entries.items() if t is not None and name not in left_out)

    # -- saving -----------------------------------------------------------------------------------

    def state_dict(self: Any, *args: Any, destination: Any = None, prefix="", keep_vars=False) -> OrderedDict[str, Any]:
        """All parameters and persistent buffers by dotted name. They share the module's memory: clone to keep values.

        With `keep_vars`, the parameters are not detached. A given `destination` is extended.

        >>> from minigrad import nn
        >>> list(nn.BatchNorm1d(2).state_dict())
        ['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked']
        """
        if args:
            warnings.warn(
                "Positional args are being deprecated, use kwargs instead. Refer to "
                "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details.",
                FutureWarning,
                stacklevel=2,
            )
            destination, prefix, keep_vars = (*args, *(destination, prefix, keep_vars)[len(args) :])
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()  # the `_version` of each module
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in list(self._state_dict_pre_hooks.values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, child in self._modules.items():
            if child is not None:
                child.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook, public in list(self._state_dict_hooks.values()):
            replaced = hook(self, destination, prefix, metadata)
            if replaced is not None:
                if public:
                    raise RuntimeError("state_dict post-hook must return None")
                destination = replaced
        return destination

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Save this module's own part."""
        for name, tensor in self._own_state():
            destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if type(self).get_extra_state is not State.get_extra_state:
            destination[prefix + EXTRA] = self.get_extra_state()

    # -- loading ----------------------------------------------------------------------------------

    def load_state_dict(self: Any, state_dict: Mapping[str, Any], strict=True, assign=False) -> IncompatibleKeys:
        """Copy the tensors of a `state_dict` into this module, by name.

        Raises RuntimeError with a list of all problems if sizes differ or, with `strict`, if keys are missing
        or unexpected. With `assign`, the module keeps the given tensors instead of copying them.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        metadata = getattr(state_dict, "_metadata", None)
        content: Any = OrderedDict(state_dict)
        if metadata is not None:
            content._metadata = metadata
        keys = IncompatibleKeys([], [])
        problems: list[str] = []

        def load(module: Any, part: Any, prefix: str) -> None:
            about = {} if metadata is None else metadata.get(prefix[:-1], {})
            if assign:
                about["assign_to_params_buffers"] = assign
            module._load_from_state_dict(part, prefix, about, True, *keys, problems)
            for name, child in module._modules.items():
                if child is not None:
                    inside = f"{prefix}{name}."
                    load(child, {k: v for k, v in part.items() if k.startswith(inside)}, inside)
            for hook in list(module._load_state_dict_post_hooks.values()):
                if hook(module, keys) is not None:
                    raise AssertionError(
                        "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return "
                        "new values, if incompatible_keys need to be modified, it should be done inplace."
                    )

        load(self, content, "")
        for word, found in (("Unexpected", keys.unexpected_keys), ("Missing", keys.missing_keys)):
            if strict and found:
                quoted = ", ".join(f'"{key}"' for key in found)
                problems.insert(0, f"{word} key(s) in state_dict: {quoted}. ")
        if problems:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(problems))
        return keys

    def _load_from_state_dict(
        self: Any, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ) -> None:
        """Load this module's own part; append problems to the three lists."""
        for hook, with_module in list(self._load_state_dict_pre_hooks.values()):
            lists = missing_keys, unexpected_keys, error_msgs
            hook(*(self,) * with_module, state_dict, prefix, local_metadata, strict, *lists)
        own = dict(self._own_state())
        for name, tensor in own.items():
            key = prefix + name
            if key in state_dict:
                value = state_dict[key]
                if problem := self._take(key, name, tensor, value, local_metadata.get("assign_to_params_buffers")):
                    error_msgs.append(problem)
            elif strict:
                missing_keys.append(key)
        extra = prefix + EXTRA
        if type(self).set_extra_state is not State.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    name, _, further = key.removeprefix(prefix).partition(".")
                    if name not in (self._modules if further else own):
                        unexpected_keys.append(key)

    @no_grad()
    def _take(self, key: str, name: str, tensor: Tensor, value: Any, assign: bool | None) -> str:
        """Copy (or assign) one tensor; return "" or a description of the problem."""
        if not isinstance(value, Tensor):
            refuse("load_state_dict()", value)
            return (
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                f"checkpoint but received {type(value)}"
            )
        if not tensor.shape and len(value.shape) == 1:
            value = value[0]  # PyTorch's old format for single numbers
        if value.shape != tensor.shape:
            return (
                f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, the shape in "
                f"current model is {tensor.shape}."
            )
        if not assign:
            tensor.copy_(value)
        elif isinstance(tensor, Parameter):
            is_one = isinstance(value, Parameter)
            value = value.requires_grad_(tensor.requires_grad) if is_one else Parameter(value, tensor.requires_grad)
            setattr(self, name, value)
        else:
            setattr(self, name, value)
        return ""

    # -- hooks ------------------------------------------------------------------------------------

    def register_state_dict_pre_hook(self: Any, hook) -> Handle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict` reads the module."""
        return Handle(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self: Any, hook) -> Handle:
        """Call `hook(module, state_dict, prefix, local_metadata)` afterwards; it may change the dict in place."""
        return Handle(self._state_dict_hooks, (hook, True))

    def _register_state_dict_hook(self: Any, hook) -> Handle:
        """Like `register_state_dict_post_hook`, but the hook's return value replaces the dict."""
        return Handle(self._state_dict_hooks, (hook, False))

    def register_load_state_dict_pre_hook(self: Any, hook) -> Handle:
        """Call `hook(module, state_dict, prefix, metadata, strict, missing, unexpected, errors)` before loading."""
        return Handle(self._load_state_dict_pre_hooks, (hook, True))

    def _register_load_state_dict_pre_hook(self: Any, hook, with_module=False) -> Handle:
        """Like `register_load_state_dict_pre_hook`; the hook gets the module only if `with_module`."""
        return Handle(self._load_state_dict_pre_hooks, (hook, with_module))

    def register_load_state_dict_post_hook(self: Any, hook) -> Handle:
        """Call `hook(module, incompatible_keys)` after loading; it may change the two lists in place."""
        return Handle(self._load_state_dict_post_hooks, hook)
