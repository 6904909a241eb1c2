"""The documentation: its own pages, the lessons as they are stored, and the API from the docstrings.

build.py beside this file builds it. api.py, lessons.py, texts.py and pytorch.py each write a part of the sources for
Sphinx; conf.py is Sphinx's own settings.
"""
