"""Tensor's methods, one file a family; tensor.py puts the families together."""
