"""Which types losses and their neighbours take, and what they say to the others: integers are what people bring."""

import pytest
from saying import says

FROM_LONG = "\"{}\" not implemented for 'Long'"
LOSSES = {  # what PyTorch says to: real scores and whole targets; whole scores and real targets; both whole
    "binary_cross_entropy_with_logits": (
        (RuntimeError, "result type Float can't be cast to the desired output type Long"),
        (NotImplementedError, FROM_LONG.format("log_sigmoid_cpu")),
        (NotImplementedError, FROM_LONG.format("log_sigmoid_cpu")),
    ),
    "kl_div": ((RuntimeError, "kl_div: Integral inputs not supported."),) * 3,
    "mse_loss": (None, None, (NotImplementedError, FROM_LONG.format("mse_cpu"))),
    "smooth_l1_loss": (None, None, (NotImplementedError, FROM_LONG.format("smooth_l1_cpu"))),
    "huber_loss": (
        None,
        (RuntimeError, "result type Float can't be cast to the desired output type Long"),
        (NotImplementedError, FROM_LONG.format("huber_cpu")),
    ),
    "l1_loss": (
        None,
        None,
        (
            RuntimeError,
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            "Got: Long",
        ),
    ),
    "poisson_nll_loss": (None, None, None),
    "binary_cross_entropy": (
        (RuntimeError, "Found dtype Long but expected Float"),
        (RuntimeError, "Found dtype Float but expected Long"),
        (NotImplementedError, FROM_LONG.format("binary_cross_entropy")),
    ),
}


@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides")
@pytest.mark.parametrize("types", [("float32", "int64"), ("int64", "float32"), ("int64", "int64")], ids="-".join)
@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_of_whole_numbers(torch, loss, types):
    scores, target = (torch.tensor([1, 0]).to(getattr(torch, name)) for name in types)
    called = getattr(torch.nn.functional, loss)
    refusal = LOSSES[loss][["float32-int64", "int64-float32", "int64-int64"].index("-".join(types))]
    if refusal is None:
        assert called(scores, target).dim() == 0
    else:
        with says(*refusal):
            called(scores, target)


@pytest.mark.parametrize("setting", [{}, {"weight": [1.0, 2.0]}, {"pos_weight": [3.0, 1.0]}], ids=str)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("uint8", "result type Float can't be cast to the desired output type Byte"),
        (
            "bool",
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead.",
        ),
    ],
)
def test_a_mask_as_the_target_of_scores(torch, name, text, setting):
    """The labels of two classes, as a comparison gives them: they have to be made real numbers."""
    labels = torch.tensor([1, 0]).to(getattr(torch, name))
    loss = torch.nn.BCEWithLogitsLoss(**{key: torch.tensor(value) for key, value in setting.items()})
    with says(RuntimeError, text):
        loss(torch.tensor([0.5, -0.5]), labels)
    assert loss(torch.tensor([0.5, -0.5]), labels.float()).item() > 0


def test_a_class_for_whole_scores(torch):
    with says(NotImplementedError, FROM_LONG.format("nll_loss_out_frame")):
        torch.nn.functional.nll_loss(torch.tensor([[1, 0]]), torch.tensor([0]))


@pytest.mark.parametrize("size", [(2,), (3, 2), (1, 3, 2)], ids=str)
def test_a_layer_for_another_type(torch, size):
    whole = torch.ones(size, dtype=torch.int64)
    with says(RuntimeError, "mat1 and mat2 must have the same dtype, but got Long and Float"):
        torch.nn.Linear(2, 1)(whole)
    with says(RuntimeError, "expected m1 and m2 to have the same dtype, but got: long int != float"):
        torch.nn.Linear(2, 1, bias=False)(whole)


def test_the_types_of_a_norm_and_a_remainder_are_asked_first(torch):
    with says(RuntimeError, "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Bool"):
        torch.tensor([True]).norm(dim=5)
    with says(NotImplementedError, "\"remainder_cpu\" not implemented for 'Bool'"):
        True % torch.tensor([True])
