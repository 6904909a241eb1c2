"""Lesson 1, y = (w + x)(w + 1): a slope measured by nudging, a backward pass put in order, and one written."""
