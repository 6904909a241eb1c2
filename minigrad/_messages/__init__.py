"""What minigrad says: of a name that is not here, of an object of PyTorch itself, of the reader's own line.

names.py      names that PyTorch has and minigrad does not, names that are misspelt; the lists are the .txt files
foreign.py    a tensor, a module or a dtype of PyTorch itself that meets minigrad
places.py     which of the reader's lines is running
once.py       warnings that come once

These files import nothing else of minigrad.
"""
