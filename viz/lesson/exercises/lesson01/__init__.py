"""Lesson 1, y = (w + x)(w + 1): measure a slope with a nudge, put a backward pass in order, and write one."""
