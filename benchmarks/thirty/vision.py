"""Models for images: small in width, complete in structure.

Imports registry. Read sequences.py next.
"""

from typing import Any

from .registry import Example, model, net


def conv(torch: Any, before: int, after: int, size: int = 3, stride: int = 1, groups: int = 1) -> Any:
    """A convolution that keeps the size of an image, batch norm, ReLU."""
    nn = torch.nn
    layer = nn.Conv2d(before, after, size, stride, size // 2, groups=groups, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(after), nn.ReLU())


@model("LeNet")
def lenet(torch: Any) -> Example:
    nn = torch.nn
    return Example(
        nn.Sequential(
            *(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2)),
            *(nn.Flatten(), nn.Linear(256, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)),
        ),
        (torch.ones(1, 1, 28, 28),),
    )


def residual(torch: Any, before: int, after: int, stride: int = 1) -> Any:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        return self.relu(y + (x if self.down is None else self.down(x)))

    down = None
    if stride > 1:
        down = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))
    return net(
        torch,
        "Block",
        forward,
        conv1=nn.Conv2d(before, after, 3, stride, 1, bias=False),
        bn1=nn.BatchNorm2d(after),
        conv2=nn.Conv2d(after, after, 3, 1, 1, bias=False),
        bn2=nn.BatchNorm2d(after),
        relu=nn.ReLU(),
        down=down,
    )


