"""Lesson 13's engine, which the reader writes: the given parts (parts.py), graphs to test it (graphs.py), and its
pictures (picture.py). The exercises are in ../exercises/lesson13/. Read parts.py first.
"""
