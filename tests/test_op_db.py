"""PyTorch's own samples of its operators: whatever minigrad has too must give the same with each of them.

`op_db`, in PyTorch's wheel, lists its operators with sample inputs and with wrong ones. Every sample goes through both
libraries, as a function, a method and in place: type, shape, numbers, node name, gradients (in float64 the second ones
too), or the error and its text. Where the two differ and are left so, KNOWN says how, and the documentation prints it;
what minigrad does not have at all stands in LEFT_OUT.
Runs with `pytest -m torch`; PyTorch's list needs the package expecttest as well.
"""

import re
import warnings

import numpy as np
import pytest

import minigrad

pytestmark = pytest.mark.torch
DTYPES = ("float32", "float64", "int64", "int32", "uint8", "bool")
TOLERANCE = {"float32": 2e-5, "float64": 1e-9}

RANDOM = set(
    "empty empty_like new_empty randn randn_like rand_like randint randint_like normal nn.functional.dropout".split()
)
RANDOM |= set(
    "bernoulli cauchy exponential geometric log_normal multinomial uniform".split()
)  # tests/test_random.py has their numbers
LEFT_OUT = {  # arguments that minigrad does not take
    **dict.fromkeys(("out", "layout", "memory_format", "return_indices", "divisor_override"), None),
    "mode": ("reflect", "replicate", "circular"),
}
REFUSED = r"^error: None != \('TypeError', '\w+\(\) received an invalid combination"
NODES = "`grad_fn` has another name, because minigrad uses several operators"
KNOWN = {  # operator: (what a difference looks like, what differs in words for the documentation)
    **{
        name: (
            REFUSED + "|received an invalid combination|only supports 0-dim",
            "some errors have other texts, because PyTorch's list its C++ signatures",
        )
        for name in (
            "clamp_min clamp_max max min linspace logspace bitwise_and bitwise_or bitwise_xor "
            "bitwise_left_shift bitwise_right_shift hsplit vsplit"
        ).split()
    },
    **{
        name: (r"^nodes: ", "`grad_fn` has another name, because the last of several operators is another one")
        for name in ("combinations diff meshgrid nanquantile quantile inner repeat_interleave").split()
    },
    **{
        f"nn.functional.adaptive_{kind}_pool{n}d": (
            r"^nodes: |output_size must be|Input dimension should be|non-empty TensorList",
            f"{NODES}; some errors have the texts of these operators",
        )
        for kind in ("avg", "max")
        for n in (1, 2)
    },
    "nn.functional.dropout2d": (r"^values\[0\]", "if the input has no axis for the batch, other parts of it become 0"),
    "nn.functional.hardsigmoid": (
        r"^nodes: |^slope: None != .*not implemented",
        "a second derivative exists; PyTorch raises an error",
    ),
    "nn.functional.prelu": (
        r"^nodes: |scalar or 1D tensor",
        f"{NODES}; the weight may be a matrix, which PyTorch refuses",
    ),
    "index_fill": (
        r"^nodes: .*Backward0'\] != .*Backward1'",
        "`grad_fn` is `IndexFillBackward0` in some calls for which PyTorch has `IndexFillBackward1`",
    ),
    **{
        name: (
            r"^slope: None .*'inplace version of \w+' is not implemented",
            "the form in place has a derivative; PyTorch raises an error",
        )
        for name in ("acosh", "asinh", "atanh")
    },
    "svd": (
        r"^values\[[02]\]",
        "singular vectors may have the opposite sign, which depends on the library for linear algebra",
    ),
    "cdist": (r"^nodes: |^slope: None .*_cdist_backward", f"{NODES}; so a second derivative exists, too"),
    "scatter_reduce": (r"reduce argument must be", "`reduce='prod'` is missing"),
    "histogram": (r"zero-size array", "an empty tensor is an error, because it has no smallest and no largest value"),
    "sgn": (
        r"^nodes: .*Sign.*Sgn|ZeroTensor",
        "`sgn_` leaves a `grad_fn` of `sign`; a gradient of zeros can be converted to NumPy",
    ),
    **{
        name: (
            r"doesn't match the broadcast shape",
            "the error for a wrong shape has another text, and `addbmm_` never changes the size of its tensor",
        )
        for name in ("addmv", "baddbmm", "addbmm", "masked_scatter")
    },
    "addr": (
        r"doesn't match|int64', \S.* != .*bool'|can't be cast",
        "errors have other texts; from bools, it may compute integers, where PyTorch computes bools",
    ),
    "aminmax": (
        r"^error: .*amin\(\): Expected .*aminmax: Expected",
        "errors name `amin` and `amax`, which compute the result",
    ),
    "nn.functional.interpolate": (
        r"^nodes: |NotImplementedError|!= .*uint8",
        f"{NODES}; bytes (`uint8`) may differ by 1; the modes `area`, `bicubic`, `trilinear` and `nearest-exact` are "
        "missing",
    ),
    "nn.functional.rms_norm": (
        r"^error: \('RuntimeError",
        "errors have the texts of `layer_norm`, which checks the arguments",
    ),
    "nn.functional.scaled_dot_product_attention": (
        r"^nodes: |^slope: None != .*not implemented|'dropout_p': 0\.[1-9]",
        f"{NODES}; a second derivative exists; dropout draws other random numbers",
    ),
    "nn.functional.triplet_margin_loss": (
        r"The anchor, positive, and negative",
        "the error for shapes that do not fit has the text of broadcasting",
    ),
    "gather": (r"same number of dimensions", "an empty index must have as many axes as the input"),
    "cat": (r"^grads\[0\]: None != \[\]", "the gradient of an empty vector is None; PyTorch returns an empty tensor"),
    "norm": (
        r"nuc|^grads\[0\]: .* != None",
        "the nuclear norm (`p='nuc'`) is missing; the gradient for `p=0` is 0, and None on PyTorch",
    ),
    "nn.functional.batch_norm": ("tuple index", "an empty input must have an axis for the channels"),
    "nn.functional.layer_norm": (
        r"grads\[1\]: \[-0.0\]",
        "if each group has one number, the gradient of the weight is exactly 0; PyTorch's has a rounding error",
    ),
    "nn.functional.avg_pool2d": (
        r"^nodes: .*View|float\d\d.* != .*int64|takes from 2 to 6|stride must be one int or 2",
        "a single picture becomes a batch of one, so `grad_fn` has another name; the stride can't be empty",
    ),
    "nn.functional.max_pool1d": (
        r"Expected 2D or 3D|Expected 3D or 4D|max_pool1d\(\)",
        "errors have the texts of `max_pool2d`, which computes the result",
    ),
    "__rsub__": (
        "RsubBackward",
        "Python calls the other operand's method if both are tensors, so this differs only if you call it by hand",
    ),
    "__rmod__": (
        "NotImplemented",
        "Python calls the other operand's method if both are tensors, so this differs only if you call it by hand",
    ),
    "__rpow__": (
        ".",
        "Python calls the other operand's method if both are tensors, so this differs only if you call it by hand",
    ),
}


