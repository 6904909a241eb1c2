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
        "= {a}, through b {nudge} × 1 × {fb} = {b}, together {both}. In fact, y moves by {truth}. The difference is "
        "{gap}.",
        "alt backward": "The same factors run backward at w = {w}, x = {x}: 1 at y, 1 × {fa} = {fa} at a, 1 × {fb} = "
        "{fb} at b. At w, they add up: {fa} + {fb} = {grad}, which is w.grad. From a, {fa} × 1 = {grad_x} reaches x: "
        "x.grad.",
        "question": "`w` moves from {w} to {nudged}, and `x` stays {x}. About how far does `y = (w + x)(w + 1)` move?",
        "a alone": "This is only the part through `a`: `w + x` grows by {nudge}, and `b = {db}`. But the "
        "other bracket contains `w`, too.",
        "b alone": "This is only the part through `b`: `w + 1` grows by {nudge}, and `a = {da}`. But the "
        "other bracket contains `w`, too.",
        "slope": "This is the derivative (the slope): `y` moves by this many nudges. The nudge is {nudge}.",
        "quotient": "This is the change divided by the nudge. The question asks for the change itself.",
        "places": "The digits are right, but the decimal point is one place off. The nudge is {nudge}.",
        "sign": "The size is right, but the sign is wrong. When `w` grows, does `y` grow or shrink?",
        "old y": "This is the value of `y` before the nudge. The question asks how far `y` moves.",
        "new y": "This is the new value of `y`. The question asks for the change: subtract the old value.",
        "nudge": "This is how far `w` moves. By which number is the growth of each bracket multiplied?",
        "unit": "This is the change for a nudge of 1, to `w = {next}`. The nudge is only {nudge}.",
        "product": "This is `a × b × {nudge}`. Multiply the growth of each bracket by the other bracket, and"
        " then add the two parts.",
        "press": "Now press “Run the nudge”. Which part of the change comes through `a`, and which part through `b`?",
        "forward": "Run the nudge",
        "backward": "Run backward",
        "smaller": "nudge ÷ 10",
        "again": "back to nudge = {nudge}",
        "nudge row": "nudge",
        "gradient row": "gradient",
        "through": "through {}",
        "together": "together",
        "truth": "in fact",
        "gap": "the difference, nudge × nudge: {gap}",
        "sum": "w adds up both gradients: {a} + {b} = {grad}",
        "brings nothing": "The path through {} contributes nothing here, because a factor on it is 0.",
        "takes away": "Here the two paths have opposite signs, so one path cancels a part of the other.",
        "takes all": "Here the two paths cancel: the slope is 0.",
        "run recorded": "<code>y = (w + x) * (w + 1)</code> at w = {w}, x = {x} gives y = {y}",
        "run": "Run {run} of the code: <code>y = (w + x) * (w + 1)</code> at w = {w}, x = {x} gives y = {y}",
    }
)

RECTANGLE = tr.table(
    {
        "title": "The rectangle (w + x)(w + 1), and what it gains when w grows",
        "alt": "A rectangle with the sides w + x = {side_a} and w + 1 = {side_b}. w grows by {nudge}. The strip "
        "through a adds {a}, the strip through b adds {b}, and the corner adds {corner}: together {total}. Divided by "
        "{nudge}: {a each} + {b each} + {corner each} = {total each}.",
        "alt still": "A rectangle with the sides w + x = {side_a} and w + 1 = {side_b}. w has not grown yet.",
        "alt table": "Added area, and added area divided by {nudge}. Through a: {a}, {a each}. Through b: {b}, "
        "{b each}. Corner: {corner}, {corner each}. Together: {total}, {total each}.",
        "smaller": "nudge ÷ 10",
        "again": "back to nudge = 1",
        "run": "<code>x</code> = {x}. <code>w</code> grows from {w} to {now}: the area <code>y</code> grows from "
        "{y} to {new}, by {gain}.",
        "through": "through {}",
        "corner": "corner",
        "total": "together",
        "gains": "added area",
        "bar": "added area ÷ {}",
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
        "kink": "A kink: all slopes between the left slope and the right slope fit.",
        "smooth": "No kink here: one slope fits.",
    }
)

