"""Lesson 9, random time steps: one step of a recurrent network, a training loop to fix, and the loss of sequences
of different length in one padded batch.
"""
