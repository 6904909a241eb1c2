"""Compare what was said with PyTorch's own words, to the letter.

`says` is for errors and `warns` for warnings. PyTorch adds a line of C++ to some warnings and a list of signatures to
some errors; neither is compared. minigrad may say more in a note (`add_note`), which is no part of `str(error)`.
"""

import re
import warnings
from contextlib import contextmanager

import pytest


@contextmanager
def says(error, text=None):
    """The block raises exactly this type of error. A `text` of one line is compared with the error's first line."""
    with pytest.raises(error) as caught:
        yield caught
    assert caught.type is error
    if text is not None:
        said = str(caught.value)
        assert (said if "\n" in text else said.partition("\n")[0]) == text


@contextmanager
def warns(*texts, category=UserWarning):
    """The block gives exactly these warnings, in this order; `warns()` says that it gives none."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught
    said = [(warning.category, without_cpp(warning.message)) for warning in caught]
    assert said == [(category, text) for text in texts]


def without_cpp(message):
    return re.sub(r" \(Triggered internally at .*", "", str(message), flags=re.DOTALL)
