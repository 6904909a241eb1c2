"""What the pages of lesson 2 can't contain: points to try, ways of running, checks."""


def two_accounts(given, torch, w, x):
    return dict(zip(("w_grad", "x_grad"), given(w, x), strict=True))
