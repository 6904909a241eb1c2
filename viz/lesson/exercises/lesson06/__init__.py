"""Lesson 6, right, an error or silently wrong: a change that `.data` hid from backward, a change in place that backward
detected, a window that is written through a view, and a net that is only evaluated.
"""
