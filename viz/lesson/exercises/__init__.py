"""The lessons' exercises and questions: one file a lesson, declared with `..task` and `..ask`.

Each file's docstring says what the reader builds there. A test proves for each exercise that its solution passes and
that each wrong answer gets its own hint: tests/test_lesson_exercises.py.
"""

from importlib import import_module
from pkgutil import iter_modules


def load() -> None:
    """Import every lesson's file, which declares what is in it."""
    for found in iter_modules(__path__):
        import_module(f"{__name__}.{found.name}")
