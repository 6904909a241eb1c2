"""Modes: where gradients are recorded and where not."""

import threading

import pytest
from saying import says, warns


def test_no_grad_records_nothing(torch, w):
    with torch.no_grad():
        y = w * 2
    assert not y.requires_grad and y.is_leaf and (w * 2).requires_grad


def test_modes_nest_and_come_back(torch):
    with torch.no_grad():
        with torch.enable_grad():
            with torch.set_grad_enabled(False):
                assert not torch.is_grad_enabled()
            assert torch.is_grad_enabled()
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()


def test_a_mode_comes_back_after_an_error(torch):
    with pytest.raises(ZeroDivisionError), torch.no_grad():
        raise ZeroDivisionError
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("form", ["no_grad()", "no_grad", "set_grad_enabled(False)", "inference_mode()"])
def test_a_mode_decorates_a_function(torch, w, form):
    decorator = {
        "no_grad()": lambda: torch.no_grad(),
        "no_grad": lambda: torch.no_grad,
        "set_grad_enabled(False)": lambda: torch.set_grad_enabled(False),
        "inference_mode()": lambda: torch.inference_mode(),
    }[form]()

    @decorator
    def double(x):
        """Twice."""
        return x * 2

    torch.set_grad_enabled(True)
    assert not double(w).requires_grad and double.__name__ == "double" and torch.is_grad_enabled()


def test_a_decorated_generator_has_the_mode_only_inside(torch, w):
    @torch.no_grad()
    def doubles():
        for _ in range(2):
            yield w * 2
        return "done"

    generator, seen = doubles(), []
    with pytest.raises(StopIteration) as end:
        while True:
            seen.append((next(generator).requires_grad, torch.is_grad_enabled()))
    assert seen == [(False, True)] * 2 and end.value.value == "done"


SWITCHES = {
    "no_grad": lambda torch: (torch.no_grad(), False),
    "no_grad, bare": lambda torch: (torch.no_grad, False),
    "inference_mode": lambda torch: (torch.inference_mode(), False),
    "set_grad_enabled": lambda torch: (torch.set_grad_enabled(False), False),
    "enable_grad": lambda torch: (torch.enable_grad(), True),
}


@pytest.fixture(params=SWITCHES)
def switch(torch, request):
    """A decorator, and the mode that it sets; outside, the other mode is on."""
    decorator, inside = SWITCHES[request.param](torch)
    torch.set_grad_enabled(not inside)
    yield decorator, inside
    assert torch.is_grad_enabled() is (not inside)
    torch.set_grad_enabled(True)


def test_what_is_sent_and_thrown_reaches_a_decorated_generator(torch, switch):
    decorator, inside = switch
    seen = []

    def note(what):
        seen.append((what, torch.is_grad_enabled()))
        return what

    @decorator
    def steps():
        try:
            note((yield note("first")))
            try:
                yield note("second")
            except ValueError as error:
                note(str(error))
            note((yield note("third")))
        finally:
            note("end")
        return "returned"

    generator = steps()
    assert seen == [] and next(generator) == "first" and torch.is_grad_enabled() is not inside
    assert generator.send("sent") == "second"
    assert generator.throw(ValueError("thrown")) == "third"
    with pytest.raises(StopIteration) as end:
        next(generator)
    assert end.value.value == "returned"
    assert seen == [(what, inside) for what in ("first", "sent", "second", "thrown", "third", None, "end")]


def test_a_decorated_generator_is_closed_with_its_mode(torch, switch):
    decorator, inside = switch
    seen = []

    @decorator
    def steps():
        try:
            yield 1
        finally:
            seen.append(torch.is_grad_enabled())

    generator = steps()
    next(generator)
    generator.close()
    assert seen == [inside]
    for _ in steps():
        break  # and the generator is gone
    assert seen == [inside, inside]
    steps().close()
    assert seen == [inside, inside]


def test_an_error_that_a_decorated_generator_does_not_catch_comes_out(torch, switch):
    decorator, inside = switch

    @decorator
    def steps():
        yield 1
        raise KeyError("mine")

    generator = steps()
    next(generator)
    with says(KeyError):
        next(generator)
    generator = steps()
    next(generator)
    with says(ZeroDivisionError):
        generator.throw(ZeroDivisionError())
    with pytest.raises(StopIteration):
        next(generator)


def test_a_decorated_generator_that_will_not_close_is_an_error(torch, switch):
    @switch[0]
    def steps():
        try:
            yield 1
        except GeneratorExit:
            yield 2

    generator = steps()
    next(generator)
    with says(RuntimeError, "generator ignored GeneratorExit"):
        generator.close()


def test_decorating_a_class_warns_and_switches_its_constructor_alone(torch, switch):
    decorator, inside = switch
    text = (
        "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions "
        "or methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` "
        "method and nothing else."
    )
    with warns(text, category=FutureWarning):

        @decorator
        class Net:
            def __init__(self):
                self.made = torch.is_grad_enabled()

            def mode(self):
                return torch.is_grad_enabled()

    assert Net().made is inside and Net().mode() is (not inside)


def test_a_coroutine_is_switched_only_while_it_is_made(torch, switch):
    decorator, inside = switch

    @decorator
    async def mode():
        return torch.is_grad_enabled()

    coroutine = mode()
    with pytest.raises(StopIteration) as end:
        coroutine.send(None)
    assert end.value.value is (not inside)


