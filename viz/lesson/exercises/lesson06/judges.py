"""What the pages of lesson 6 can't contain: points to try, ways of running, checks."""

from ....locale import room

tr = room("lesson06")


def slope_and_place(given, torch, w):
    version = w._version
    gradient = given(w)
    return {"gradient": gradient, "w": w.detach(), "leaf": w.requires_grad, "counted": w._version > version}


def no_gradient(came):
    """A remark if the function returns a gradient of None."""
    if isinstance(came, dict) and came["gradient"] is None:
        return tr("your function returned a `.grad` that is None.", "judges")
    return None


def blanked(given, torch, x, start, length):
    returned = given(x, start, length)
    return {"x": x, "returned": returned}


def nets(torch, random):
    def net(training):
        torch.manual_seed(0)
        made = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 1))
        return made.train(training)

    for training, frozen in ((True, False), (False, False), (True, True)):
        made = net(training)
        made[0].bias.requires_grad_(not frozen)
        code = f"net.{'train' if training else 'eval'}()" + frozen * "; net[0].bias.requires_grad_(False)"
        yield (Net(code, made, torch.tensor(random.normal(size=(3, 2)), dtype=torch.float32)),)


class Net:
    """A net and its input; the reader sees the call that sets the net's mode."""

    def __init__(self, code, made, x):
        self.code, self.made, self.x = code, made, x

    def __repr__(self) -> str:
        return self.code


def asked(given, torch, net):
    inside, net, x = [], net.made, net.x
    before = [weight.requires_grad for weight in net.parameters()]
    net.register_forward_hook(lambda module, arguments, made: inside.append(made.requires_grad))
    output = given(net, x)
    return {
        "output": output.detach(),
        "recorded": output.requires_grad,
        "inside": any(inside),
        "training": net.training,
        "dropout": net[1].training,
        "chance": net[1].p,
        "recording": torch.is_grad_enabled(),
        "learns": [weight.requires_grad for weight in net.parameters()] == before,
    }
