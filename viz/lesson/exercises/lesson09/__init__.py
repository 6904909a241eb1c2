"""Lesson 9, random time steps: one step of a recurrent network, and a training loop to fix."""
