"""Thirteen models and programs that people draw: for gallery.py, on minigrad and on PyTorch from the same lines.

A function takes the library and returns the arguments of `viz.draw`: a module and an example, or tensors, and `names`.
The models have few parameters but a complete structure. Imports nothing. Read gallery.py next.
"""

from collections.abc import Callable
from typing import Any

Drawn = tuple[tuple[Any, ...], dict[str, Any]]
MODELS: dict[str, Callable[[Any], Drawn]] = {}


def model(title: str) -> Callable[[Callable[[Any], Drawn]], Callable[[Any], Drawn]]:
    """Add a function to `MODELS` under this title."""

    def enter(make: Callable[[Any], Drawn]) -> Callable[[Any], Drawn]:
        MODELS[title] = make
        return make

    return enter


@model("LeNet")
def lenet(torch: Any) -> Drawn:
    nn = torch.nn
    net = nn.Sequential(
        *(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Flatten(), nn.Linear(256, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)),
    )
    return (net, torch.ones(1, 1, 28, 28)), {}


def attention(torch: Any, width: int, heads: int) -> Any:
    """Multi-head attention, written with linear layers."""
    nn = torch.nn

    class Attention(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
            self.out = nn.Linear(width, width)

        def forward(self, x: Any) -> Any:
            batch, steps, _ = x.shape

            def split(y: Any) -> Any:
                return y.reshape(batch, steps, heads, width // heads).transpose(1, 2)

            scores = split(self.query(x)) @ split(self.key(x)).transpose(-2, -1) / (width // heads) ** 0.5
            mixed = scores.softmax(-1) @ split(self.value(x))
            return self.out(mixed.transpose(1, 2).reshape(batch, steps, width))

    return Attention()


@model("An attention block")
def attention_block(torch: Any) -> Drawn:
    return (attention(torch, 8, 2), torch.ones(2, 5, 8)), {}


@model("A transformer with two layers")
def transformer(torch: Any) -> Drawn:
    nn = torch.nn

    class Layer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attention, self.norm1, self.norm2 = attention(torch, 8, 2), nn.LayerNorm(8), nn.LayerNorm(8)
            self.feed = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 8))

        def forward(self, x: Any) -> Any:
            x = self.norm1(x + self.attention(x))
            return self.norm2(x + self.feed(x))

    class Transformer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed, self.layers, self.head = nn.Embedding(20, 8), nn.Sequential(Layer(), Layer()), nn.Linear(8, 20)

        def forward(self, words: Any) -> Any:
            return self.head(self.layers(self.embed(words)))

    return (Transformer(), torch.tensor([[1, 2, 3, 4]])), {}


@model("ResNet-18, narrow")
def resnet(torch: Any) -> Drawn:
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self, before: int, after: int, stride: int = 1) -> None:
            super().__init__()
            self.conv1, self.bn1 = nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after)
            self.conv2, self.bn2 = nn.Conv2d(after, after, 3, 1, 1, bias=False), nn.BatchNorm2d(after)
            self.relu, self.down = nn.ReLU(), None
            if stride > 1:
                self.down = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

        def forward(self, x: Any) -> Any:
            y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
            return self.relu(y + (x if self.down is None else self.down(x)))

    class ResNet(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stem = nn.Sequential(nn.Conv2d(3, 4, 3, 1, 1, bias=False), nn.BatchNorm2d(4), nn.ReLU())
            self.layer1 = nn.Sequential(Block(4, 4), Block(4, 4))
            self.layer2 = nn.Sequential(Block(4, 8, 2), Block(8, 8))
            self.layer3 = nn.Sequential(Block(8, 16, 2), Block(16, 16))
            self.layer4 = nn.Sequential(Block(16, 32, 2), Block(32, 32))
            self.fc = nn.Linear(32, 10)

        def forward(self, x: Any) -> Any:
            x = self.layer4(self.layer3(self.layer2(self.layer1(self.stem(x)))))
            return self.fc(x.mean((2, 3)))

    return (ResNet(), torch.ones(2, 3, 16, 16)), {}


@model("A U-Net")
def unet(torch: Any) -> Drawn:
    nn = torch.nn

    def twice(before: int, after: int) -> Any:
        return nn.Sequential(nn.Conv2d(before, after, 3, 1, 1), nn.ReLU(), nn.Conv2d(after, after, 3, 1, 1), nn.ReLU())

    class UNet(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.down1, self.down2, self.middle = twice(1, 4), twice(4, 8), twice(8, 16)
            self.pool, self.up2, self.up1 = (
                nn.MaxPool2d(2),
                nn.ConvTranspose2d(16, 8, 2, 2),
                nn.ConvTranspose2d(8, 4, 2, 2),
            )
            self.merge2, self.merge1, self.head = twice(16, 8), twice(8, 4), nn.Conv2d(4, 2, 1)

        def forward(self, x: Any) -> Any:
            one = self.down1(x)
            two = self.down2(self.pool(one))
            y = self.up2(self.middle(self.pool(two)))
            y = self.up1(self.merge2(torch.cat([two, y], 1)))
            return self.head(self.merge1(torch.cat([one, y], 1)))

    return (UNet(), torch.ones(1, 1, 16, 16)), {}


@model("A variational autoencoder")
def vae(torch: Any) -> Drawn:
    nn = torch.nn

    class VAE(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = nn.Sequential(nn.Linear(12, 8), nn.ReLU())
            self.mean, self.log_var = nn.Linear(8, 2), nn.Linear(8, 2)
            self.decoder = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 12), nn.Sigmoid())

        def forward(self, x: Any, noise: Any) -> Any:
            h = self.encoder(x)
            mean, log_var = self.mean(h), self.log_var(h)
            found = self.decoder(mean + (log_var / 2).exp() * noise)
            divergence = -0.5 * (1 + log_var - mean**2 - log_var.exp()).sum()
            return nn.functional.binary_cross_entropy(found, x, reduction="sum") + divergence

    return (VAE(), torch.full((4, 12), 0.5), torch.ones(4, 2)), {}


@model("Truncated back-propagation: 12 steps, cut at 6")
def truncated(torch: Any) -> Drawn:
    cell, out = torch.nn.RNNCell(1, 8), torch.nn.Linear(8, 1)
    h, losses = torch.zeros(1, 8), []
    for step in range(12):
        if step == 6:
            h = h.detach()
        h = cell(torch.full((1, 1), step / 12), h)
        losses.append((out(h) - 1).pow(2).sum())
    loss = sum(losses[1:], losses[0])
    return (loss,), {"names": {"loss": loss, **named(torch, cell=cell, out=out)}}


@model("A step of a GAN")
def gan(torch: Any) -> Drawn:
    nn = torch.nn
    G = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 4))
    D = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    real, noise = torch.ones(3, 4), torch.ones(3, 2)
    fake = G(noise)
    loss_d = nn.functional.softplus(-D(real)).mean() + nn.functional.softplus(D(fake.detach())).mean()
    loss_g = nn.functional.softplus(-D(fake)).mean()
    names = {"loss_d": loss_d, "loss_g": loss_g, "fake": fake, "real": real, **named(torch, G=G, D=D)}
    return (loss_d, loss_g), {"names": names}


