"""Lesson 5: replies that need more than the result: the attribute that is read or set, a comparison, the library."""

import numpy as np
import pytest

import minigrad as torch
import viz


def by_hand(h_line, w1_line="w1_grad = x.T @ h_grad"):
    code = f"""def gradients(x, y, w1, w2):
    h = x @ w1
    relu = np.maximum(h, 0)
    pred_grad = 2 * (relu @ w2 - y)
    w2_grad = relu.T @ pred_grad
    relu_grad = pred_grad @ w2.T
    {h_line}
    {w1_line}
    return w1_grad, w2_grad
"""
    return said("two_layers_by_hand", code, "gradients")


def step(*lines):
    lines = "\n".join(f"        {line}" for line in lines)
    head = "def descend(w, loss_of, lr, steps):\n    for _ in range(steps):\n"
    code = f"{head}        loss = loss_of(w)\n        loss.backward()\n{lines}\n    return w\n"
    return said("update_step", code, "descend")


def said(exercise, code, name):
    names = {"np": np, "torch": torch}
    exec(code, names)
    return str(viz.exercise(exercise).check(names[name]))


def test_a_cleared_gradient_and_the_gradient_of_the_loss_are_told_apart():
    cleared = step("w.grad = None", "with torch.no_grad():", "    w -= lr * w.grad")
    assert "between `loss.backward()` and the line that clears it" in cleared and "loss.grad" not in cleared
    other = step("with torch.no_grad():", "    w -= lr * loss.grad", "w.grad = None")
    assert "`loss.grad` is None" in other and "may be cleared" not in other


def test_a_right_line_is_not_called_wrong():
    right = by_hand("h_grad = relu_grad * (h > 0)", "w1_grad = x.T @ relu_grad")
    assert "but the second factor of this product must be 0" in right and "lacks" not in right
    assert "the derivative of ReLU is missing" in by_hand("h_grad = relu_grad")


@pytest.mark.parametrize("line", ["h_grad = h.grad", "h_grad = relu_grad * torch.relu(h)", "h_grad = torch.sin(h)"])
def test_an_exercise_in_numpy_does_not_ask_for_torch_and_shows_no_line_of_ours(line):
    told = by_hand(line)
    assert "NumPy returns an array" not in told and "another cell" not in told
    assert "`x = [[" in told and "`w2 = [[" in told
