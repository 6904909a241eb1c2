"""Every operator, in each common form, gives PyTorch's numbers, dtype, shape, gradients and node name.

The calls stand in op_cases.py, op_cases_nn.py and op_cases_of_samples.py; ops.json holds what PyTorch 2.13
gave, recorded by goldens/record_ops.py. `pytest -m torch` runs the same calls on the installed torch, so that the
record is true.
"""

import numpy as np
import op_cases_of_samples  # noqa: F401  (it adds its cases to those of op_cases)
import pytest
from goldens.record_ops import GOLDENS, attempt
from goldens.telling import record
from op_cases import CASES

RECORDED = record(GOLDENS)
TOLERANCE = {"float16": 2e-3, "float32": 1e-5, "float64": 1e-10}  # relative


@pytest.fixture(scope="module", params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def torch(request):
    if request.param == "torch":
        return pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    import minigrad

    return minigrad


def close(found, expected, *dtypes):
    """Equal to the precision of the coarsest dtype: PyTorch takes some steps in that one, and we in a finer one."""
    tolerance = max(TOLERANCE.get(dtype, 0) for dtype in dtypes)
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance / 10)


DIFFERENT = {  # where minigrad does not follow, and why; taken off the list, a case must be equal
    "pow-14": "float ** bool: PyTorch's own slope computes `exponent - 1` on bools and fails; ours is right",
}


@pytest.mark.filterwarnings("ignore:where received a uint8 condition")  # said once a process
@pytest.mark.parametrize("name", CASES)
def test_an_operator_gives_what_pytorch_gives(torch, name):
    case, expected = CASES[name], RECORDED[name]
    result = attempt(torch, case)
    if name in DIFFERENT and torch.__name__ == "minigrad":
        assert result != expected, "no longer different: take it off the list"
        pytest.xfail(DIFFERENT[name])
    if "error" in expected or "error" in result:
        assert result == expected, where(case)
        return
    found, wanted = ([(dtype, shape, node) for dtype, shape, _, node in r["out"]] for r in (result, expected))
    assert found == wanted, where(case)
    dtypes = [array.dtype.name for array in case.inputs]
    for (_, _, numbers, _), (dtype, _, right, _) in zip(result["out"], expected["out"], strict=True):
        close(numbers, right, dtype, *(dtypes if dtype in TOLERANCE else ()))
    for number, (gradient, right) in enumerate(zip(result["grad"], expected["grad"], strict=True)):
        assert (gradient is None) == (right is None), f"gradient {number} is {gradient}, not {right}; {where(case)}"
        if right is not None:
            close(gradient, right, *dtypes)


def where(case):
    """The line that the case stands on, or that of the helper which made it."""
    code = case.function.__code__
    return f"{code.co_filename.rpartition('/')[2]}:{code.co_firstlineno}"


def test_the_record_is_of_these_cases():
    assert list(RECORDED) == list(CASES), "record them anew: python tests/goldens/record_ops.py"
