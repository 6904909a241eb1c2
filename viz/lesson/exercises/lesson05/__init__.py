"""Lesson 5, a net of two layers, three ways: compute its gradients by hand, move its weights, put a training loop in
order, and fix a module whose weights `parameters()` does not find.
"""
