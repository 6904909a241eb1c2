"""`minigrad.version`: PyTorch's version information. `cuda` is None, as in a build of PyTorch without CUDA."""

__version__ = "1.0.0"
debug = False
cuda = hip = xpu = git_version = None
