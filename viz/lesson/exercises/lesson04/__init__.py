"""Lesson 4, shapes: the three gradients of a layer, a scale that was spread over a row (to be mended), and the table of
all slopes, a row for each backward pass.
"""
