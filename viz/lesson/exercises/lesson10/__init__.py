"""Lesson 10, the error clinic: five programs that run but do the wrong thing; the reader fixes each.

The check compares what the programs do: where the line ends up, the losses, when dropout was on. A patch that
does not remove the fault, such as a lower learning rate, gives the same behaviour as before and is detected.
"""
