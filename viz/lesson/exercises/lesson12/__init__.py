"""Lesson 12, what it costs: replace an `if` on a number so that one trace is enough; write a pass over a list of
operations, common subexpressions; and find the number of calls after which a trace has paid off.
"""
