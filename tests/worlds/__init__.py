"""The machines and settings on which the course must work, and a command that runs the tests in each.

    python -m tests.worlds                      list the worlds, and what each changes
    python -m tests.worlds activated-venv crlf  run the tests that feel their surroundings in these two
    python -m tests.worlds all --whole          run the whole fast tier in every world (hours)
    python -m tests.worlds fast-path-deleted    this one runs the whole fast tier by itself

It ends with a table in Markdown, a row a world. `--python` names another interpreter, `--tests` other tests.
Read next: world.py, what a world may change.
"""
