"""Tensor's methods, which are minigrad's functions too, one file a family; tensor.py combines the families."""
