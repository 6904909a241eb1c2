"""The stepper's sentences, and the words on its buttons.

A `{…}` is replaced by text that may come from the reader; it is escaped where it is shown. Imports the catalogues. Read
script.py to see when each sentence is used.
"""

from ..locale import room

tr = room("stepper")
WORDS = tr.table(
    {
        "start": "Before the first operator: the leaves hold their values, nothing else is there.",
        "shaped": "{name} = {what}, of shape {shape}.",
        "forward": "{what}.",
        "turn": "{name}, turn {turn} of {count}: {words}",
        "seed": "Backward starts at {name}, with gradient {gradient}.",
        "seed 1": "Backward starts at {name}, with gradient 1, the slope of {name} with respect to itself.",
        "maker": "the {sign} that made {name}",
        "hands": "{sign} hands {target}: {amount}.",
        "product": "gradient {gradient} × slope {slope} = {result}",
        "from": "{result}, made from gradient {gradient}",
        "rule": "The slope for {target} is {rule}.",
        "handed rule": "What is handed to {target} is {rule}.",
        "sum": "{target} now has {before} + {result} = {total}",
        "sum of many": "{target} adds it to what has come before",
        "grad": "{target}.grad = {after}",
        "grad again": "{target}.grad was {before}: {before} + {total} = {after}",
        "grad of many": "{target}.grad had {after} already and grows by it",
        "freed": "What {sign} saved is freed.",
        "nothing": "{sign} hands nothing on.",
        "done": "Done.",
        "more": "and {count} more",
        "rehearsed": "(A rehearsal: your tensors are as they were.)",
        "problem": "There is no backward to show: {problem}.",
        "was freed": "There is no backward to show: {problem}. One has run, and freed what the operators had saved.",
        "ask value": "What is {name} = {what}?",
        "ask handed": "What does {sign} hand to {target}?",
        "ask total": "Now {sign} hands an amount to {target}. What is the sum there after that?",
        "ask grad": "Now {sign} hands an amount to {target}. What does {target}.grad hold after that?",
        "counted": "Steps through the graph of {title}: {forward} forward, {backward} backward.",
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
        "picture": "Graph; scroll it with the arrow keys",
        "code": "Your code",
        "predict": "Predict.",
        "field": "your prediction",
        "check": "Check",
        "empty": "Type a number first.",
        "waits": "Step {step} waits for your prediction; then you can go on.",
        "right": "✓ {answer}.",
        "wrong": "✗ {given}. It is {answer}.",
        "start": "start",
        "forward": "forward",
        "backward": "backward",
        "end": "end",
    }
)


def capital(sentence: str) -> str:
    """Capitalizes a sentence that begins with an article; a name such as tanh stays as it is."""
    return "The " + sentence[4:] if sentence.startswith("the ") else sentence
