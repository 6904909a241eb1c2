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
        "masked": "A nudge of w by {nudge} changes y along two paths, one through a and one through b. The factors "
        "along these paths are hidden until you predict.",
        "alt forward": "A nudge of {nudge} at w = {w}, x = {x}, run forward: through a it becomes {nudge} × 1 × {fa} "
        "= {a}, through b {nudge} × 1 × {fb} = {b}, together {both}. In fact, y moves by {truth}. The difference is "
        "{gap}.",
        "alt backward": "The same factors run backward at w = {w}, x = {x}: 1 at y, 1 × {fa} = {fa} at a, 1 × {fb} = "
        "{fb} at b. At w, they add up: {fa} + {fb} = {grad}, which is w.grad. From a, {fa} × 1 = {grad_x} reaches x: "
        "x.grad.",
        "question": "`w` changes from {w} to {nudged}, and `x` stays {x}. By about how much does `y = (w + x)(w + 1)` "
        "change?",
        "a alone": "This is only the contribution through `a`: `w + x` grows by {nudge}, and `b = {db}`. But the "
        "other factor also contains `w`.",
        "b alone": "This is only the contribution through `b`: `w + 1` grows by {nudge}, and `a = {da}`. But the "
        "other factor also contains `w`.",
        "slope": "This is the derivative (the slope): multiply it by the nudge, which is {nudge}, to get the change "
        "in `y`.",
        "quotient": "This is the change divided by the nudge. The question asks for the change itself.",
        "places": "The digits are right, but the decimal point is one place off. The nudge is {nudge}.",
        "sign": "The size is right, but the sign is wrong. When `w` grows, does `y` grow or shrink?",
        "old y": "This is the value of `y` before the nudge. The question asks how much `y` changes.",
        "new y": "This is the new value of `y`. The question asks for the change: subtract the old value.",
        "nudge": "This is only the change in `w`. By which number is the growth of each factor multiplied?",
        "unit": "This would be the change for a nudge of 1, to `w = {next}`. But the nudge is only {nudge}.",
        "product": "This is `a × b × {nudge}`. Multiply the growth of each factor by the other factor, and then add "
        "the two products.",
        "press": "Now press “Run the nudge”. How much of the change comes through `a`, and how much through `b`?",
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
        "set": "Turn your needle until it fits the curve. Then compare it with the slope that backward claims.",
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
        "belief": "`detach` keeps the values and cuts off their graph. The curve is computed from the values.",
        "because": "The values stay the same, so the curve stays the same. The graph ends at ✂, so the backward pass "
        "stops there. Now place ✂ yourself.",
        "tooltip": "Cut between piece {} and piece {}",
        "reset": "h = None at each ✂",
        "scale": "recurrent ×",
        "arrives": "The gradient is {last} at the last time step and {first} at the first.",
        "vanishes": "On its way back, the gradient vanishes.",
        "explodes": "On its way back, the gradient explodes.",
        "once": "backward once, from the last piece",
        "each": "backward and optimizer.step() after each piece",
        "retain": "the same with retain_graph=True",
        "retain question": "Without ✂, the error advises `retain_graph=True`, which keeps the saved values. Does the"
        " training then continue?",
        "works": "it works",
        "slow": "slow, but it works",
        "error": "another error",
        "belief works": "The saved values are kept. But the second backward pass also goes through the first piece, "
        "and `optimizer.step()` has changed the weights that were saved there. The error is shown below.",
        "belief slow": "Each backward pass would go back to the beginning, which would be slow. But "
        "`optimizer.step()` has changed the weights that were saved there. The error is shown below.",
        "retain masked": "Answer the question first. Then the training runs.",
        "take away": "Each ✂ cuts the graph, so no backward pass reaches an earlier piece. Remove every ✂ to see what "
        "`retain_graph=True` does without ✂.",
        "uncut": "There is no ✂ between pieces {} and {}, so this backward pass also goes through piece {}, where "
        "`optimizer.step()` has changed the weights.",
        "reset nowhere": "There is no ✂ yet, so no line `h = None` runs.",
        "reset here": "At each ✂, `h = None` also deletes the values.",
        "faint": "less than 1e−6",
        "retain because": "The second backward pass also goes through the first piece, and `optimizer.step()` has "
        "changed the weights that were saved there. Each tensor counts its in-place changes, and the backward pass "
        "compares this version with the saved one.",
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
        "beside": "Some paths do not go through the row of states. The picture does not show these paths.",
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
        "weights alone": "This would be about right if each time step multiplied the gradient only by the weights. "
        "Which other factor does a time step contribute?",
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
        "says 1": "Line 1 makes the tensor <code>w</code>, shown as a tag on its storage. The counter counts in-place "
        "changes.",
        "says 2": "In line 2, × saves <code>w</code> for the backward pass and notes the value of its counter.",
        "says 3": "Line 3 makes <code>t</code>. Compare its storage and its counter with those of <code>w</code>.",
        "says 4": "Line 4 changes <code>t</code> in place. Which values and which counters have changed?",
        "says 5": "Line 5 runs the backward pass.",
        "should": "w.grad = {}, should be {}",
        "question": "After `y = w * w`, the program runs `{}` and `{}`. What is the result of `y.backward()`?",
        "belief shared": "`t` and `w` share one storage, so the backward pass would read 4. But the derivative of w · "
        "w at 3 needs the value 3.",
        "belief version": "The saved value has changed, but the counter has also changed. Compare it with the value "
        "that × noted.",
        "belief unnoticed": "The backward pass compares the counter of `w` with the value that × noted. Do the two "
        "differ?",
        "belief box": "Compare the storages of `w` and `t`. Did line 4 change the value that × saved?",
        "because detach": "`t` shares the storage and the counter of `w`. × noted 0, but the counter is now 1, so the "
        "backward pass stops with an error.",
        "because data": "`.data` shares the storage, but it has its own counter. The counter of `w` is still 0, so "
        "the backward pass does not detect the change.",
        "because view": "A view shares the storage and the counter. × noted 0, but the counter is now 1, so the "
        "backward pass stops with an error.",
        "because clone": "A clone has its own storage. `w` still contains the value 3 that × saved.",
        "because numpy": "The array shares the storage, but NumPy does not count changes. The counter of `w` is still "
        "0, so the backward pass does not detect the change.",
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
        "same": "Python runs its loop again, with T iterations. How many operators does each iteration add to the "
        "dynamic graph?",
        "grown": "The dynamic graph grows in this way. But how many times was the static graph built?",
        "ran": "This is how many times each operator of the static graph runs. But how many operators does this graph "
        "contain?",
        "press": "The static graph was built once, and its loop runs T iterations. Now change T, and watch both "
        "graphs.",
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
        "ask amount": "`y.backward()` starts with the gradient 1 at y. Which contribution reaches w through {through}?",
        "ask later": "× has also sent a gradient to {through}. Which contribution reaches w through {through}?",
        "ask one": "`y.backward()` starts with the gradient 1 at y. Which gradient reaches w?",
        "itself": "{said} is {name} itself. The question is how much y grows when {name} grows by 1, and y = a · b.",
        "both": "{said} is the sum of both contributions. The question asks only for the contribution through "
        "{through}.",
        "one": "1 is the derivative of +. Multiply it by the gradient that arrives at {through}. How large is this "
        "gradient?",
        "one y": "{said} is {name} itself. The backward pass starts with the gradient 1 at y. What is the derivative "
        "of +?",
        "zero": "0 would mean that y does not change when {through} changes. Is this the case?",
        "result": "{said} is y itself. The question is how much y grows when {through} grows by 1.",
        "leaf": "{said} is {name} itself. The question is how much y grows when {through} grows by 1.",
        "another": "The question is how much y grows when {through} grows by 1, and y = a · b.",
        "another one": "The backward pass starts with the gradient 1 at y. What is the derivative of +?",
        "because amount": "× sends the other factor back to {through}, and + passes this gradient on to w unchanged.",
        "because one": "+ passes the gradient 1 on unchanged. It is the only contribution, so it is written to "
        "`.grad`.",
        "because last": "× sends the other factor back to {through}. Now both contributions have arrived, and their "
        "sum {sum} is written to `.grad`, once.",
        "ask now": "The contribution {amount} has arrived at w, and another one is still missing. What does `w.grad` "
        "contain at this moment?",
        "now amount": "{said} has arrived and is in the book. Is the sum in the book complete?",
        "now sum": "This sum includes the contribution that has not arrived yet. Look at the book.",
        "now zero": "If `w.grad` were 0, a number would have been written to it. But nothing has been written yet.",
        "because now": "The first contribution stays in the book. `.grad` is written only once, when the sum is "
        "complete.",
        "ask again": "`w.grad` contains {held}. Now `{call}` runs through the same graph again. Does it raise an "
        "error, or which number does `w.grad` then contain?",
        "again full": "This would need a complete backward pass. But × needs its saved values. Is the drawer under × "
        "full?",
        "again late": "`retain_graph=True` keeps the saved values that are in a drawer. Is the drawer under × full?",
        "again adds": "`w.grad` now contains {held}. How much does one backward pass add to it? Look at the book.",
        "again kept": "It is true that `w.grad` stays at {said}. But why does nothing arrive? Look at the drawer "
        "under ×, and type what the call does.",
        "again which": "Type the number that `w.grad` contains after this call.",
        "again error": "× needs a and b for its derivatives. Look at the drawer under ×. Does it still contain these "
        "values?",
        "again needs": "The backward pass raises an error only if saved values are missing. But + saves nothing, so "
        "it has no drawer.",
        "again replaced": "{said} is the gradient of one backward pass. But `w.grad` already contains a number, and "
        "the pass adds to it.",
        "again same": "This is the number that `w.grad` contains now. The backward pass adds {sum} to it.",
        "again emptied": "`w.grad` is None now, so there is nothing to add to.",
        "because error": "× needs its saved values, but its drawer is empty. The backward pass stops there with an "
        "error, and `w.grad` does not change.",
        "because retained": "`retain_graph=True` kept the saved values in the drawer, so the second backward pass can "
        "run. It adds its gradient.",
        "because added": "The graph still exists, and + needs no saved values. The backward pass adds its gradient.",
        "because emptied": "`w.grad` was None, so it now contains only the gradient of this pass.",
        "alt": "{code} at w = {w}, x = {x}.",
        "alt one": "{code} at w = {w}.",
        "alt came": "Pass {number}: {amounts}.",
        "alt through": "{amount} {came}",
        "alt sum": "Pass {number}: {amounts}, together {sum}.",
        "alt waits": "The next contribution is hidden until you predict it; w.grad contains {held}.",
        "alt hidden": "The gradient that pass {number} brings to w is hidden until you predict it; w.grad contains "
        "{held}.",
        "alt stopped": "Pass {number} stopped at × because its drawer is empty, so nothing has arrived.",
        "alt held": "w.grad holds {held}.",
        "alt freed": "The drawer under × is empty.",
        "alt full": "The drawer under × is full.",
        "and": ", then ",
    }
)
