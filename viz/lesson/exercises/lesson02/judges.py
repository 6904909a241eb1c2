"""What the pages of lesson 2 can't contain: points to try, ways of running, checks."""


def two_accounts(given, torch, w, x):
    return dict(zip(("w_grad", "x_grad"), given(w, x), strict=True))


def arrived(given, torch, w, x):
    """What is returned, and what `w.grad` and `x.grad` hold afterwards."""
    returned = given(w, x)
    return None if returned is None else {"returned": returned, "w": w.grad, "x": x.grad}
