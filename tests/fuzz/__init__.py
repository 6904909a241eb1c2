"""Random programs, run on minigrad and on real PyTorch: `python -m tests.fuzz`. Read program.py first."""