def test_set_grad_enabled_acts_at_once(torch, w):
    torch.set_grad_enabled(False)
    assert not (w * 2).requires_grad
    torch.set_grad_enabled(True)
    assert (w * 2).requires_grad


def test_set_grad_enabled_acts_again_when_it_is_entered(torch):
    off = torch.set_grad_enabled(False)
    torch.set_grad_enabled(True)
    with off:
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()


def test_a_mode_can_be_entered_twice(torch):
    mode = torch.no_grad()
    for _ in range(2):
        with mode:
            assert not torch.is_grad_enabled()
        assert torch.is_grad_enabled()


def test_a_mode_belongs_to_its_thread(torch):
    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_another_threads_mode_does_not_reach_this_one(torch, w):
    inside, done = threading.Event(), threading.Event()

    def elsewhere():
        with torch.no_grad():
            inside.set()
            done.wait(100)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    inside.wait(100)
    recorded = (w * 2).requires_grad
    done.set()
    thread.join()
    assert recorded


def test_a_factorys_requires_grad_holds_inside_no_grad(torch):
    with torch.no_grad():
        x = torch.ones(2, requires_grad=True)
    assert x.requires_grad and (x * 2).requires_grad


def test_backward_works_inside_no_grad(torch, w):
    y = (w * w).sum()
    with torch.no_grad():
        y.backward()
    assert w.grad.tolist() == [2, 4, 6]


def test_a_view_made_under_no_grad_still_belongs_to_its_base(torch, w):
    with torch.no_grad():
        view = w.view(3)
    assert view._is_view() and view.is_leaf and view.requires_grad and view.grad_fn is None


def test_a_view_made_under_no_grad_cannot_be_changed_outside(torch, w):
    with torch.no_grad():
        view = w.view(3)
        view.add_(1)
    text = (
        "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this use "
        "case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the "
        "inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both "
        "outside (if you want the inplace to be tracked)."
    )
    with says(RuntimeError, text):
        view.add_(1)
    assert w.tolist() == [2, 3, 4]


def test_module_eval_does_not_disable_gradients(torch):
    model = torch.nn.Linear(2, 1).eval()
    assert model(torch.ones(1, 2)).requires_grad


def test_requires_grad_of_a_detached_copy_is_off_everywhere(torch, w):
    with torch.enable_grad():
        assert not w.detach().requires_grad and not w.data.requires_grad


# inference_mode

INFERENCE_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
    "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use "
    "it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
)


@pytest.fixture
def inferred(torch, w):
    with torch.inference_mode():
        return w * 2


def test_inference_mode_records_nothing(torch, w):
    assert not torch.is_inference_mode_enabled()
    with torch.inference_mode():
        assert torch.is_inference_mode_enabled() and not torch.is_grad_enabled()
        y = w * 2
    assert y.is_inference() and not y.requires_grad and y.is_leaf and not w.is_inference()


def test_an_inference_tensor_cannot_be_saved(torch, w, inferred):
    with says(RuntimeError, INFERENCE_SAVED):
        w * inferred


def test_it_can_be_used_where_nothing_is_saved(torch, w, inferred):
    assert (w + inferred).grad_fn.name() == "AddBackward0"


def test_its_clone_is_a_normal_tensor(torch, w, inferred):
    assert (inferred.clone() * w).requires_grad and not inferred.clone().is_inference()


def test_it_has_no_version(torch, inferred):
    with says(RuntimeError, "Inference tensors do not track version counter."):
        inferred._version  # noqa: B018


def test_it_cannot_be_changed_outside(torch, inferred):
    text = (
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
        "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
    )
    with says(RuntimeError, text):
        inferred.add_(1)


def test_it_cannot_require_gradients_outside(torch, inferred):
    with says(RuntimeError, "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."):
        inferred.requires_grad_()


def test_inference_mode_can_be_switched_off_inside(torch, w):
    with torch.inference_mode(), torch.inference_mode(False):
        assert (w * 2).requires_grad


def test_what_is_made_in_inference_mode_is_an_inference_tensor(torch):
    b = torch.ones(2)
    with torch.inference_mode():
        made = [torch.ones(2), torch.tensor([1.0]), torch.randn(2), torch.arange(3), torch.zeros_like(b), b + 1]
        made += [torch.ones(2).view(2), torch.ones(2).detach()]
        others = [b.detach(), b.view(2), b.t(), b.float()]
    assert all(t.is_inference() for t in made) and not any(t.is_inference() for t in others)
    with says(RuntimeError, "Inference tensors do not track version counter."):
        made[0]._version  # noqa: B018
    assert others[1]._version == 0


def test_inference_mode_decorates_with_and_without_parentheses(torch):
    def modes(_):
        return torch.is_inference_mode_enabled(), torch.is_grad_enabled()

    for decorate in (torch.inference_mode, torch.inference_mode(), torch.inference_mode(mode=True)):
        assert decorate(modes)(1) == (True, False)
    with torch.inference_mode():
        assert torch.inference_mode(False)(modes)(1) == (False, True)


def test_set_grad_enabled_decorates_its_function_alone(torch, w):
    @torch.set_grad_enabled(False)
    def quiet():
        return (w * 1).requires_grad

    assert torch.is_grad_enabled() and not quiet() and torch.is_grad_enabled()


def test_what_only_stands_around_a_block_decorates_nothing(torch):
    hooks = torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x)
    with pytest.raises(TypeError, match="object is not callable"):
        hooks(lambda: None)
