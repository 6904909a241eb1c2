"""Einstein summation: `einsum("ij,jk->ik", a, b)` is Σ_j a_ij · b_jk, the same as `a @ b`.

Every operand gets one axis for each letter, of length 1 if it has no such letter. Then two operands at a time are
multiplied and summed by one batched matrix product. So the graph consists of permute, bmm and view, and einsum needs no
derivative of its own. Imports arguments; the rest is methods of tensors. Read next: linalg.py.
"""

import math

from ..._call.arguments import all_tensors, no_tensor


def einsum(equation, *operands):
    """Multiply the operands and sum over every letter that is not after the arrow.

    Without an arrow, letters that occur once are kept, in alphabetical order. `...` stands for axes without a
    letter, which broadcast. Raises RuntimeError if letters and axes don't agree.

    >>> m = torch.arange(4.0).view(2, 2)
    >>> torch.einsum("ii", m), torch.einsum("ij->j", m)
    (tensor(3.), tensor([2., 4.]))
    """
    if len(operands) == 1 and isinstance(operands[0], list | tuple):
        operands = tuple(operands[0])
    if not isinstance(equation, str):
        raise no_tensor("einsum", "equation", 1, equation, "str")
    operands = all_tensors(operands, 1)
    terms, output = _parse(equation, operands)
    _check_sizes(terms, operands)
    order = output + "".join(sorted(set("".join(terms)) - set(output)))
    last = {label: i for i, term in enumerate(terms) for label in term}  # a letter can be summed at its last operand
    summed = [[d for d, label in enumerate(order) if d >= len(output) and last[label] == i] for i in range(len(terms))]
    first, *others = (_align(operand, term, order) for operand, term in zip(operands, terms, strict=True))
    if not others:
        return first.sum(summed[0]) if summed[0] else first
    result = first.sum(summed[0], keepdim=True) if summed[0] else first
    for operand, dims in zip(others, summed[1:], strict=True):
        result = _product(result, operand, dims)
    return result.view(result.size()[: len(output)]) if any(summed) else result


def _parse(equation, operands):
    """The letters of each operand's axes and of the result's; for axes under dots, chr(i) for the i-th from the end."""
    left, arrow, output = equation.replace(" ", "").partition("->")
    texts = left.split(",")
    if len(texts) != len(operands):
        what = "fewer" if len(operands) < len(texts) else "more"
        raise RuntimeError(f"einsum(): {what} operands were provided than specified in the equation")
    terms, dots = [], ""
    for i, (text, operand) in enumerate(zip(texts, operands, strict=True)):
        letters, ndim = text.replace("...", ""), operand._data.ndim
        dotted, spare = letters != text, ndim - len(letters)
        if spare < 0 or (spare and not dotted):
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({len(letters)}) "
                f"{'is more than' if dotted else 'does not match'} the number of dimensions ({ndim}) for operand {i}"
                f"{'' if dotted else ' and no ellipsis was given'}"
            )
        here = "".join(map(chr, range(spare, 0, -1)))
        terms.append(text.replace("...", here))
        dots = max(dots, here, key=len)
    every = "".join(terms)
    if not arrow:
        output = "..." + "".join(sorted(label for label in set(every) - set(dots) if every.count(label) == 1))
    output = output.replace("...", dots)
    for label in output:
        if output.count(label) > 1:
            raise RuntimeError(f"einsum(): output subscript {label} appears more than once in the output")
        if label not in every:
            raise RuntimeError(
                f"einsum(): output subscript {label} does not appear in the equation for any input operand"
            )
    return terms, output


def _check_sizes(terms, operands):
    """Raise unless a letter means the same length everywhere; 1 broadcasts."""
    seen: dict[str, int] = {}
    for i, (term, operand) in enumerate(zip(terms, operands, strict=True)):
        here: dict[str, int] = {}
        for label, n in zip(term, operand._data.shape, strict=True):
            if here.setdefault(label, n) != n:
                raise RuntimeError(
                    f"einsum(): subscript {label} is repeated for operand {i} but the sizes don't match, {n} != "
                    f"{here[label]}"
                )
            if n != 1 and seen.setdefault(label, n) != n:
                raise RuntimeError(
                    f"einsum(): subscript {label} has size {n} for operand {i} which does not broadcast with "
                    f"previously seen size {seen[label]}"
                )


def _align(operand, term, order):
    """The operand with an axis for each label of `order`; for a label that occurs twice in it, the diagonal."""
    letters = ""
    for label in term:
        if label in letters:
            place = letters.index(label)
            operand = operand.diagonal(0, place, len(letters)).movedim(-1, place)
        else:
            letters += label
    for label in order:
        if label not in letters:
            operand, letters = operand.unsqueeze(-1), letters + label
    return operand.permute([letters.index(label) for label in order])


def _product(a, b, dims):
    """Σ a · b over `dims`, which stay with length 1."""
    if not dims:
        return a * b
    in_a, in_b = ({d for d, n in enumerate(x.shape) if n != 1} for x in (a, b))
    only_a, only_b = ([d for d in dims if d in mine - yours] for mine, yours in ((in_a, in_b), (in_b, in_a)))
    a, b = a.sum(only_a, keepdim=True) if only_a else a, b.sum(only_b, keepdim=True) if only_b else b
    kept = [d for d in range(a.dim()) if d not in dims]
    both = [d for d in kept if d in in_a & in_b]
    left = [d for d in kept if d not in in_b]
    right = [d for d in kept if d in in_b - in_a]
    sizes = [m if n == 1 else n for n, m in zip(a.shape, b.shape, strict=True)]
    stacks, rows, columns, inner = (math.prod(sizes[d] for d in group) for group in (both, left, right, dims))
    rows_of_a = a.permute(both + left + dims + right).reshape(stacks, rows, inner)
    columns_of_b = b.permute(both + dims + right + left).reshape(stacks, inner, columns)
    order = both + left + right + dims
    product = rows_of_a.bmm(columns_of_b).view([1 if d in dims else sizes[d] for d in order])
    return product.permute([order.index(d) for d in range(len(order))])
