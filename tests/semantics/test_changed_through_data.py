"""`.data` changes an input between forward and backward, and no version counter notices.

Which gradient comes then depends on what the node has saved: the inputs are the changed ones, and what forward computed
from them is as it was. So these tests tell whether a node keeps what PyTorch's keeps.
"""

import pytest
from saying import says


def gradients(torch, call, *inputs):
    """The gradients of the sum of `call(*inputs)`, after all inputs were doubled through `.data`."""
    xs = [torch.tensor(x, requires_grad=True) for x in inputs]
    y = call(*xs)
    for x in xs:
        x.data.mul_(2)
    y.sum().backward()
    return [x.grad for x in xs]


def test_logsigmoid_keeps_an_exponential(torch):
    (grad,) = gradients(torch, torch.nn.functional.logsigmoid, [1.0, -1.0])
    assert grad.allclose(torch.tensor([0.2689414, 0.7310586]))


@pytest.mark.parametrize(
    ("p", "first"),
    [(1.0, [1.0, 1.0]), (2.0, [1.2, 1.6]), (3.0, [1.7794054, 3.1633873]), (float("inf"), [0.0, 0.0])],
)
def test_cdist_keeps_the_distances(torch, p, first):
    to_x, to_y = gradients(torch, lambda x, y: torch.cdist(x, y, p), [[3.0, 4.0]], [[0.0, 0.0]])
    assert to_x.allclose(torch.tensor([first])) and to_y.equal(-to_x)


def test_attention_keeps_its_result_and_the_logarithm_of_a_sum(torch):
    q, k, v = [[[[1.0], [0.0]]]], [[[[1.0], [-1.0]]]], [[[[1.0], [2.0]]]]
    to_q, to_k, to_v = gradients(torch, torch.nn.functional.scaled_dot_product_attention, q, k, v)
    assert to_q.flatten().allclose(torch.tensor([31.1306648, -2.0]))
    assert to_k.flatten().allclose(torch.tensor([31.1648579, 0.0341937]))
    assert to_v.flatten().allclose(torch.tensor([18.1912804, 0.5059348]))


def test_the_result_of_attention_is_saved_so_it_may_not_be_changed(torch):
    x = torch.ones(1, 1, 2, 2, requires_grad=True)
    y = torch.nn.functional.scaled_dot_product_attention(x, x, x)
    y.mul_(2)
    with says(
        RuntimeError,
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        "[torch.FloatTensor [1, 1, 2, 2]], which is output 0 of ScaledDotProductFlashAttentionForCpu, is at version 1; "
        "expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its "
        "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).",
    ):
        y.sum().backward()


def test_the_result_of_logsigmoid_is_not_saved(torch, w):
    torch.nn.functional.logsigmoid(w).mul_(2).sum().backward()
    assert w.grad is not None


def test_equal_largest_differences_each_get_the_gradient(torch):
    x = torch.tensor([[1.0, 1.0], [2.0, -1.0]], requires_grad=True)
    torch.cdist(x, torch.zeros(1, 2), p=float("inf")).sum().backward()
    assert x.grad.tolist() == [[1.0, 1.0], [1.0, 0.0]]


@pytest.mark.parametrize("p", [0.0, 1.0, 2.0, float("inf")])
def test_rows_without_columns_are_nowhere_apart(torch, p):
    assert torch.cdist(torch.zeros(2, 0), torch.zeros(3, 0), p).tolist() == [[0.0] * 3] * 2
