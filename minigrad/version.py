"""`minigrad.version`: what PyTorch says of its build. `cuda` is None, as for a PyTorch without it."""

__version__ = "0.1.0"
debug = False
cuda = hip = xpu = git_version = None
