"""One graph, its passes and its code generator: what minigrad.static and minigrad.jit are two doors to.

graph.py      operations and the symbols between them, in blocks; types.py what is known of a symbol beforehand
table.py      the rows that tensors run, and a few that only a graph needs
build.py      from a row to an operation; shapes.py: what its inputs tell of its result
gradients.py  more graph, for the derivatives
passes/       from a graph to a shorter one, each pass a function
codegen.py    the text of one Python function; memory.py: whose memory it may write over
plan.py       all of that, from fetches and feeds to the function
errors.py     kinds of error, by TensorFlow's names

It knows the rule table and arrays: neither tensors, nor sessions, nor traces. Start reading at graph.py.
"""
