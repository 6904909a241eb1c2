"""The five PyTorch programs that this project grew from: run by tests/test_seeds.py, not collected as tests."""

collect_ignore_glob = ["*.py"]
