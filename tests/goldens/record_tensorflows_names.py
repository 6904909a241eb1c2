"""Record TensorFlow 1's public names, in a place where it is installed, beside this project:

    pip install tensorflow-cpu tf_keras
    python tests/goldens/record_tensorflows_names.py

Writes minigrad/_messages/tensorflows.txt, a line for each module: its name, a colon, its public names. From it comes
what is said of a name that minigrad.static does not have. Read next: ../../minigrad/_messages/names.py.
"""

import os
from pathlib import Path

NAMES = Path(__file__).parents[2] / "minigrad" / "_messages" / "tensorflows.txt"
MODULES = "tf tf.errors tf.layers tf.losses tf.nn tf.nn.rnn_cell tf.train"
# gone since TensorFlow 2; these are the packages of 1.15
CONTRIB = """
all_reduce autograph batching bayesflow bigtable boosted_trees checkpoint cloud cluster_resolver compiler
constrained_optimization copy_graph crf cudnn_rnn data decision_trees deprecated distribute distributions eager
estimator factorization feature_column framework gan graph_editor grid_rnn hadoop hooks image input_pipeline
integrate keras kernel_methods labeled_tensor layers learn legacy_seq2seq linalg linear_optimizer lookup losses
memory_stats meta_graph_transform metrics mixed_precision model_pruning nccl nn opt optimizer_v2 periodic_resample
predictor proto quantization quantize receptive_field recurrent reduce_slice_ops resampler rnn rpc saved_model
seq2seq session_bundle signal slim solvers sparsemax specs staging stat_summarizer stateless summary tensor_forest
tensorboard testing tfprof tpu training util
""".split()

if __name__ == "__main__":
    os.environ |= {"TF_USE_LEGACY_KERAS": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
    import tensorflow.compat.v1 as tf

    found: dict[str, list[str]] = {"tf.contrib": CONTRIB}
    for place in MODULES.split():
        module = tf
        for part in place.split(".")[1:]:
            module = getattr(module, part)
        found[place] = sorted({name for name in dir(module) if not name.startswith("_")} - {"annotations"})
    found["tf"] = sorted({*found["tf"], "contrib", "estimator"})  # these two come in packages of their own
    NAMES.write_text(
        "".join(f"{place}: {' '.join(names)}\n" for place, names in sorted(found.items())), encoding="utf-8"
    )
