"""Lesson 13's engine, which its reader writes: what is given of it (parts.py), graphs to try it on (graphs.py), and its
pictures (picture.py). The exercises stand in ../exercises/lesson13/. Read parts.py first.
"""
