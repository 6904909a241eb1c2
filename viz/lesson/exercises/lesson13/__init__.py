"""Lesson 13, build your own autograd: three derivatives and eight functions that, together with the lesson's code, form
an engine over minigrad's own table. Each is tested inside the reader's engine, on graphs that minigrad runs, too.
"""
