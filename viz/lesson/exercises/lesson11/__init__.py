"""Lesson 11, the static graph: `evaluate`, which is what a session does, written by the reader over a tiny graph; then
once for each node and only what is needed; an update that the reader fetches; and a Python `while` that is mended into
a loop of the graph.
"""