@model("ResNet-18")
def resnet(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        x = self.layer4(self.layer3(self.layer2(self.layer1(self.stem(x)))))
        return self.fc(torch.flatten(self.pool(x), 1))

    def layer(before: int, after: int, stride: int = 2) -> Any:
        return nn.Sequential(residual(torch, before, after, stride), residual(torch, after, after))

    stem = nn.Sequential(conv(torch, 3, 4, 7, 2), nn.MaxPool2d(3, 2, 1))
    layers = {f"layer{i + 1}": layer(4 * max(1, 2**i // 2), 4 * 2**i, 2 if i else 1) for i in range(4)}
    parts = dict(pool=nn.AdaptiveAvgPool2d(1), fc=nn.Linear(32, 10))
    return Example(net(torch, "ResNet", forward, stem=stem, **layers, **parts), (torch.ones(2, 3, 32, 32),))


@model("U-Net")
def u_net(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        skips = []
        for down in self.down:
            x = down(x)
            skips.append(x)
            x = nn.functional.max_pool2d(x, 2)
        x = self.middle(x)
        for up in self.up:
            x = up(torch.cat([nn.functional.interpolate(x, scale_factor=2), skips.pop()], 1))
        return self.head(x)

    parts = dict(
        down=nn.ModuleList([conv(torch, *sizes) for sizes in ((1, 2), (2, 2), (2, 2))]),
        middle=conv(torch, 2, 2),
        up=nn.ModuleList([conv(torch, 4, 2) for _ in range(3)]),
        head=nn.Conv2d(2, 1, 1),
    )
    return Example(net(torch, "UNet", forward, **parts), (torch.ones(1, 1, 16, 16),))


@model("DenseNet")
def densenet(torch: Any) -> Example:
    nn = torch.nn

    def dense(self: Any, x: Any) -> Any:
        seen = [x]
        for layer in self.layers:
            seen.append(layer(torch.cat(seen, 1)))
        return torch.cat(seen, 1)

    def forward(self: Any, x: Any) -> Any:
        x = self.block2(self.between(self.block1(self.stem(x))))
        return self.head(x.mean((2, 3)))

    def block(channels: int) -> Any:
        layers = nn.ModuleList([conv(torch, channels + 2 * i, 2) for i in range(4)])
        return net(torch, "DenseBlock", dense, layers=layers)

    between = nn.Sequential(conv(torch, 12, 4, 1), nn.AvgPool2d(2))
    parts = dict(stem=conv(torch, 1, 4), block1=block(4), between=between, block2=block(4), head=nn.Linear(12, 5))
    return Example(net(torch, "DenseNet", forward, **parts), (torch.ones(1, 1, 8, 8),))


@model("MobileNet")
def mobilenet(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        y = self.project(self.depth(self.expand(x)))
        return x + y if x.shape == y.shape else y

    def inverted(before: int, after: int, stride: int) -> Any:
        project = nn.Sequential(nn.Conv2d(2 * before, after, 1, bias=False), nn.BatchNorm2d(after))
        parts = dict(expand=conv(torch, before, 2 * before, 1), project=project)
        depth = conv(torch, 2 * before, 2 * before, 3, stride, groups=2 * before)
        return net(torch, "Inverted", forward, depth=depth, **parts)

    layers = [inverted(4, 4, 1), inverted(4, 6, 2), inverted(6, 6, 1), inverted(6, 6, 1)]
    tail = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.2), nn.Linear(6, 5)]
    return Example(nn.Sequential(conv(torch, 3, 4, 3, 2), *layers, *tail), (torch.ones(1, 3, 16, 16),))


@model("GoogLeNet")
def googlenet(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        return torch.cat([branch(x) for branch in self.branches], 1)

    def inception(channels: int) -> Any:
        branches = [
            conv(torch, channels, 2, 1),
            nn.Sequential(conv(torch, channels, 2, 1), conv(torch, 2, 3)),
            nn.Sequential(conv(torch, channels, 2, 1), conv(torch, 2, 2, 5)),
            nn.Sequential(nn.MaxPool2d(3, 1, 1), conv(torch, channels, 1, 1)),
        ]
        return net(torch, "Inception", forward, branches=nn.ModuleList(branches))

    def whole(self: Any, x: Any) -> Any:
        x = self.first(self.stem(x))
        aside = self.aside(x.mean((2, 3)))  # the second classifier
        return self.head(self.second(self.pool(x)).mean((2, 3))), aside

    parts = dict(stem=conv(torch, 1, 4), pool=nn.MaxPool2d(2), head=nn.Linear(8, 5), aside=nn.Linear(8, 5))
    blocks = dict(first=inception(4), second=inception(8))
    return Example(net(torch, "GoogLeNet", whole, **parts, **blocks), (torch.ones(1, 1, 8, 8),))


@model("Vision Transformer")
def vit(torch: Any) -> Example:
    nn = torch.nn
    width, heads = 8, 2

    def block(self: Any, x: Any) -> Any:
        batch, steps, _ = x.shape
        q, k, v = self.qkv(self.norm1(x)).reshape(batch, steps, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
        mixed = (q @ k.transpose(-2, -1) / (width // heads) ** 0.5).softmax(-1) @ v
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, steps, width))
        return x + self.mlp(self.norm2(x))

    def layer() -> Any:
        mlp = nn.Sequential(nn.Linear(width, 16), nn.GELU(), nn.Linear(16, width))
        parts = dict(norm1=nn.LayerNorm(width), norm2=nn.LayerNorm(width), out=nn.Linear(width, width))
        return net(torch, "Block", block, qkv=nn.Linear(width, 3 * width), mlp=mlp, **parts)

    def forward(self: Any, image: Any) -> Any:
        patches = self.patches(image).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(image.shape[0], -1, -1), patches], 1) + self.places
        for each in self.blocks:
            x = each(x)
        return self.head(self.norm(x)[:, 0])

    tokens = dict(cls=nn.Parameter(torch.zeros(1, 1, width)), places=nn.Parameter(torch.zeros(1, 5, width)))
    parts = dict(blocks=nn.ModuleList([layer() for _ in range(4)]), norm=nn.LayerNorm(width), head=nn.Linear(width, 3))
    vit = net(torch, "ViT", forward, patches=nn.Conv2d(3, width, 4, 4), **tokens, **parts)
    return Example(vit, (torch.ones(2, 3, 8, 8),))


@model("Variational autoencoder")
def vae(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any, noise: Any) -> Any:
        mean, spread = self.encode(x).chunk(2, 1)
        return self.decode(mean + noise * (0.5 * spread).exp()), mean, spread

    encode = nn.Sequential(nn.Linear(12, 8), nn.ReLU(), nn.Linear(8, 4))
    decode = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 12), nn.Sigmoid())
    return Example(net(torch, "VAE", forward, encode=encode, decode=decode), (torch.ones(4, 12), torch.ones(4, 2)))


def generator(torch: Any) -> Any:
    nn = torch.nn
    return nn.Sequential(
        *(nn.ConvTranspose2d(4, 8, 4), nn.BatchNorm2d(8), nn.ReLU()),
        *(nn.ConvTranspose2d(8, 4, 4, 2, 1), nn.BatchNorm2d(4), nn.ReLU()),
        *(nn.ConvTranspose2d(4, 1, 4, 2, 1), nn.Tanh()),
    )


@model("GAN generator")
def gan_generator(torch: Any) -> Example:
    return Example(generator(torch), (torch.ones(2, 4, 1, 1),))


@model("GAN, both losses")
def gan_losses(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, noise: Any, real: Any) -> Any:
        fake = self.G(noise)
        softplus = nn.functional.softplus
        of_d = softplus(-self.D(real)).mean() + softplus(self.D(fake.detach())).mean()
        return {"of_d": of_d, "of_g": softplus(-self.D(fake)).mean()}

    parts = dict(
        G=nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 4)),
        D=nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1)),
    )
    return Example(net(torch, "GAN", forward, **parts), (torch.ones(3, 2), torch.ones(3, 4)))


