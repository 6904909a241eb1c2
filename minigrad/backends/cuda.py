"""`backends.cuda`: how PyTorch multiplies on a GPU. CuPy, which does it here, decides for itself."""

from types import SimpleNamespace

matmul = SimpleNamespace(
    allow_tf32=False, allow_fp16_reduced_precision_reduction=True, allow_bf16_reduced_precision_reduction=True
)


def is_built() -> bool:
    """Was PyTorch's own CUDA code built in? No."""
    return False
