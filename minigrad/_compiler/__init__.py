"""One graph, its passes and its code generator, used by both minigrad.static and minigrad.jit.

graph.py      operations and the symbols between them, in blocks; types.py: what is known of a symbol before a run
table.py      the rows of the dynamic engine, and a few that only a graph needs
build.py      from a row to an operation; shapes.py: the result's shape and dtype from those of the inputs
gradients.py  adds operations for the derivatives
passes/       optimise a graph; each pass is a function
codegen.py    writes a Python function; memory.py: whose memory it may overwrite
plan.py       all steps, from fetches and feeds to the function
errors.py     errors under TensorFlow's names

It depends on the rule table and on arrays, not on tensors, sessions or traces. Start reading at graph.py.
"""