SCISSORS = tr.table(
    {
        "title": "A sequence in pieces, and how far back its gradient reaches",
        "masked": "The curve is the network's prediction. The bars, hidden until you answer, show how far back the "
        "gradient of the last piece's loss reaches.",
        "alt": "{cuts}. The gradient of the last piece's loss reaches {reached} of {steps} time steps with more than "
        "0.000001.",
        "alt stopped": "{cuts}. Backward stopped in piece {piece} of {pieces}: there is no gradient to show, and "
        "nothing after it has run.",
        "no cut": "No cut",
        "question": "✂ between pieces {} and {} is `h = h.detach()`. What does it change: the curve or the bars?",
        "curve": "only the curve",
        "bars": "only the bars",
        "both": "both",
        "belief": "`detach` keeps the numbers and drops their history. The curve is computed from the numbers.",
        "because": "The numbers stay the same, so the curve stays the same. The history ends at ✂, so "
        "backward stops there. Now place ✂ yourself.",
        "tooltip": "Cut between piece {} and piece {}",
        "reset": "h = None at each ✂",
        "scale": "recurrent ×",
        "arrives": "The gradient is {last} at the last time step and {first} at the first.",
        "vanishes": "On its way back it vanishes.",
        "explodes": "On its way back it explodes.",
        "once": "backward once, from the last piece",
        "each": "backward and optimizer.step() after each piece",
        "retain": "the same with retain_graph=True",
        "retain question": "Without ✂, the error advises `retain_graph=True`, which keeps the saved values. Does the"
        " training then continue?",
        "works": "it works",
        "slow": "slow, but it works",
        "error": "another error",
        "belief works": "The saved values are kept. But the second backward also goes through the first piece, and "
        "`optimizer.step()` has changed the weights that were saved there. The error is below.",
        "belief slow": "Each backward would go back to the beginning, and that would be slow. But `optimizer.step()` "
        "has changed the weights that were saved there. The error is below.",
        "retain masked": "Answer the question first. Then it runs.",
        "take away": "Each ✂ ends the graph, so no backward goes through an older piece. Remove every ✂ to see"
        " what `retain_graph=True` does without ✂.",
        "uncut": "There is no ✂ between pieces {} and {}, so this backward also goes through piece {}, where "
        "`optimizer.step()` has changed the weights.",
        "reset nowhere": "There is no ✂ yet, so no line `h = None` runs.",
        "reset here": "At each ✂, `h = None` drops the numbers, too.",
        "faint": "less than 1e−6",
        "retain because": "The second backward also goes through the first piece, and `optimizer.step()` has changed "
        "the weights that were saved there. Each tensor counts its changes in place, and backward compares this "
        "version with the saved one.",
        "rest": "the rest of the message",
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
        "title": "An unrolled loop, and the gradients that come back through it",
        "untrained": "untrained",
        "trained": "trained",
        "steep": "recurrent weights × 4",
        "guess": "your bar for h₀",
        "measure": "Measure",
        "give up": "Show me",
        "fold it": "fold the time steps in the middle",
        "by powers": "show powers of ten",
        "fold": "{} time steps",
        "arrows": "{} gradients go into one leaf",
        "one arrow": "1 gradient goes into one leaf",
        "others": "and {} into each of {} others",
        "one other": "and {} into another",
        "heading": "how large the gradient is at each state, compared with {}",
        "heading powers": "how large the gradient is at each state, compared with {} (powers of ten)",
        "you": "you:",
        "your bar": "your bar: move the slider",
        "squeezed": "{} bars, closer together",
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
        "alt unmoved": "Your bar for h₀ is at {}, and you have not moved it yet.",
        "alt hidden": "How large the gradient is at the states before {} is hidden until you predict.",
        "alt measured": "Measured, compared with {last}: {sizes}.",
        "run recorded": "At T = {T}, the graph has {nodes} nodes. Its leaves hold {parameters} numbers to learn{same}.",
        "run": "Run {run}: at T = {T}, the graph has {nodes} nodes. Its leaves hold {parameters} numbers to "
        "learn{same}.",
        "as many": ", as many as at T = {T}",
        "not as many": " (at T = {T}: {numbers})",
        "beside": "Some paths lead past the row of states. The picture does not show them.",
        "drag": "How large is the gradient at h₀, compared with the gradient at {}? Set your bar with the slider.",
        "locked": "You have seen this measurement. Choose another T or another network for a new prediction.",
        "press": "Now press Measure.",
        "no last": "The gradient at {} is 0 or not a number, so there is nothing to compare with.",
        "none": "The gradient at h₀ is 0. Either the path is cut, or one factor is 0, or the product is too small for "
        "a number.",
        "infinite": "The gradient at h₀ is too large for a number.",
        "gave up": "It is {}.",
        "right": "✓ You said {said}, and it is {ratio}. They are less than half a power of ten apart.",
        "wrong": "✗ You said {said}, and it is {ratio}. They are {off} apart.",
        "right close": "✓ You said {said}, and it is {ratio}. They are less than a factor of 1.4 apart.",
        "powers": "{} powers of ten",
        "times": "a factor of {}",
        "outside": "(Your number is beyond the picture's scale.)",
        "each": "On average, each time step multiplies the gradient by about {}.",
        "factors": "Your bar means a factor of {} for each time step. The measured average is about {}.",
        "all": "This would be right if every time step multiplied the gradient by 1.",
        "shared": "1/{T} would be right if the time steps shared the gradient equally. But each time step multiplies "
        "it.",
        "other": "This is about right for “{}” at this T. But this network has other factors.",
        "weights alone": "This would be about right if only the weights counted. By which other factor does a time"
        " step multiply the gradient?",
        "grows": "In this network, the gradient grows on its way back.",
        "shrinks": "In this network, the gradient shrinks on its way back.",
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
        "looked": "Look number {run}. Run cells that change something. Then look again.",
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
        "says 1": "Line 1 makes the tensor <code>w</code>, which is a tag on a storage. The counter counts "
        "changes in place.",
        "says 2": "In line 2, × saves <code>w</code> for backward, and notes its counter.",
        "says 3": "Line 3 makes <code>t</code>. Compare its storage and its counter with those of <code>w</code>.",
        "says 4": "Line 4 changes <code>t</code> in place. Which numbers and which counters are different now?",
        "says 5": "Line 5 runs backward.",
        "should": "w.grad = {}, should be {}",
        "question": "`y = w * w`, then `{}` and `{}`. What does `y.backward()` give?",
        "belief shared": "`t` and `w` share one storage, so backward would read 4. But the derivative of w · w at "
        "3 needs the 3.",
        "belief version": "The saved number has changed, but the counter has changed, too. Compare it with the "
        "number that × noted.",
        "belief unnoticed": "Backward compares the counter of `w` with the number that × noted. Is there a difference?",
        "belief box": "Compare the storages of `w` and `t`. Did line 4 change the number that × saved?",
        "because detach": "`t` shares the storage and the counter of `w`. × noted 0, but the counter is now 1, so "
        "backward stops.",
        "because data": "`.data` shares the storage, but it has its own counter. The counter of `w` is still 0, "
        "so backward does not notice the change.",
        "because view": "A view shares the storage and the counter. × noted 0, but the counter is now 1, so "
        "backward stops.",
        "because clone": "A clone has its own storage. `w` still holds the 3 that × saved.",
        "because numpy": "The array shares the storage, and NumPy counts no changes. The counter of `w` is still "
        "0, so backward does not notice the change.",
    }
)

