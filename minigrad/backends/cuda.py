"""`backends.cuda`: PyTorch's settings for matrix products on a GPU. Here CuPy multiplies, and ignores them."""

from types import SimpleNamespace

matmul = SimpleNamespace(
    allow_tf32=False, allow_fp16_reduced_precision_reduction=True, allow_bf16_reduced_precision_reduction=True
)


def is_built() -> bool:
    """Always False: minigrad has no CUDA code of its own."""
    return False
