"""Index expressions of every kind, drawn at random, and what each does: looking up, writing, adding, and the gradients.

`draw` makes the text of an index into a tensor of some size, mostly one that fits; `outcome` runs it in one of the
WAYS. Read next: test_index_rules.py, which holds them to PyTorch; goldens/record_indices.py, which records a few.
"""

import warnings

import numpy as np

SIZES = ((), (3,), (2, 3), (2, 3, 4), (2, 1, 3, 2), (0, 2))


def draw(random):
    """The text of an index, and the size of the tensor that it goes into."""
    size = random.choice(SIZES[1:] if random.random() < 0.95 else SIZES)
    axes, items, length = list(size), [], None
    while axes and random.random() < 0.8 or not items and random.random() < 0.95:
        items.append(draw_item(random, axes, length))
    if random.random() < 0.3:
        items.insert(random.randrange(len(items) + 1), "...")
    if len(items) == 1 and random.random() < 0.7:
        return size, items[0]
    return size, "(" + "".join(item + ", " for item in items).rstrip() + ")"


def draw_item(random, axes, length):
    """One item; it takes away the axes that it speaks of."""
    kind = random.choice(
        "int int slice slice none bool list list tensor tensor mask 0-d numpy range nested odd".split()
    )
    if kind == "none":
        return "None"
    if kind == "bool":
        return random.choice(["True", "False", "True", "t.tensor(True)", "t.tensor(False)"])
    n = axes.pop(0) if axes else 2
    reach = n if random.random() < 0.97 else n + 1
    place = lambda: random.randrange(-reach, reach) if reach else 0  # noqa: E731
    if kind == "int":
        return random.choice(["{}", "{}", "np.int64({})"]).format(place())
    if kind == "0-d":
        return random.choice(["t.tensor({})", "t.tensor({}, dtype=t.int32)", "np.array({})"]).format(place())
    if kind == "slice":
        ends = [random.choice(["", str(place())]) for _ in "ab"]
        return ":".join([*ends, *random.choice([[], [], ["2"], ["1"], ["3"]])]).join(["slice_[", "]"])
    if kind == "range":
        return f"range({min(n, 2)})"
    if kind == "odd":
        return random.choice(
            ["1.5", "'a'", "t.tensor([0.5])", "[0.0]", "[]", "np.zeros(0, dtype=int)", "{}", "[[0], [1, 0]]"]
        )
    if kind == "mask":
        deep = bool(axes) and random.random() < 0.4
        m = axes.pop(0) if deep else None
        n += random.random() < 0.04
        row = lambda k: [random.random() < 0.6 for _ in range(k)]  # noqa: E731
        mask = [row(m) for _ in range(n)] if deep else row(n)
        if deep or not n or not random.randrange(2):
            return f"t.tensor({mask}, dtype=t.bool).reshape({[n, m] if deep else [n]})"
        return random.choice(["{}", "np.array({})", "t.tensor({}, dtype=t.uint8)"]).format(mask)
    count = random.choice([2, 2, 2, 1, 3])
    places = [place() for _ in range(count)]
    if kind == "nested":
        places = [places, [place() for _ in range(count)]]
    if kind == "tensor":
        return f"t.tensor({places}{random.choice(['', '', ', dtype=t.int32', ', dtype=t.int16'])})"
    if kind == "numpy":
        return f"np.array({places})"
    return f"tuple({places})" if random.random() < 0.1 else str(places)


class Slices:
    def __getitem__(self, item):
        return item


def get(t, y, index, v):
    return y[index]


def set_number(t, y, index, v):
    y[index] = 7


def set_tensor(t, y, index, v):
    y[index] = v


def add(t, y, index, v):
    y[index] += v


def add_through_view(t, y, index, v):
    y[...][index].mul_(v)


def put(t, y, index, v):
    index = index if isinstance(index, tuple) and index else (index,)  # PyTorch itself breaks off at ()
    index = tuple(t.tensor(i) if isinstance(i, list) else i for i in index)
    y.index_put_(index, v.reshape(-1)[:1].reshape(()), accumulate=True)


WAYS = {way.__name__: way for way in (get, set_number, set_tensor, add, add_through_view, put)}
PARTS = {  # what of the size that fits is broadcast
    "fits": lambda size: size,
    "number": lambda size: (),
    "ones": lambda size: tuple(1 for _ in size),
    "one": lambda size: (1, *size[1:]),
    "last": lambda size: size[1:],
    "longer": lambda size: (1, 1, *size),
    "wrong": lambda size: (*size, 5),
}


def outcome(t, way, part, size, text):
    """What `text` as an index into a tensor of this size gives, in one line; or the error."""
    w = t.arange(1.0, 1.0 + int(np.prod(size)), dtype=t.float64).reshape(size).requires_grad_()
    y = w * w
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            index = eval(text, {"t": t, "np": np, "slice_": Slices()})
            fits = tuple(y.detach()[index].shape) if way != "get" else ()
            v = t.arange(2.0, 2.0 + int(np.prod(PARTS[part](fits))), dtype=t.float64)
            v = v.reshape(PARTS[part](fits)).requires_grad_()
            z = WAYS[way](t, y, index, v)
            z = y if z is None else z
            seen = [z.tolist(), list(z.shape), z._is_view(), names(z)]
            weights = t.arange(1.0, 1.0 + z.numel(), dtype=t.float64).reshape(z.shape)
            first = t.autograd.grad((z * z * weights).sum(), [w, v], create_graph=True, allow_unused=True)
            seen += [g if g is None else g.tolist() for g in first]
            if any(g is not None and g.requires_grad for g in first):
                total = sum(((g * g).sum() for g in first if g is not None), t.zeros((), dtype=t.float64))
                seen += [t.autograd.grad(total, w, allow_unused=True)[0]]
                seen[-1] = seen[-1] if seen[-1] is None else seen[-1].tolist()
        except Exception as error:
            seen = [type(error).__name__, str(error).partition("\n")[0]]
    seen += sorted({str(each.message).partition(" (Triggered")[0] for each in said if each.category is UserWarning})
    return " ".join(map(str, seen))


def names(z):
    """The nodes on the way back to the first multiplication."""
    node, out = z.grad_fn, []
    while node is not None and node.name() != "MulBackward0" and len(out) < 9:
        out.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return out
