"""Lesson 2, what backward does: a backward pass put in order, an account book as code, two losses that share a part,
and a weight that descends by hand.
"""
