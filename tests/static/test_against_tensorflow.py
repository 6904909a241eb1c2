"""minigrad.static against what real TensorFlow computed: goldens/static.json, recorded by record_static.py there."""

import json
from pathlib import Path

import numpy as np
import pytest
from operators import COUNTED
from programs import PROGRAMS
from seeds import SEEDS

import minigrad.static as tf

GOLDEN = json.loads((Path(__file__).parents[1] / "goldens" / "static.json").read_text(encoding="utf-8"))


def named(functions):
    return pytest.mark.parametrize("build", functions, ids=lambda f: f.__name__)


@pytest.fixture(autouse=True)
def a_graph_of_its_own():
    with tf.Graph().as_default():
        yield


@named(PROGRAMS)
def test_a_program_gives_tensorflows_values(build):
    with tf.Session() as session:
        values = session.run(*build(tf))
    golden = GOLDEN["programs"][build.__name__]
    assert [str(v.dtype) for v in values] == [dtype for dtype, _, _ in golden]
    assert [list(np.shape(v)) for v in values] == [shape for _, shape, _ in golden]
    for value, (_, shape, expected) in zip(values, golden, strict=True):
        np.testing.assert_allclose(value, np.reshape(expected, shape), rtol=2e-5, atol=2e-6)


@named(SEEDS)
def test_a_seed_program_gives_tensorflows_losses(build):
    losses, variables = build(tf, "float64")
    golden = GOLDEN["seeds"][build.__name__]
    assert variables == golden["variables"]
    np.testing.assert_allclose(losses, golden["float64"], rtol=1e-6)


@named(SEEDS)
def test_in_float32_the_losses_agree_for_as_long_as_tensorflow_agrees_with_itself(build):
    losses, _ = build(tf)
    golden = GOLDEN["seeds"][build.__name__]
    single, plain, double = (np.array(golden[kind]) for kind in ("float32", "float32 plain", "float64"))
    apart = np.maximum(np.abs(single / double - 1), np.abs(single / plain - 1)) > 1e-4
    steps = int(apart.argmax())
    assert steps >= 0.4 * len(losses)
    np.testing.assert_allclose(losses[:steps], single[:steps], rtol=3e-4)


@named(COUNTED)
def test_no_more_operators_are_left_than_in_tensorflow(build):
    fetches, feeds = build(tf)
    assert 0 < tf.Session().plan(fetches, feeds).operations <= GOLDEN["operators"][build.__name__]
