"""Lesson 5, a net of two layers, three ways: its slopes by hand, the step that moves the weights, the order of a
training loop, and a module whose weights nobody finds, to be mended.
"""