def find(library, name):
    """How to call this operator: as a function, a method, in place. {} if minigrad does not have it."""
    if name.startswith("nn.functional."):
        name = name.removeprefix("nn.functional.")
        return {"function": getattr(library.nn.functional, name)} if hasattr(minigrad.nn.functional, name) else {}
    if name == "einsum":
        return {"function": lambda operands, equation: library.einsum(equation, *operands)}
    forms = {}
    if hasattr(minigrad, name) and not isinstance(getattr(minigrad, name), minigrad.dtype):
        forms["function"] = getattr(library, name)
    if callable(getattr(minigrad.Tensor, name, None)):
        forms["method"] = lambda x, *rest, **options: getattr(x, name)(*rest, **options)
    if hasattr(minigrad.Tensor, f"{name}_"):
        forms["in place"] = lambda x, *rest, **options: getattr(x.clone(), f"{name}_")(*rest, **options)
    return forms


def converted(x, torch, library):
    """The arguments of a sample for one of the two libraries, each tensor a new leaf."""
    if isinstance(x, torch.Tensor):
        return library.from_numpy(x.detach().numpy().copy(order="K")).requires_grad_(x.requires_grad)
    if isinstance(x, torch.dtype):
        return getattr(library, str(x).removeprefix("torch."))
    if isinstance(x, torch.device):
        return library.device(str(x))
    if isinstance(x, dict):
        return {key: converted(value, torch, library) for key, value in x.items()}
    return type(x)(converted(part, torch, library) for part in x) if type(x) in (list, tuple) else x


