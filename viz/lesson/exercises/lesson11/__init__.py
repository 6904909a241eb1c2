"""Lesson 11, the static graph: the reader writes `evaluate`, the work of a session, for a tiny graph; then evaluates
each node at most once and only the needed ones; fetches an update; and turns a Python `while` into
a loop of the graph.
"""
