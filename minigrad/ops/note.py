"""Notes: facts about an operator other than its value and slopes, written next to its row.

    note(mul, tensorflow="Mul", ufunc="multiply", letters=("{1}", "{0}"))

They are attributes of the row (`mul.letters`) that the core does not read. `NOTES` lists what each note means and which
file reads it; a row without a note is treated like its family. A public function that consists of several rows, such as
`logit`, has no row of its name: `@known` above its `def` takes the same notes. Imports the core's table. Read next:
elementwise.py.
"""

from collections.abc import Callable
from typing import Any

from ..core.rules import TABLE

NOTES = {
    # the static engine
    "tensorflow": "what TensorFlow calls the operator (_compiler/build.py); else its own name",
    "shape": "from the inputs' sizes and the parameters to the result's: a function of sizes.py (_compiler/shapes.py)",
    "gives": "the type of the result, or those of several; None: that of the first input (_compiler/shapes.py)",
    "needs_sizes": "why a graph can't be built while the sizes of the inputs are unknown (_compiler/gradients.py)",
    "ufunc": "the one function of NumPy's that computes the value, with the same bits (_compiler/codegen.py)",
    "text": "the value as a short expression; or a function from the parameters to it (_compiler/codegen.py)",
    "fresh": "whether the result is always an array of its own (_compiler/memory.py)",
    "dense": "whether the result lies in order in memory if the inputs do, though it may be one (_compiler/memory.py)",
    "exact": "True: an element's bits depend on its operands alone, however they were spread out (compiler/passes)",
    # the dynamic engine
    "in_order": "True: the result lies row after row in memory; 'as given': as the input does (_call/dispatch.py)",
    "rounds_each": "True: a loss that in float16 rounds each element's loss before it adds them up (_call/dispatch.py)",
    "turned": "slopes that lie in memory as the transpose does, for an input that `t` made, by its name "
    "(_call/fast.py)",
    "in_place": "the function that NumPy does it with in the memory of the first input (_tensors/inplace.py)",
    "one_edge": "True: a reader sees the first edge alone, unless the node was named otherwise (_engine/nodes.py)",
    "left_out": "how many inputs PyTorch's node has behind these, which were left out and lead nowhere "
    "(_engine/nodes.py)",
    "leads_on": "of an input's gradient, the inputs that it leads to under create_graph without being a function of "
    "them, since one kernel computes all the gradients (_engine/nodes.py)",
    "by_zeros": "True: these inputs get zeros there, where they would get no gradient (_engine/nodes.py)",
    # PyTorch's words, most of them in words.py; _call/check.py reads them all
    "words": "from arrays that NumPy has refused, and the parameters, to PyTorch's error; None: it knows none",
    "types": "given the kinds of the inputs' types, as {'b', 'f'}, raises PyTorch's error if they are not taken",
    "kernel": "what PyTorch calls its code in errors about types; or a function from name, axes and parameters to it",
    "refusal": "PyTorch's sentence where the row's `dtypes` are not given; else one about its kernel",
    "whole": "True: floats are an error",
    "bools": "whether a product of these arrays is an error, for being of bools",
    "mixed": "from types to the error that they are several",
    "sizes_first": "'always', or 'of one type': a product's sizes are looked at before its types",
    # the public function of the same name
    "out": "does it take `out=`? False, True, or a way that _tensors/methods/out.py knows; all do but views, unless it "
    "is noted",
    "underscore": "is there a method `exp_` beside `exp`? For element by element there is one, unless it is noted "
    "(_tensors/methods/overwriting.py)",
    "forms": "'numbers': PyTorch has the function once for tensors and once for numbers; 'several': in several other "
    "forms. Its errors then say 'an invalid combination of arguments' (_call/arguments.py)",
    "called": "PyTorch's name for the function in errors, where that is another one (_call/arguments.py)",
    "number_nodes": "PyTorch's names of the node where a number stands for the first tensor, and for the second "
    "(_tensors/methods/named.py)",
    # pictures
    "letters": "each input's slope in letters; or, where it says 'gradient', what is handed on (viz, the stepper)",
}


def note(*rules: Any, **notes: Any) -> None:
    """Add notes to rows. A name that `NOTES` lacks is an error."""
    for rule in rules:
        for name, what in notes.items():
            if name not in NOTES:
                raise TypeError(f"nobody reads {name!r} beside {rule.name}'s row; ops/note.py says what is read")
            setattr(rule, name, what)


def known(**notes: Any) -> Callable[[Any], Any]:
    """A decorator: add notes to a public function that has no row of its name."""
    if unread := notes.keys() - NOTES.keys():
        raise TypeError(f"nothing reads {min(unread)!r} above a function; ops/note.py lists the notes")

    def decorate(function: Any) -> Any:
        function.notes = notes
        return function

    return decorate


def noted(function: Any, name: str, otherwise: Any = None) -> Any:
    """The note of this name on a function, or on the row of the function's name."""
    if name in (own := getattr(function, "notes", {})):
        return own[name]
    return getattr(TABLE.get(function.__name__), name, otherwise)


def notes_of(rule: Any) -> dict[str, Any]:
    """All notes of a row."""
    return {name: what for name, what in vars(rule).items() if name in NOTES}
