"""Lesson 8, an RNN unrolled: the gradient through thirty time steps, the loop over a batch, clipping, and its place."""
