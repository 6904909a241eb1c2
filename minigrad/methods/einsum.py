"""Einstein's sums: `einsum("ij,jk->ik", a, b)` is Σ_j a_ij · b_jk, and so `a @ b`.

Every operand is laid out with one axis for each letter, of length 1 where it has none; then two at a time are
multiplied and summed by one product of stacks of matrices. So the graph is made of permute, bmm and view, and
needs no slope of its own. Imports the methods. Read next: methods/linalg.py.
"""

from __future__ import annotations

import math
from typing import Any

DOTS = "..."


def einsum(equation: str, *operands: Any) -> Any:
    """Multiply the operands and sum over every letter that is not behind the arrow.

    Without an arrow, the letters that occur once are kept, in the alphabet's order. `...` stands for axes
    that need no letter and broadcast. Raises RuntimeError where letters and axes don't agree.

    >>> from minigrad import arange
    >>> m = arange(4.0).view(2, 2)
    >>> einsum("ii", m), einsum("ij->j", m)
    (tensor(3.), tensor([2., 4.]))
    """
    if len(operands) == 1 and isinstance(operands[0], list | tuple):
        operands = tuple(operands[0])
    if not operands:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its "
            "subscripts list"
        )
    terms, output = _parse(equation, operands)
    order = output + sorted({label for term in terms for label in term} - set(output))
    _check_sizes(terms, operands)
    aligned = [_align(operand, term, order) for operand, term in zip(operands, terms, strict=True)]
    last = {label: i for i, term in enumerate(terms) for label in term}  # who has it last
    summed = range(len(output), len(order))
    result = aligned[0]
    if len(aligned) == 1:
        return result.sum(tuple(summed)) if summed else result
    first = tuple(d for d in summed if last[order[d]] == 0)
    result = result.sum(first, keepdim=True) if first else result
    for i, operand in enumerate(aligned[1:], 1):
        result = _product(result, operand, [d for d in summed if last[order[d]] == i])
    return result.view(result.size()[: len(output)]) if summed else result


def _parse(equation: str, operands: tuple[Any, ...]) -> tuple[list[list[str]], list[str]]:
    """The labels of each operand's axes, and of the result's; the axes under the dots are "...1", "...0"."""
    inputs, arrow, right = equation.replace(" ", "").partition("->")
    texts = inputs.split(",")
    if len(texts) != len(operands):
        what = "fewer" if len(operands) < len(texts) else "more"
        raise RuntimeError(f"einsum(): {what} operands were provided than specified in the equation")
    terms = [
        _labels(text, operand._data.ndim, i) for i, (text, operand) in enumerate(zip(texts, operands, strict=True))
    ]
    dotted = sorted({label for term in terms for label in term if label.startswith(DOTS)}, reverse=True)
    if not arrow:
        every = [label for term in terms for label in term]
        return terms, dotted + sorted(label for label in set(every) if label not in dotted and every.count(label) == 1)
    output = _labels(right, len(right.replace(DOTS, "")) + (len(dotted) if DOTS in right else 0), None)
    for label in output:
        if output.count(label) > 1:
            raise RuntimeError(f"einsum(): output subscript {label} appears more than once in the output")
        if not any(label in term for term in terms):
            raise RuntimeError(
                f"einsum(): output subscript {label} does not appear in the equation for any input operand"
            )
    return terms, output


def _labels(text: str, ndim: int, operand: int | None) -> list[str]:
    """One label an axis."""
    before, dots, after = text.partition(DOTS)
    letters = before + after
    for i, letter in enumerate(letters):
        if not (letter.isascii() and letter.isalpha()):
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {i} in the equation string, subscripts must be in [a-zA-Z]"
            )
    if len(letters) > ndim or (not dots and len(letters) != ndim):
        raise RuntimeError(
            f"einsum(): the number of subscripts in the equation ({len(letters)}) "
            f"{'is more than' if dots else 'does not match'} the number of dimensions ({ndim}) for operand {operand}"
            f"{'' if dots else ' and no ellipsis was given'}"
        )
    return [*before, *(f"{DOTS}{i}" for i in reversed(range(ndim - len(letters)))), *after]


def _check_sizes(terms: list[list[str]], operands: tuple[Any, ...]) -> None:
    """A letter means one length, wherever it stands."""
    seen: dict[str, int] = {}
    for i, (term, operand) in enumerate(zip(terms, operands, strict=True)):
        here: dict[str, int] = {}
        for label, n in zip(term, operand._data.shape, strict=True):
            if here.setdefault(label, n) != n:
                raise RuntimeError(
                    f"einsum(): subscript {label} is repeated for operand {i} but the sizes don't match, {n} != "
                    f"{here[label]}"
                )
            if 1 not in (n, seen.get(label, n)) and seen.get(label, n) != n:
                raise RuntimeError(
                    f"einsum(): subscript {label} has size {n} for operand {i} which does not broadcast with "
                    f"previously seen size {seen[label]}"
                )
            seen[label] = max(n, seen.get(label, n))


def _align(operand: Any, term: list[str], order: list[str]) -> Any:
    """The operand with an axis for each label of `order`; of a label that it has twice, the diagonal."""
    for label in sorted(set(term)):
        while term.count(label) > 1:
            a = term.index(label)
            b = term.index(label, a + 1)
            operand = operand.diagonal(0, a, b)  # which becomes the last axis
            term = [each for d, each in enumerate(term) if d not in (a, b)] + [label]
    operand = operand.permute([term.index(label) for label in order if label in term])
    for d, label in enumerate(order):
        if label not in term:
            operand = operand.unsqueeze(d)
    return operand


def _product(a: Any, b: Any, dims: list[int]) -> Any:
    """Σ a · b over `dims`, which stay with length 1."""
    if not dims:
        return a * b
    in_a, in_b = ({d for d, n in enumerate(t._data.shape) if n != 1} for t in (a, b))
    alone = [d for d in dims if d in in_a - in_b]
    a = a.sum(alone, keepdim=True) if alone else a
    alone = [d for d in dims if d in in_b - in_a]
    b = b.sum(alone, keepdim=True) if alone else b
    kept = [d for d in range(a._data.ndim) if d not in dims]
    both = [d for d in kept if d in in_a and d in in_b]
    left = [d for d in kept if d not in in_b]
    right = [d for d in kept if d in in_b and d not in in_a]
    sizes = [max(n, m) if 0 not in (n, m) else 0 for n, m in zip(a._data.shape, b._data.shape, strict=True)]
    stacks, rows, columns, inner = (math.prod(sizes[d] for d in group) for group in (both, left, right, dims))
    rows_of_a = a.permute(both + left + dims + right).reshape(stacks, rows, inner)
    columns_of_b = b.permute(both + dims + right + left).reshape(stacks, inner, columns)
    order = both + left + right + dims
    product = rows_of_a.bmm(columns_of_b).view([1 if d in dims else sizes[d] for d in order])
    return product.permute([order.index(d) for d in range(len(order))])
