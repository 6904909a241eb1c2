"""Step through a graph, forward and backward, a number at a time. Read step.py first, then script.py.

listen.py, hooks.py     what the reader's code does, while it does it
record.py, step.py      `with viz.record() as tape:` and `viz.step(y)`
script.py, words.py     from what happened to a list of events, in words
stage.py                the picture that the events restyle
player.py, .js, .css    the widget, and the same as a page of its own
animation.py            all steps as one moving picture
"""
