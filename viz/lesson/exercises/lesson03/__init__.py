"""Lesson 3, "why is my .grad None?": tell in code which tensors keep a gradient; find the leaves behind a result by
walking its graph; and fix a weight that is the result of an operator.
"""