def beyond(x, torch):
    """Does this argument speak of something that minigrad does not have: complex numbers, 64 axes, sparse tensors?"""
    if isinstance(x, torch.Tensor):
        return x.is_complex() or x.ndim > 60 or x.layout is not torch.strided or beyond(x.dtype, torch)
    if isinstance(x, dict):
        wrong = (key in LEFT_OUT and (LEFT_OUT[key] is None or value in LEFT_OUT[key]) for key, value in x.items())
        return any(wrong) or beyond(list(x.values()), torch)
    if isinstance(x, list | tuple):
        return any(beyond(part, torch) for part in x)
    if isinstance(x, torch.dtype):
        return not isinstance(getattr(minigrad, str(x).removeprefix("torch."), None), minigrad.dtype)
    return isinstance(x, complex | torch.layout) or (isinstance(x, str) and x in LEFT_OUT["mode"])


def tensors_in(x, kind):
    """Every tensor in nested lists and dicts."""
    if isinstance(x, kind):
        return [x]
    parts = x.values() if isinstance(x, dict) else x if isinstance(x, list | tuple) else ()
    return [tensor for part in parts for tensor in tensors_in(part, kind)]


def attempt(library, function, given, options):
    """What a call gives, spelt out; of an error its type and the first line of its text."""
    try:
        result = function(*given, **options)
    except Exception as error:
        return {"error": (type(error).__name__, str(error).partition("\n")[0])}
    outs = tensors_in([result], library.Tensor)
    said = {"plain": None if outs else str(result), "number": len(outs)}
    said["out"] = [(str(o.dtype)[6:], tuple(o.shape), o.requires_grad) for o in outs]
    said["nodes"] = [o.grad_fn and o.grad_fn.name() for o in outs]
    said["values"] = [o.detach().numpy() for o in outs]
    leaves = [t for t in tensors_in([given, options], library.Tensor) if t.requires_grad]
    roots = [o for o in outs if o.requires_grad]
    if roots and leaves:
        starts = [uneven(library, o) for o in roots]
        again = {o.dtype for o in roots} == {library.float64}
        try:
            grads = library.autograd.grad(roots, leaves, starts, allow_unused=True, retain_graph=again)
            said["grads"] = [None if g is None else g.detach().numpy() for g in grads]
            if again:
                said["second grads"] = second_grads(library, roots, leaves, [s.requires_grad_() for s in starts])
        except Exception as error:
            return said | {"slope": (type(error).__name__, str(error).partition("\n")[0])}
    return said


def uneven(library, like, period=7):
    """Weights for the elements of a tensor: of its size and type, and not all alike."""
    numbers = np.asarray(np.arange(like.numel()) % period * 0.5 - 1.25)
    return library.from_numpy(numbers.reshape(tuple(like.shape))).to(like.dtype)


def second_grads(library, roots, leaves, starts):
    """The gradients of a weighted sum of the gradients; None is zeros, since which zeros are computed is open."""
    grads = library.autograd.grad(roots, leaves, starts, allow_unused=True, create_graph=True)
    grads, wanted = [g for g in grads if g is not None and g.requires_grad], [*leaves, *starts]
    weights = [uneven(library, g, period=5) for g in grads]
    again = library.autograd.grad(grads, wanted, weights, allow_unused=True) if grads else [None] * len(wanted)
    return [
        np.zeros(tuple(t.shape)) if g is None else g.clone().detach().numpy()
        for t, g in zip(wanted, again, strict=True)
    ]


