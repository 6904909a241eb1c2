"""Lesson 6, right, an error or silently wrong: a change that `.data` hid from backward, one in place that backward
noticed, a window that is written through a view, and a net that is only asked.
"""