MACHINE = tr.table(
    {
        "static": "static: one graph, {left} operators",
        "dynamic": "dynamic: graph {run}, {right} operators",
        "turned": "its loop turned {turns} ×",
        "turn": "turn {turn} of {turns}",
        "came": "result",
        "first": "Run 1, T = {T}: the session ran a graph of {left} operators that was already built. "
        "Python built a graph of {right}.",
        "line": "Run {run}, T = {T}: the session ran the same graph of {left} operators. Python built a "
        "new graph of {right}.",
        "title": "A loop in the graph and a loop in Python",
        "run": "Run again",
        "question": "At T = {T}, the static graph has {left} operators, and the dynamic graph has {right}. "
        "How many will they have at T = {most}?",
        "pair": "{} and {}",
        "same": "Python runs its loop again, with T turns. What does each turn add to the dynamic graph?",
        "grown": "The dynamic graph grows in this way. But how often was the static graph built?",
        "ran": "This is how many times each operator of the static graph runs. How many operators does "
        "this graph hold?",
        "press": "The static graph was built once, and its loop turns T times. Now move T, and watch both graphs.",
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
        "retain": "next call: retain_graph=True",
        "start again": "Run all the code again",
        "graph": "graph {}, at",
        "graph recorded": "a new graph with its saved values, at",
        "new graph": "graph {}, a new one, at",
        "running": "# on its way",
        "whole": "the whole error",
        "ask amount": "`y.backward()` starts with 1 at y. Which amount reaches w through {through}?",
        "ask later": "× has sent an amount to {through}, too. Which amount reaches w through {through}?",
        "ask one": "`y.backward()` starts with 1 at y. Which amount reaches w?",
        "itself": "{said} is {name} itself. The question is how much y grows when {name} grows by 1, and y = a · b.",
        "both": "{said} is the sum of both amounts. The question asks only for the amount through {through}.",
        "one": "1 is the derivative of +. Multiply it by the amount that arrives at {through}. How large"
        " is this amount?",
        "one y": "{said} is {name} itself. Backward starts with 1 at y. What is the derivative of +?",
        "zero": "0 would mean that y stays the same when {through} changes. Does it?",
        "result": "{said} is y itself. The question is how much y grows when {through} grows by 1.",
        "leaf": "{said} is {name} itself. The question is how much y grows when {through} grows by 1.",
        "another": "The question is how much y grows when {through} grows by 1, and y = a · b.",
        "another one": "Backward starts with 1 at y. What is the derivative of +?",
        "because amount": "× sends the other factor back to {through}, and + passes it on to w unchanged.",
        "because one": "+ passes the 1 on unchanged. It is the only amount, so it is written to `.grad`.",
        "because last": "× sends the other factor back to {through}. Now both amounts are there, and {sum} is written "
        "to `.grad`, once.",
        "ask now": "{amount} has arrived at w, and one amount is still missing. What does `w.grad` hold at this "
        "moment?",
        "now amount": "{said} has arrived and is in the book. Is the sum there complete?",
        "now sum": "This sum includes the amount that has not arrived yet. Look at the book.",
        "now zero": "0 would be a number that was written to `w.grad`. Nothing has been written yet.",
        "because now": "The first amount stays in the book. `.grad` is written once, when the sum is complete.",
        "ask again": "`w.grad` holds {held}. Now `{call}` runs through the same graph again. What happens: an error, "
        "or which new number in `w.grad`?",
        "again full": "This needs a pass that runs to its end. × needs its saved values. Is the drawer under × full?",
        "again late": "`retain_graph=True` keeps the saved values that are in a drawer. Is the drawer under × full?",
        "again adds": "`w.grad` holds {held} now. How much does one pass add to it? Look at the book.",
        "again kept": "`w.grad` stays at {said}. But why does nothing arrive? Look at the drawer under ×, and "
        "say what the call does.",
        "again which": "Type the number that `w.grad` holds afterwards.",
        "again error": "× needs a and b for its derivatives. Look at the drawer under ×. Are they gone?",
        "again needs": "Backward raises an error when saved values are missing. + saves nothing, so it has no drawer.",
        "again replaced": "{said} is the amount of one pass. `w.grad` already holds a number, and a pass adds to it.",
        "again same": "This is what `w.grad` holds now. The pass brings {sum} more.",
        "again emptied": "`w.grad` is None now, so there is nothing to add to.",
        "because error": "× needs its saved values, and its drawer is empty. Backward stops there, and `w.grad` stays "
        "as it was.",
        "because retained": "`retain_graph=True` left the drawer full, so the pass runs again. Its amount is added.",
        "because added": "The graph is still there, and + needs no saved values. The amount is added.",
        "because emptied": "`w.grad` was None, so it now holds only the amount of this pass.",
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