@model("An LSTM over ten time steps")
def lstm(torch: Any) -> Drawn:
    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cell, self.out = torch.nn.LSTMCell(3, 8), torch.nn.Linear(8, 1)

        def forward(self, x: Any) -> Any:
            h = c = torch.zeros(1, 8)
            for step in x:
                h, c = self.cell(step, (h, c))
            return self.out(h)

    return (Net(), torch.ones(10, 1, 3)), {}


@model("Gradient accumulation over four batches")
def accumulation(torch: Any) -> Drawn:
    net, losses = torch.nn.Linear(3, 1), []
    for batch in range(4):
        losses.append((net(torch.full((2, 3), 1.0 + batch)) - 1).pow(2).mean() / 4)
        losses[-1].backward(retain_graph=True)
    names = {f"loss{i}": loss for i, loss in enumerate(losses)} | named(torch, net=net)
    return tuple(losses), {"names": names}


@model("A second derivative")
def second(torch: Any) -> Drawn:
    w = torch.tensor([2.0], requires_grad=True)
    y = w**3 * w.exp()
    (slope,) = torch.autograd.grad(y, w, create_graph=True)
    return (slope,), {"names": {"w": w, "y": y, "slope": slope}}


@model("A program that changes tensors in place")
def in_place(torch: Any) -> Drawn:
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    a = w * 2
    part = a[1:]
    part.mul_(3)
    a[0] = w[0].exp()
    loss = (a + part.sum()).sum()
    return (loss,), {"names": {"w": w, "a": a, "part": part, "loss": loss}, "show": ("values", "grads", "storage")}


@model("A chain of 10,000 operators")
def chain(torch: Any) -> Drawn:
    w = y = torch.tensor([1.0], requires_grad=True)
    for _ in range(5000):
        y = (y * w).tanh()
    return (y,), {"names": {"w": w, "y": y}}


def named(torch: Any, **modules: Any) -> dict[str, Any]:
    """The parameters of the modules, under the names that a reader uses for them."""
    return {f"{name}.{path}": own for name, part in modules.items() for path, own in part.named_parameters()}
