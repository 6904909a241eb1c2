"""A folder for the `sys.path` of other processes: finder.py puts it there. It holds torch.py, and nothing else."""
