"""Lesson 10, the error clinic: five programs that run and do the wrong thing, each to be mended by the reader.

What is compared is what the program does: where its line ends up, its losses, when its dropout was on. A patch that
leaves the fault where it is, as a lower learning rate does, behaves as before and is known by that.
"""
