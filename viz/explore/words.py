"""The words of the explorers, and how they write a number.

Each explorer has a table {language: {key: words}}; the explorer fills in the names in braces.
Imports NumPy and the catalogues.
"""

from __future__ import annotations

import numpy as np

from ..locale import room


def plain(number: float, digits: int = 7, signed: bool = False) -> str:
    """A number as people write it: no exponent, and no more digits than necessary.

    >>> plain(0.07000000000000028), plain(-1e-5), plain(2.0)
    ('0.07', '−0.00001', '2')
    """
    written = np.format_float_positional(number, digits, fractional=False, trim="-", sign=signed)
    return written.replace("-", "−")


tr = room("explore")
NUDGE = tr.table(
    {
        "title": "A nudge of w on its way to y",
        "masked": "w is nudged by {nudge} and reaches y along two paths, through a and through b. The factors on the "
        "way are hidden until you predict.",
        "alt forward": "A nudge of {nudge} at w = {w}, x = {x}, run forward: through a it becomes {nudge} × 1 × {fa} "
        "= {a}, through b {nudge} × 1 × {fb} = {b}, together {both}. Truly y moves by {truth}. The gap is {gap}.",
        "alt backward": "The same factors run backward at w = {w}, x = {x}: 1 at y, 1 × {fa} = {fa} at a, 1 × {fb} = "
        "{fb} at b, and in w they add up: {fa} + {fb} = {grad}, which is w.grad. From a the same {fa} × 1 = {grad_x} "
        "reaches x: x.grad.",
        "question": "w moves from {w} to {nudged}, x stays {x}. How far does y = (w + x)(w + 1) move? (About.)",
        "a alone": "So much comes through a alone: w + x grew by {nudge}, times b = {db}. The other bracket grew, too.",
        "b alone": "So much comes through b alone: w + 1 grew by {nudge}, times a = {da}. The other bracket grew, too.",
        "slope": "That is how many times the nudge it is. The nudge was {nudge}.",
        "new y": "That is the new y. How far has it moved?",
        "nudge": "So far did w move. How many times as far does y move?",
        "unit": "That is a whole unit's step, to w = {next}. The nudge was {nudge} only.",
        "press": "Now let it run: how much of it comes through a, how much through b?",
        "forward": "Run the nudge",
        "backward": "Run backward",
        "smaller": "nudge ÷ 10",
        "again": "nudge = {nudge}",
        "nudge row": "nudge",
        "slope row": "slope",
        "through": "through {}",
        "together": "together",
        "truth": "in truth",
        "gap": "the gap: {gap}",
        "sum": "what arrives in w adds up: {a} + {b} = {grad}",
        "brings nothing": "The path through {} brings nothing here: a factor on it is 0.",
        "takes away": "Here one path takes away a part of what the other one brings.",
        "takes all": "Here one path takes away all that the other one brings: the slope is 0.",
        "run": "Graph {run}, built by <code>y = (w + x) * (w + 1)</code> at w = {w}, x = {x} → y = {y}",
    }
)

KINK = tr.table(
    {
        "title": "The curve of {name}, and needles at h = {h}.",
        ".": ".",
        "needle": "your needle",
        "release": "What does backward claim?",
        "claims": "backward claims",
        "yours": "Your needle: {}, {}",
        "claimed": "backward claims: {}, {}",
        "claimed?": "backward claims: ?",
        "measured": "Measured: {}",
        "measured?": "Measured: ?",
        "fits": "fits",
        "cuts": "does not fit",
        "passes": "passes",
        "fails": "FAILS",
        "set": "Turn your needle until it fits the curve. Then ask which slope backward claims.",
        "press": "Your needle fits. Which slope does backward claim?",
        "kink": "A kink: all slopes between the left one and the right one fit.",
        "smooth": "No kink here: one slope fits.",
    }
)

