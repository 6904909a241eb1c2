"""Lesson 2, what backward does: put a backward pass in order, write an account book as code, add two losses that share
a part, and move a weight downhill by hand.
"""
