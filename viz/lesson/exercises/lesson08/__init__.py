"""Lesson 8, an RNN unrolled: the slope through thirty time steps, the loop over a batch, clipping, where it goes."""