SCISSORS = tr.table(
    {
        "title": "A sequence in pieces, and how far back its gradient reaches",
        "masked": "The curve is what a recurrent network predicts, piece after piece. The bars below it will say how "
        "far back the gradient of the last piece's loss reaches; they are hidden until you predict.",
        "alt": "{cuts}. The gradient of the last piece's loss reaches {reached} of {steps} time steps with more than "
        "0.000001.",
        "alt stopped": "{cuts}. Backward stopped in piece {piece} of {pieces}: there is no gradient to show, and "
        "nothing after it has run.",
        "no cut": "No cut",
        "question": "Put ✂ between pieces {} and {}: `h = h.detach()`. What will change, the curve (what the network "
        "predicts) or the bars (how far back the gradient of the last piece's loss reaches)?",
        "curve": "only the curve",
        "bars": "only the bars",
        "both": "both",
        "belief": "detach keeps the number and drops its history. Which of the two is the curve made of?",
        "because": "The numbers go on, so forward notices nothing. The history ends, so backward finds nothing "
        "behind. Now place ✂ yourself.",
        "tooltip": "Cut between piece {} and piece {}",
        "reset": "at ✂ set the state back: h = None",
        "scale": "recurrent ×",
        "arrives": "At the last time step {last} arrives, at the first {first}.",
        "vanishes": "On its way back it vanishes.",
        "explodes": "On its way back it explodes.",
        "once": "backward once, from the last piece",
        "each": "backward and optimizer.step() after each piece",
        "retain": "the same with retain_graph=True",
        "retain question": "Without a ✂ the error says: specify `retain_graph=True`, and what was saved is kept. Does "
        "training then go on?",
        "works": "it works",
        "slow": "slow, but it works",
        "error": "another error",
        "belief works": "What was saved is kept, true. But the second piece's backward goes back into the first "
        "piece, and what has `optimizer.step()` done to the weights in between? See below.",
        "belief slow": "It would be slow, true: each backward would go back to the beginning. But what has "
        "`optimizer.step()` done to the weights in between? See below.",
        "retain masked": "Answer first: then it is run.",
        "take away": "Where a ✂ ends the graph, no pass goes back through what an earlier one used. Take the ✂ away "
        "to see what retain_graph=True does without.",
        "faint": "less than 1e−6",
        "retain because": "The second piece's backward goes back through the first piece, whose weights "
        "`optimizer.step()` has changed since. Each tensor counts its changes in place, its version, and backward "
        "sees that it is not the one that was saved.",
        "rest": "what else it says",
        "losses": "Losses of the pieces: {}.",
        "piece": "piece {}",
        "stopped": "error",
        "predicted": "predicted",
        "wanted": "wanted",
        "heading": "how strongly the last piece's loss L depends on the state h here: length of ∂L/∂h, logarithmic",
        "nothing": "nothing arrives here",
        "none": "no gradient: backward has stopped",
    }
)

UNROLLED = tr.table(
    {
        "title": "A loop unrolled, and what comes back through it",
        "untrained": "untrained",
        "trained": "trained",
        "steep": "recurrent weights × 4",
        "guess": "your bar for h₀",
        "measure": "Measure",
        "give up": "Show me",
        "fold it": "fold the time steps in the middle",
        "fold": "{} time steps",
        "arrows": "{} gradients go into one leaf",
        "one arrow": "1 gradient goes into one leaf",
        "others": "and {} into each of {} others",
        "one other": "and {} into another",
        "heading": "how large the gradient is at each state, compared with {} (powers of ten)",
        "you": "you:",
        "your bar": "your bar",
        "squeezed": "{} bars, squeezed",
        "tick 9": "a billion ×",
        "tick 6": "a million ×",
        "tick 3": "1000 ×",
        "tick 0": "1",
        "tick -3": "1/1000",
        "tick -6": "1/million",
        "tick -9": "1/billion",
        "alt": "The loop of “{name}”, T = {T}: a row of states from h₀ to {last}, and gradients from {arrows} of them "
        "into one leaf, {leaf}.",
        "alt yours": "Your bar for h₀ says {}.",
        "alt unmoved": "Your bar for h₀ stands at {}, and is not moved yet.",
        "alt hidden": "How large the gradient is at the states before {} is hidden until you predict.",
        "alt measured": "Measured, compared with {last}: {sizes}.",
        "run": "Run {run}: with T = {T} the graph has {nodes} nodes; its leaves hold {parameters} numbers to "
        "learn{same}.",
        "as many": ", as many as at T = {T}",
        "not as many": " (at T = {T}: {numbers})",
        "beside": "Some ways lead past the row of states, and are not drawn.",
        "drag": "How large is the gradient at h₀, compared with that at {}? Drag your bar.",
        "locked": "What was measured is known, so your bar stays: choose another T or another network.",
        "press": "Now measure.",
        "no last": "No gradient, or none that is a number, arrives at {}: there is nothing to compare with.",
        "none": "Nothing at all arrives at h₀: the way is cut, or a factor on it is 0, or what is left is too small "
        "for a number.",
        "infinite": "What arrives at h₀ is no number any more.",
        "gave up": "It is {}.",
        "right": "✓ You said {said}, and it is {ratio}: less than half a power of ten apart.",
        "wrong": "✗ You said {said}, and it is {ratio}: {off} apart.",
        "right close": "✓ You said {said}, and it is {ratio}: less than a factor of 1.4 apart.",
        "powers": "{} powers of ten",
        "times": "a factor of {}",
        "outside": "(Your number lies beyond the picture's scale.)",
        "each": "On average that is about × {} a time step.",
        "factors": "Your bar says × {} a time step, and on average it is about × {}.",
        "all": "So it would be if every time step multiplied it by 1.",
        "shared": "1/{T} is one share of {T}. But nothing is shared out: each time step multiplies.",
        "other": "That is about what “{}” has at this T. Here the factors differ.",
        "weights alone": "About so large it would be if only the weights counted: what else does a time step multiply "
        "by?",
        "grows": "On its way back it grows here.",
        "shrinks": "On its way back it shrinks here.",
    }
)

