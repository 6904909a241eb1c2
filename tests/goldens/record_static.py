"""Record what real TensorFlow makes of the programs in tests/static: writes static.json beside this file.

    pip install tensorflow-cpu tf_keras
    python tests/goldens/record_static.py

Values and losses to seven digits; operators as counted in the graph that TensorFlow's optimiser hands to its
executor, without those that only pass feeds in and fetches out. The seeds' losses are recorded with resource
variables: with the reference variables of old, TensorFlow may read w2 for w1's gradient when it has been assigned
to already, and which it does differs from run to run. They are recorded three times: in float64, in float32, and
in float32 with TensorFlow's other kernels ("float32 plain"); where these part, only rounding is left to compare.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "static"))
os.environ |= {"TF_USE_LEGACY_KERAS": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}

import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402
from operators import COUNTED  # noqa: E402
from programs import PROGRAMS  # noqa: E402
from seeds import SEEDS  # noqa: E402


def digits(numbers):
    return [n if isinstance(n, (bool, int)) else float(f"{n:.7g}") for n in numbers]


def program(build):
    tf.reset_default_graph()
    with tf.Session() as session:
        arrays = [np.asarray(value) for value in session.run(*build(tf))]
    return [[str(a.dtype), list(a.shape), digits(a.ravel().tolist())] for a in arrays]


def other_kernels(build):
    """The losses without oneDNN, which TensorFlow decides on when it is imported."""
    command = [sys.executable, __file__, build.__name__]
    done = subprocess.run(command, env=os.environ | {"TF_ENABLE_ONEDNN_OPTS": "0"}, capture_output=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def seed(build):
    tf.enable_resource_variables()
    recorded = {"float32 plain": other_kernels(build)}
    for dtype in ("float32", "float64"):
        tf.reset_default_graph()
        losses, recorded["variables"] = build(tf, dtype)
        recorded[dtype] = digits(losses)
    tf.disable_resource_variables()
    return recorded


def operators(build):
    tf.reset_default_graph()
    fetches, feeds = build(tf)
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
    with tf.Session() as session:
        ran = tf.RunMetadata()
        session.run(fetches, feeds, options=options, run_metadata=ran)
    nodes = [node.op for graph in ran.partition_graphs for node in graph.node]
    return sum(op not in ("_Arg", "_Retval") for op in nodes)


if __name__ == "__main__":
    tf.disable_v2_behavior()
    if len(sys.argv) > 1:
        tf.enable_resource_variables()
        sys.exit(print(json.dumps(digits(next(b for b in SEEDS if b.__name__ == sys.argv[1])(tf)[0]))))
    recorded = {
        "tensorflow": tf.__version__,
        "programs": {build.__name__: program(build) for build in PROGRAMS},
        "seeds": {build.__name__: seed(build) for build in SEEDS},
        "operators": {build.__name__: operators(build) for build in COUNTED},
    }
    text = json.dumps(recorded).replace("], [[", "],\n[[").replace('"], ["', '"],\n["').replace(', ["', ',\n["')
    (HERE / "static.json").write_text(text + "\n", encoding="utf-8")
