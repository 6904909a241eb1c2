"""Helpers for error messages and warnings.

names.py      hints for missing and misspelt names; the lists of names are the .txt files
foreign.py    errors for tensors, modules and dtypes of PyTorch itself
places.py     find the user's line that is running
strangers.py  another package named `viz`
once.py       warnings that are given only once

These files import nothing else of minigrad.
"""