MEMORY = tr.table(
    {
        "title": "What a graph keeps in memory",
        "alt": "After {steps} steps the graph holds {graph}; under no_grad {silent}. After backward {after} are left.",
        "run": "run {run}: {T} steps with a graph, backward, and {T} steps under no_grad",
        "heading": "memory that the result keeps alive",
        "steps": "steps of the loop",
        "graph": "with a graph: {}",
        "silent": "under no_grad: {}",
    }
)

STORAGES = tr.table(
    {
        "title": "Memory, and the tensors that share it",
        "look": "Look again",
        "looked": "Look number {run}. Run cells that change something, then look again.",
        "shape": "shape {}",
        "box": "storage {}",
        "leaf": "leaf",
        "view": "view",
        "result": "result",
        "no history": "no history",
        "array": "NumPy array",
        "store": "Storage {}, {}: {}.",
        "tag": "{} ({}, version {})",
        "no counter": "{} ({}, no version)",
        "noted": "× noted {}",
        ".": ".",
        "hidden": "What will backward do? Predict below.",
        "right": "right",
        "error": "an error",
        "wrong": "silently wrong",
    }
)

SHELF = tr.table(
    {
        "title": "Line {} of the program, and the memory behind its tensors",
        "next": "Next line",
        "first": "Back to line 1",
        "line": "line",
        "ran": "The program has just run: {}",
        "says 1": "Line 1 makes the tensor <code>w</code>: a tag on a storage. The counter counts changes in place.",
        "says 2": "Line 2: × saves <code>w</code> for backward, and notes its counter.",
        "says 3": "Line 3 makes <code>t</code>. Compare its storage and its counter with those of <code>w</code>.",
        "says 4": "Line 4 changes <code>t</code> in place. See which numbers and which counters are different now.",
        "says 5": "Line 5 runs backward.",
        "should": "w.grad = {}, should be {}",
        "question": "`y = w * w`, then `{}` and `{}`. What does `y.backward()` give?",
        "belief shared": "`t` and `w` share one storage, so × would read 4. The derivative of w · w at 3 needs the 3.",
        "belief version": "The saved number has changed, but so has the counter. Compare it with what × noted.",
        "belief unnoticed": "Backward compares the counter of `w` with what × noted. Is there a difference?",
        "belief box": "Compare the storages of `w` and `t`. Did line 4 change the number that × saved?",
        "because detach": "`t` shares the storage and the counter of `w`. × noted 0, the counter reads 1, and backward "
        "stops.",
        "because data": "`.data` shares the storage, but has a counter of its own. The counter of `w` still reads 0, "
        "so backward does not notice the change.",
        "because view": "A view shares the storage and the counter. × noted 0, the counter reads 1, and backward "
        "stops.",
        "because clone": "A clone has its own storage. `w` still holds the 3 that × saved.",
        "because numpy": "The array shares the storage, and NumPy counts no changes. The counter of `w` still reads 0, "
        "so backward does not notice the change.",
    }
)