def difference(ours, theirs):
    """The first thing in which two attempts differ, in words; None if there is none."""
    for key in ("error", "plain", "number", "out", "slope"):
        if ours.get(key) != theirs.get(key):
            return f"{key}: {ours.get(key)} != {theirs.get(key)}"
    tolerance = max((TOLERANCE.get(dtype, 0) for dtype, *_ in theirs.get("out", ())), default=0)
    for key in ("values", "grads", "second grads"):
        for i, (a, b) in enumerate(zip(ours.get(key, ()), theirs.get(key, ()), strict=True)):
            if (a is None) != (b is None) or (a is not None and a.shape != b.shape):
                return f"{key}[{i}]: {a if a is None else a.tolist()} != {b if b is None else b.tolist()}"
            if a is not None and not np.allclose(a, b, tolerance, tolerance, equal_nan=True):
                return f"{key}[{i}]: {a.tolist()} != {b.tolist()}"
    if ours.get("nodes") != theirs.get("nodes"):  # last, so that it hides no other
        return f"nodes: {ours['nodes']} != {theirs['nodes']}"
    return None


def samples_of(operator, dtype, torch):
    """PyTorch's inputs for an operator, right ones and (once) wrong ones."""
    torch.manual_seed(0)
    if operator.supports_dtype(dtype, "cpu"):
        differentiable = dtype.is_floating_point and operator.supports_autograd and operator.name != "where"
        yield from operator.sample_inputs("cpu", dtype, requires_grad=differentiable)
    if operator.error_inputs_func and dtype is torch.float32:
        yield from (wrong.sample_input for wrong in operator.error_inputs("cpu"))


@pytest.fixture(scope="module")
def found():
    """(number of calls compared, {operator: its differences})."""
    torch = pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    pytest.importorskip("expecttest", reason="PyTorch's list of samples needs it: pip install expecttest")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db

        compared = compare_all(op_db, torch)
    # That import forbids to set PyTorch's flags, and a sample that fails leaves the deterministic algorithms on.
    torch.backends.flags_frozen.__globals__["__allow_nonbracketed_mutation_flag"] = True
    torch.use_deterministic_algorithms(False)
    return compared


def compare_all(operators, torch):
    calls, differences = 0, {}
    for operator in operators:
        ours, theirs = find(minigrad, operator.name), find(torch, operator.name)
        if not ours or operator.name in RANDOM:
            continue
        here = differences.setdefault(operator.name, [])
        for dtype in (getattr(torch, name) for name in DTYPES):
            for sample in samples_of(operator, dtype, torch):
                call = [sample.input, *sample.args], sample.kwargs
                if beyond(call, torch):
                    continue
                for form in ours if isinstance(sample.input, torch.Tensor) else {*ours} & {"function"}:
                    results = (
                        attempt(library, forms[form], *converted(call, torch, library))
                        for library, forms in ((minigrad, ours), (torch, theirs))
                    )
                    differs = difference(*results)
                    calls += 1
                    if differs:
                        here.append(f"{differs}   in {form} of {dtype} with {sample}")
    return calls, differences


def test_pytorchs_samples_give_what_they_give_in_pytorch(found):
    calls, differences = found
    assert calls > 10_000
    new = [
        f"{name}: {difference[:400]}"
        for name, those in differences.items()
        for difference in those
        if not re.search(KNOWN.get(name, ("$^",))[0], difference)
    ]
    names = sorted({each.partition(":")[0] for each in new})
    assert not new, f"{len(new)} differences, of {names}:\n" + "\n".join(new[:20])


@pytest.mark.parametrize("name", KNOWN)
def test_a_known_difference_is_still_there(found, name):
    looks, why = KNOWN[name]
    assert any(re.search(looks, difference) for difference in found[1][name]), f"take it off the list: {why}"
