"""Step through a graph, forward and backward, one number at a time. Read step.py first, then script.py.

listen.py, hooks.py     observe the reader's code while it runs
record.py, step.py      `with viz.record() as tape:` and `viz.step(y)`
script.py, words.py     turn what happened into a list of events, in words
stage.py                the picture that the events change
player.py, .js, .css    the widget, and the same as a separate page
animation.py            all steps as one animated picture
"""
