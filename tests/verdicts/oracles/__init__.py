"""For each exercise, a function that says what is wrong with an answer; None if nothing is.

It gets `make`, which runs the answer's code and returns what it defines, and the library. It knows the task only: it
shares no code with the check, and compares with formulas, with differences, and with the state that the task speaks of.
"""

from . import (
    lesson01,
    lesson02,
    lesson03,
    lesson04,
    lesson05,
    lesson06,
    lesson07,
    lesson08,
    lesson09,
    lesson10,
    lesson11,
    lesson12,
    lesson13,
)

ROOMS = (
    *(lesson01, lesson02, lesson03, lesson04, lesson05, lesson06, lesson07),
    *(lesson08, lesson09, lesson10, lesson11, lesson12, lesson13),
)
ORACLES = {name: oracle for room in ROOMS for name, oracle in vars(room).items() if getattr(oracle, "asked", False)}