MACHINE = tr.table(
    {
        "static": "static: one graph, {left} operators",
        "dynamic": "dynamic: graph {run}, {right} operators",
        "turned": "its loop turned {turns} ×",
        "turn": "turn {turn} of {turns}",
        "came": "result",
        "first": "Run 1, T = {T}: the session ran a graph of {left} operators, built before; Python built one of "
        "{right}.",
        "line": "Run {run}, T = {T}: the session ran the same graph of {left} operators; Python built a new one of "
        "{right}.",
        "title": "A loop in the graph and a loop in Python",
        "run": "Run again",
        "question": "At T = {T} the static graph has {left} operators and the dynamic one {right}. How many will they "
        "have at T = {most}?",
        "pair": "{} and {}",
        "same": "Python runs its loop anew, for as many turns as T says. What does each turn add to the dynamic graph?",
        "grown": "The dynamic one grows so. But how often was the static one built?",
        "ran": "So often one of them will run, in the static graph. How many are there, to be run again and again?",
        "press": "The static one was built once, and turns as often as T is fed. Now move T, and watch both.",
    }
)

LEDGER = tr.table(
    {
        "title": "The account book of leaf w",
        "book": "account book of w",
        "pass": "pass {}",
        "through": "through {}",
        "from": "from {}",
        "stopped": "stopped at ×",
        "nothing": "nothing has arrived",
        "next": "Next",
        "again": "Run backward again",
        "clear": "w.grad = None",
        "anew": "Run all the code anew",
        "graph": "graph {}, at",
        "new graph": "graph {}, made anew with all it saves, at",
        "running": "# on its way",
        "whole": "the whole error",
        "ask amount": "`y.backward()` starts with 1 at y. Which amount arrives at w through {through}?",
        "ask later": "And which amount arrives at w through {through}?",
        "ask one": "`y.backward()` starts with 1 at y. Which amount arrives at w?",
        "itself": "{said} is {name} itself. y = a · b: how many times as far as {name} does y move?",
        "both": "That is all of it together. What comes through {through} alone?",
        "one": "1 is the slope of +. What had arrived at {through}, to be handed on?",
        "one y": "{said} is {name} itself. What does + hand on, of the 1 that it gets?",
        "zero": "0 would mean that y does not move when {through} does. Does it?",
        "result": "{said} is y itself. How many times as far as {through} does it move?",
        "leaf": "{said} is {name} itself. How many times as far as {through} does y move?",
        "because amount": "× hands {through} the other factor, and + hands it on to w as it is.",
        "because one": "+ hands on what it gets. It is all that comes, so it is written to `.grad`.",
        "because last": "× hands {through} the other factor. Now all is there: {sum} is written to `.grad`, once.",
        "ask now": "{amount} is at w, and something is still to come. What does `w.grad` hold at this moment?",
        "now amount": "{said} has come, and waits. Look at the book: is the sum complete?",
        "now sum": "Is all there already? Look at the book.",
        "now zero": "0 would be a number that somebody has written. Has anybody?",
        "because now": "The sum is written once, when all is there. A leaf waits as everybody does.",
        "ask again": "`w.grad` holds {held}. `{call}` runs through this graph, as it did before. What does `w.grad` "
        "hold then? A number, or an error?",
        "again full": "So it would be, if the drawer under × were still full. Look at it.",
        "again kept": "True of `w.grad`. But how does the pass go? × needs a and b for its slopes: look at its drawer.",
        "again which": "Which?",
        "again error": "× needs a and b for its slopes. Look at the drawer under it: are they gone?",
        "again needs": "What does + need for its slope, that could be gone? It has no drawer.",
        "again replaced": "{said} is what one pass brings. Does it take the place of what is there, or is it added?",
        "again same": "That is what it holds now. A pass brings {sum} more.",
        "again emptied": "The account was emptied. What is there to be added to?",
        "because error": "× finds its drawer empty and stops. Nothing has arrived, and `w.grad` is what it was.",
        "because retained": "The drawer was left full, so the pass runs like the first. What it brings is added.",
        "because added": "The graph is still there, and + keeps nothing that could be gone. What comes is added.",
        "because emptied": "None was there, so what the pass brings is all there is.",
        "alt": "{code} at w = {w}, x = {x}.",
        "alt one": "{code} at w = {w}.",
        "alt came": "Pass {number}: {amounts}.",
        "alt through": "{amount} {came}",
        "alt sum": "Pass {number}: {amounts}, together {sum}.",
        "alt waits": "More is on its way, hidden until you predict it; w.grad holds {held}.",
        "alt hidden": "What pass {number} brings to w is hidden until you predict it; w.grad holds {held}.",
        "alt stopped": "Pass {number} stopped at ×: its drawer is empty, nothing has arrived.",
        "alt held": "w.grad holds {held}.",
        "alt freed": "The drawer under × is empty.",
        "alt full": "The drawer under × is full.",
        "and": ", then ",
    }
)
