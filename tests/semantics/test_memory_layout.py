"""How results lie in memory: row after row where PyTorch sums, joins and looks up; as the input lies elsewhere.

So `.view(-1)` works on them, or is refused, as in PyTorch. An axis of length 1 has any stride, and none is compared.
"""

import importlib

import pytest

INPUTS = {
    "turned": lambda base: base.transpose(0, 2),
    "every second": lambda base: base[:, :, ::2],
    "spread": lambda base: base[0].expand(2, 3, 4),
}
STRIDES = """
x.sum(0) -> (2,1) (2,1) (4,1)
x.sum(1) -> (2,1) (2,1) (4,1)
x.sum(2) -> (3,1) (3,1) (3,1)
x.sum((0, 1)) -> (1,) (1,) (1,)
x.sum(1, keepdim=True) -> (2,1) (2,1) (4,1)
x.mean(1) -> (2,1) (2,1) (4,1)
x.prod(1) -> (2,1) (2,1) (4,1)
x.max(1)[0] -> (2,1) (2,1) (4,1)
x.max(1)[1] -> (2,1) (2,1) (4,1)
x.amax(1) -> (2,1) (2,1) (4,1)
x.var(1) -> (2,1) (2,1) (4,1)
x.std((0, 2)) -> (1,) (1,) (1,)
x.norm(dim=1) -> (2,1) (2,1) (4,1)
x.logsumexp(1) -> (2,1) (2,1) (4,1)
x.softmax(1) -> (6,2,1) (6,2,1) (12,4,1)
x.log_softmax(0) -> (6,2,1) (6,2,1) (12,4,1)
x.cumsum(1) -> (6,2,1) (6,2,1) (12,4,1)
x.argmax(1) -> (2,1) (2,1) (4,1)
x.any(1) -> (2,1) (2,1) (4,1)
x.all(0) -> (2,1) (2,1) (4,1)
x.topk(2, 1)[0] -> (4,2,1) (4,2,1) (8,4,1)
x.topk(1, 0)[1] -> (2,1) (2,1) (4,1)
torch.cat([x, x], 1) -> (12,2,1) (12,2,1) (24,4,1)
torch.stack([x, x], 1) -> (12,6,2,1) (12,6,2,1) (24,12,4,1)
x.clone() -> (1,4,12) (6,2,1) (12,4,1)
x.double() -> (1,4,12) (6,2,1) (12,4,1)
x.bool() -> (1,4,12) (6,2,1) (12,4,1)
x.flip(0) -> (1,4,12) (6,2,1) (12,4,1)
x.roll(1, 1) -> (6,2,1) (6,2,1) (12,4,1)
x.tril() -> (6,2,1) (6,2,1) (12,4,1)
x.repeat(1, 2, 1) -> (12,2,1) (12,2,1) (24,4,1)
x.index_select(1, torch.tensor([0, 1])) -> (4,2,1) (4,2,1) (8,4,1)
x.gather(1, torch.zeros(x.shape, dtype=torch.int64)) -> (6,2,1) (6,2,1) (12,4,1)
x.scatter_add(1, torch.zeros(x.shape, dtype=torch.int64), x) -> (6,2,1) (6,2,1) (12,4,1)
x.index_add(1, torch.tensor([0]), x[:, :1]) -> (6,2,1) (6,2,1) (12,4,1)
x[0, :, [0, 1]] -> (2,1) (2,1) (2,1)
x[:, [0, 1], [0, 1]] -> (2,1) (2,1) (2,1)
x[x>1] -> (1,) (1,) (1,)
x.masked_fill(x>1, 0) -> (6,2,1) (6,2,1) (12,4,1)
torch.where(x>1, x, 0.) -> (1,4,12) (6,2,1) (12,4,1)
x*2 -> (1,4,12) (6,2,1) (12,4,1)
x+x -> (1,4,12) (6,2,1) (12,4,1)
x.exp() -> (1,4,12) (6,2,1) (12,4,1)
-x -> (1,4,12) (6,2,1) (12,4,1)
x>1 -> (1,4,12) (6,2,1) (12,4,1)
x.relu() -> (1,4,12) (6,2,1) (12,4,1)
x.clamp(0, 1) -> (1,4,12) (6,2,1) (12,4,1)
torch.zeros_like(x) -> (1,4,12) (6,2,1) (12,4,1)
torch.ones_like(x) -> (1,4,12) (6,2,1) (12,4,1)
torch.full_like(x, 2) -> (1,4,12) (6,2,1) (12,4,1)
x.to(torch.int64) -> (1,4,12) (6,2,1) (12,4,1)
x@torch.ones(x.shape[2], 2) -> (6,2,1) (6,2,1) (6,2,1)
x@torch.ones(x.shape[0], x.shape[2], 2) -> (6,2,1) (6,2,1) (6,2,1)
x.contiguous() -> (6,2,1) (6,2,1) (12,4,1)
x.reshape(-1) -> (1,) (2,) (1,)
x.round() -> (1,4,12) (6,2,1) (12,4,1)
x.abs() -> (1,4,12) (6,2,1) (12,4,1)
x**2 -> (1,4,12) (6,2,1) (12,4,1)
F.gelu(x) -> (1,4,12) (6,2,1) (12,4,1)
F.softplus(x) -> (1,4,12) (6,2,1) (12,4,1)
F.silu(x) -> (1,4,12) (6,2,1) (12,4,1)
F.mse_loss(x, x*2, reduction='none') -> (1,4,12) (6,2,1) (12,4,1)
F.l1_loss(x, x*2, reduction='none') -> (1,4,12) (6,2,1) (12,4,1)
F.layer_norm(x, [x.shape[2]]) -> (6,2,1) (6,2,1) (12,4,1)
F.pad(x, (1, 1)) -> (12,4,1) (12,4,1) (18,6,1)
x//2 -> (1,4,12) (6,2,1) (12,4,1)
x%2 -> (1,4,12) (6,2,1) (12,4,1)
torch.maximum(x, x) -> (1,4,12) (6,2,1) (12,4,1)
x.masked_select(x>1) -> (1,) (1,) (1,)
x.diagonal().clone() -> (3,1) (1,2) (1,4)
x.new_zeros(x.shape) -> (6,2,1) (6,2,1) (12,4,1)
"""
ROWS = [line.split(" -> ") for line in STRIDES.strip().splitlines()]


@pytest.mark.parametrize(("expression", "right"), ROWS, ids=[expression for expression, _ in ROWS])
def test_how_a_result_lies_in_memory(torch, expression, right):
    space = {"torch": torch, "F": importlib.import_module(torch.__name__ + ".nn.functional")}
    base, found = torch.arange(24.0).reshape(2, 3, 4) / 7, []
    for make in INPUTS.values():
        out = eval(expression, {**space, "x": make(base)})
        found.append(tuple(step for n, step in zip(out.shape, out.stride(), strict=True) if n > 1))
    assert " ".join(str(strides).replace(" ", "") for strides in found) == right


@pytest.mark.parametrize("index", [[0, 1], [1, 1, 0]])
def test_what_was_looked_up_can_be_viewed_anew(torch, index):
    assert torch.arange(6.0).reshape(2, 3)[:, index].view(-1).shape == (2 * len(index),)
