"""Lesson 4, shapes: compute the three gradients of a layer, fix a scale that was broadcast over a row, and build the
table of all derivatives, with a row for each backward pass.
"""
