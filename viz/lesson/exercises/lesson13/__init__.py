"""Lesson 13, build your own autograd: eight functions that, with what the lesson gives, are an engine over minigrad's
own table. Each is tried in its place: the engine of the reader's notebook runs graphs, and minigrad runs the same.
"""
