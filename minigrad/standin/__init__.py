"""A folder for the `sys.path` of other processes, added by as_torch.py. It contains only torch.py."""
