"""A folder for the `sys.path` of other processes: as_torch.py puts it there. It holds torch.py, and nothing else."""