@model("Siamese network")
def siamese(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, a: Any, b: Any) -> Any:
        return self.out((self.twin(a) - self.twin(b)).abs())

    twin = nn.Sequential(conv(torch, 1, 2), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32, 4))
    examples = torch.ones(1, 1, 8, 8), torch.zeros(1, 1, 8, 8)
    return Example(net(torch, "Siamese", forward, twin=twin, out=nn.Linear(4, 1)), examples)


@model("Frozen backbone")
def frozen_backbone(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        return self.head(self.body(x).mean((2, 3)))

    body = nn.Sequential(conv(torch, 1, 4), conv(torch, 4, 4)).requires_grad_(False)
    return Example(net(torch, "Tuned", forward, body=body, head=nn.Linear(4, 3)), (torch.ones(2, 1, 6, 6),))


@model("Features without recording")
def features(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        with torch.no_grad():
            found = self.body(x).flatten(1)
        return self.head(found), found.argmax(1)

    body = nn.Sequential(conv(torch, 1, 2), nn.MaxPool2d(2))
    return Example(net(torch, "Probe", forward, body=body, head=nn.Linear(18, 3)), (torch.ones(2, 1, 6, 6),))


@model("Diffusion step")
def diffusion(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any, t: Any) -> Any:
        angles = t[:, None] * torch.arange(1, 5)
        when = self.time(torch.cat([angles.sin(), angles.cos()], 1))
        return self.out(torch.relu(self.noise(x) + when[:, :, None, None]))

    parts = dict(time=nn.Sequential(nn.Linear(8, 8), nn.SiLU(), nn.Linear(8, 4)))
    parts |= dict(noise=nn.Conv2d(1, 4, 3, 1, 1), out=nn.Conv2d(4, 1, 3, 1, 1))
    return Example(net(torch, "Denoiser", forward, **parts), (torch.ones(2, 1, 6, 6), torch.tensor([1.0, 2.0])))


@model("On the device 'meta'", lacks="the device 'meta'")
def meta(torch: Any) -> Example:
    with torch.device("meta"):
        net = torch.nn.Sequential(conv(torch, 1, 4), residual(torch, 4, 4), residual(torch, 4, 8, 2))
    return Example(net, (torch.ones(1, 1, 8, 8, device="meta"),))
