"""Where bad numbers end up in gradients, and what is packed for saved_tensors_hooks, forward and backward under
create_graph: as in PyTorch, call by call.

The calls stand in op_cases.py, op_cases_nn.py and op_cases_of_samples.py; gradients.json holds what PyTorch
2.13 gave, recorded by goldens/record_gradients.py. `pytest -m torch` asks the installed torch again.
"""

import pytest
from goldens.record_gradients import GOLDENS, attempt
from goldens.telling import record
from op_cases import CASES
from op_cases_of_samples import OF_SAMPLES

RECORDED = record(GOLDENS)
PYTORCH_FAILS = "float ** bool: PyTorch's own slope computes `exponent - 1` on bools and fails; ours is right"
BAD_NUMBERS_ELSEWHERE = {
    "pow-14": PYTORCH_FAILS,
    **dict.fromkeys(
        ("layer_norm-0", "layer_norm-1", "layer_norm-2"),
        "of an infinity that arrives PyTorch's formula makes nan where ours keeps an infinity; both are bad",
    ),
    **dict.fromkeys(
        ("conv1d-1", "conv1d-2"), "PyTorch's conv1d, unlike its conv2d, leaves out the zeros of the padding"
    ),
}
PACKS_OTHERWISE = {  # operators, by the name of their cases
    "getitem": "indices are no tensors of the graph here; the node refuses to run once they have changed",
    "setitem": "as getitem",
    "index_select": "an index of no axes is made one of one axis before it is saved",
    "gather": "an index of no axes is made one of one axis before it is saved",
    "masked_select": "the mask is spread out before it is saved",
    "max_pool1d": "PyTorch saves the input for its size; and places in a window are int32",
    "max_pool2d": "as max_pool1d",
    "avg_pool1d": "PyTorch saves the input for its size; here the size is saved",
    "avg_pool2d": "as avg_pool1d",
    "div": "div with rounding_mode: the slope is 0, and needs nothing",
    "isfinite": "PyTorch computes it from differentiable operators",
    "where": "the condition is made bool before it is saved",
    "einsum": "the same values, made by another view",
    "cross_entropy": "the weights are looked up before they are saved, and the input is saved for its size in PyTorch",
    "nll_loss": "as cross_entropy",
    "layer_norm": "PyTorch saves mean and deviation; here they are computed again",
    "batch_norm": "as layer_norm",
}

OWN = "PyTorch's slope is one operator of its own; here it is a formula of others, which save what they need"
BACKWARD_PACKS_OTHERWISE = {  # the same for a pass under create_graph
    **dict.fromkeys(("tanh", "sigmoid", "softmax", "log_softmax", "softplus", "elu", "gelu"), OWN),
    **dict.fromkeys(("silu", "logsigmoid", "cross_entropy", "nll_loss", "smooth_l1_loss", "mse_loss"), OWN),
    **dict.fromkeys(("binary_cross_entropy", "conv1d", "conv2d", "max_pool1d", "max_pool2d"), OWN),
    **dict.fromkeys(("layer_norm", "batch_norm"), OWN),
    **dict.fromkeys(("norm", "var", "std"), "the gradient of one number has all its axes before it is multiplied"),
    **dict.fromkeys(("abs", "l1_loss", "softsign"), "a sign has the slope 0, which needs nothing here"),
    **dict.fromkeys(
        ("linear", "matmul"), "of a matrix that lies in columns PyTorch computes the transposed product, transposed"
    ),
    **dict.fromkeys(("tan", "erf"), "the result squared is x * x here, which saves x twice, and a power in PyTorch"),
    "pow": "a mask is saved before the number that it chooses, there after it",
    "prod": "PyTorch divides its result by each element; here the other elements are multiplied",
    "normalize": "as norm",
}


@pytest.fixture(scope="module", params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def torch(request):
    if request.param == "torch":
        return pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    import minigrad

    return minigrad


def test_bad_numbers_end_up_where_pytorch_has_them_and_the_same_is_saved(torch):
    ours = torch.__name__ == "minigrad"
    spread, packs, otherwise = {}, {}, (set(), set())
    for name, case in CASES.items():
        found, right = attempt(torch, case), RECORDED[name]
        operator = name.rpartition("-")[0]
        if found[0] != right[0] and not (ours and name in BAD_NUMBERS_ELSEWHERE):
            spread[name] = found[0], right[0]
        for which, known in enumerate((PACKS_OTHERWISE, BACKWARD_PACKS_OTHERWISE)):
            if which and operator in OF_SAMPLES:  # how a slope is written decides that: PyTorch's are other formulas
                continue
            if found[1 + which] != right[1 + which]:
                otherwise[which].add(operator)
                if not (ours and operator in known):
                    packs[name] = found[1 + which], right[1 + which]
    assert not spread and not packs, "(found, PyTorch's)"
    listed = set(PACKS_OTHERWISE), set(BACKWARD_PACKS_OTHERWISE)
    assert not ours or otherwise == listed, "no longer different: take it off the list"


def test_the_record_is_of_these_cases():
    assert list(RECORDED) == list(CASES), "record them anew: python tests/goldens/record_gradients.py"
