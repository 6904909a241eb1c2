"""Lesson 2, what backward does: a backward pass put in order, an account book as code, two losses that share a part,
and a weight that descends by hand.
"""


def two_accounts(given, torch, w, x):
    return dict(zip(("w_grad", "x_grad"), given(w, x), strict=True))
