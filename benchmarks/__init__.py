"""Speed and memory of minigrad beside PyTorch, hand-written NumPy and other small autograd libraries.

`python -m benchmarks` runs all of it. Read next: README.md, then workloads/__init__.py (what is measured)
and pairing.py (how).
"""
