"""The gallery: questions about autograd, each a page that plays. Read build.py, which says how to run it.

source.py    the questions, each a Markdown file
program.py   runs a question's program
pictures.py  its picture: alive, still, moving, and as a preview for links
pages.py     the pages, with page.css, page.js and their like
"""
