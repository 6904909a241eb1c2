"""`python3 course.py grade FOLDER`: run students' notebooks again, judge their exercises, and write one table.

    submissions.py   which notebooks and progress files there are
    lesson.py        what the lesson asks, and what a notebook has changed of it
    rerun.py         one notebook in a process of its own, with limits; started again without the cell that ended it
    worker.py        that process: it runs the cells, tries each answer, and reports values
    values.py        values as text between the two processes
    verdicts.py      right or not: compares the values with the solution's
    table.py         the table, and the sentences in it
    pack.py          the other side: `python -m viz.grading.pack` packs what a student hands in

A verdict is made in the grading process, which runs no code of a notebook: the worker reports the values that an answer
gives at points drawn anew, and only here are they compared with the solution's. What this does not stop, TEACHING.md
says. Imports viz.lesson and nbformat; worker.py imports IPython. Read next: rerun.py.
"""
