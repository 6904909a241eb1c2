"""Cases for the operators that have none in op_cases.py: the calls that each function of one or two tensors allows.

For a public operator that works element by element, its samples say what to call it with. Each such operator is called
as a function, as a method and in place, on numbers at either side, on integers, on mixed types and on nan, inf and -0.
So an operator that is added needs no cases of its own. Read next: goldens/record_ops.py, which runs them.
"""

import numpy as np
import op_cases_nn  # noqa: F401  (it adds its cases first)
from core_alone import numbers
from op_cases import CASES, COUNTS, DOUBLE, INTS, SMALL, X, both, cases, floats, in_place, method
from op_samples import SAMPLES, P

import minigrad
from minigrad.ops import TABLE

NOT_IN_PLACE = {"asinh", "acosh", "atanh"}  # in PyTorch, these have no derivative in place; here they have
CORNERS = floats([-np.inf, -1.0, -0.0, 0.0, 1.0, np.inf, np.nan])


def drawn(inputs):
    """The arrays of a sample; those of floats in float32."""
    rng = np.random.default_rng(1)
    arrays = [numbers(each, P, rng) for each in inputs]
    return tuple(array.astype("float32") if array.dtype.kind == "f" else array for array in arrays)


def enter(name, count):
    """The cases of one operator of so many tensors."""
    overwrites = hasattr(minigrad.Tensor, name + "_") and name not in NOT_IN_PLACE
    for inputs, params in SAMPLES[name]:
        forms = [*both(name, **params), *[in_place(name, **params)] * overwrites]
        cases(name, drawn(inputs), *forms)
    x, *others = drawn(SAMPLES[name][0][0])
    given = method(name, **SAMPLES[name][0][1])
    for other in (INTS, COUNTS, SMALL, DOUBLE) if count < 3 else ():
        cases(name, (other, X)[:count], given)
    if count == 1:
        cases(name, (CORNERS,), given)
    elif count == 2 and not TABLE[name].params:
        cases(name, tuple(map(np.ravel, np.meshgrid(CORNERS, CORNERS))), given)
        for number in (2, 0.5):
            cases(name, (x,), method(name, number), lambda t, a, number=number: getattr(t, name)(number, a))
            if overwrites:
                cases(name, (x,), in_place(name, number))


HAVE = {name.rpartition("-")[0] for name in CASES}
OF_SAMPLES = [
    name
    for name, rule in TABLE.items()
    if rule.kind in ("elementwise", "question") and callable(getattr(minigrad, name, None)) and name not in HAVE
]
for _name in OF_SAMPLES:
    enter(_name, len(TABLE[_name].inputs))
