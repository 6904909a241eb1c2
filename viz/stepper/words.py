"""The stepper's sentences, and the words on its buttons.

A `{…}` is replaced by text that may come from the reader; it is escaped where it is shown. Imports the catalogues. Read
script.py to see when each sentence is used.
"""

from ..locale import room

tr = room("stepper")
WORDS = tr.table(
    {
        "start": "Before the first operator: the leaves have their values, and nothing has been computed yet.",
        "shaped": "{name} = {what}, of shape {shape}.",
        "forward": "{what}.",
        "turn": "{name}, repeat {turn} of {count}: {words}",
        "seed": "The backward pass starts at {name} with the gradient {gradient}.",
        "seed 1": "The backward pass starts at {name} with the gradient 1: the derivative of {name} with respect to "
        "itself is 1.",
        "maker": "the {sign} that made {name}",
        "hands": "{sign} passes to {target}: {amount}.",
        "product": "gradient {gradient} × slope {slope} = {result}",
        "from": "{result}, computed from gradient {gradient}",
        "rule": "The slope for {target} is {rule}.",
        "handed rule": "The gradient for {target} is {rule}.",
        "sum": "The sum for {target} is {before} + {result} = {total}",
        "sum of many": "This is added to the earlier gradients for {target}",
        "grad": "{target}.grad = {after}",
        "grad shape": "{target}.grad has the shape {after}",
        "grad again": "{target}.grad was {before}: {before} + {total} = {after}",
        "grad of many": "{target}.grad already contained a gradient of shape {after}, and the new gradient is added "
        "to it",
        "freed": "{sign} no longer needs its saved values, so they are freed.",
        "kept": "{sign} keeps its saved values for another pass.",
        "freed kept": "{sign} has used the saved values that the earlier pass kept; now they are freed.",
        "nothing": "{sign} passes on no gradient.",
        "done": "Done.",
        "stopped": "Line {line} stops with an error: {name}.",
        "stopped somewhere": "The program stops with an error: {name}.",
        "more": "and {count} more",
        "rehearsed": "(The steps only show what backward would do: your tensors are unchanged.)",
        "problem": "Backward can't be shown: {problem}.",
        "was freed": "Backward can't be shown: {problem}. An earlier backward pass freed the values that the operators "
        "had saved.",
        "ask value": "What is {name} = {what}?",
        "ask handed": "What gradient does {sign} pass to {target}?",
        "ask total": "Now {sign} passes a gradient to {target}. What is the sum of the gradients for {target} "
        "after that?",
        "ask grad": "Now {sign} passes a gradient to {target}. What is {target}.grad after that?",
        "is upstream": "This is the gradient that arrives at {sign}. Multiply it by the slope for {target}.",
        "is slope": "This is only the slope for {target}. Multiply it by the gradient that arrives at {sign}.",
        "is added": "This is the gradient plus the slope. Multiply the two.",
        "is value": "This is the value of {target}. The question asks for a gradient.",
        "is new": "This is the gradient that {sign} passes now. {target} already has {before}, so add the two.",
        "is before": "{target} already has this. Add what {sign} passes now.",
        "is multiplied": "This is the product of the two gradients. Where paths meet, add the gradients.",
        "again product": "Multiply the gradient that arrives at {sign}, {gradient}, by the slope for {target}.",
        "again total": "{target} already has {before}. Add what {sign} passes now.",
        "counted": "Steps through the graph of {title}: {forward} forward, {backward} backward, and the end.",
        "and": " and ",
        "constant": "const",
    }
)

PLAYER = tr.table(
    {
        "label": "Stepper",
        "play": "Play",
        "pause": "Pause",
        "back": "Step back",
        "next": "Step forward",
        "restart": "Restart",
        "speed": "Speed",
        "step": "Step",
        "of": "of",
        "picture": "Graph; use the arrow keys to scroll",
        "code": "Your code",
        "predict": "Predict.",
        "field": "your prediction",
        "check": "Check",
        "empty": "Type a number first.",
        "waits": "Predict step {step} first. Then you can go on.",
        "right": "✓ {answer}.",
        "wrong": "✗ {given}.",
        "again": "Try again.",
        "show": "Show me",
        "shown": "The answer is {answer}.",
        "start": "start",
        "forward": "forward",
        "backward": "backward",
        "end": "end",
    }
)


def capital(sentence: str) -> str:
    """Capitalizes a sentence that begins with an article; a name such as tanh stays as it is."""
    return "The " + sentence[4:] if sentence.startswith("the ") else sentence
