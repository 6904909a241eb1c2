"""Record what real TensorFlow makes of tests/static/training.py: writes tf1.json beside this file.

    pip install tensorflow-cpu tf_keras
    python tests/goldens/record_tf1.py

Reference variables, as TensorFlow 1 had them, and numbers to seven digits.
"""

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "static"))
os.environ |= {"TF_USE_LEGACY_KERAS": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}

import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402
from training import CELLS, TRAINED, TYPES, type_of  # noqa: E402


def written(values):
    """Type, shape and numbers of each array; whole numbers stay whole."""
    arrays = [np.asarray(value) for value in values]
    numbers = [[n if isinstance(n, (bool, int)) else float(f"{n:.7g}") for n in a.ravel().tolist()] for a in arrays]
    return [[str(a.dtype), list(a.shape), n] for a, n in zip(arrays, numbers, strict=True)]


def cells(build):
    tf.reset_default_graph()
    with tf.Session() as session:
        values = session.run(*build(tf))
    return {"variables": [v.name for v in tf.trainable_variables()], "values": written(values)}


def trained(build):
    tf.reset_default_graph()
    values = build(tf)
    return {"variables": [v.name for v in tf.global_variables()], "values": written(values)}


if __name__ == "__main__":
    tf.disable_v2_behavior()
    recorded = {
        "tensorflow": tf.__version__,
        "types": {name: type_of(tf, spelling) for name, spelling in TYPES.items()},
        "cells": {build.__name__: cells(build) for build in CELLS},
        "trained": {build.__name__: trained(build) for build in TRAINED},
    }
    text = json.dumps(recorded, separators=(",", ":")).replace("]],[[", "]],\n[[").replace('"},"', '"},\n"')
    (HERE / "tf1.json").write_text(text.replace('},"', '},\n"') + "\n", encoding="utf-8")
