"""Lesson 13's engine, which the reader writes: its parts (parts.py), graphs to test it (graphs.py), its pictures
(picture.py), the reader's file (file.py), and the lesson's opening (play.py). The exercises are in
../exercises/lesson13/. Read parts.py first.
"""
