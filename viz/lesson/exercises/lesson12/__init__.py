"""Lesson 12, what it costs: an `if` on a number, mended so that a trace can hold it; a pass over a list of operations,
common subexpressions, written by the reader; and the number of calls after which a trace has paid.
"""
