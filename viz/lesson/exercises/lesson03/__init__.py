"""Lesson 3, "why is my .grad None?": which tensors keep a gradient, as code; the leaves behind a result, found by
walking its graph; and a weight that an operator made, to be mended.
"""
