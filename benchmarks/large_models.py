"""ResNet-18 and DenseNet-121 at their full size, with torchvision's names and structure, for first_picture.py.

A function takes the library, minigrad or PyTorch, and returns the module and an example. The weights are random: a
picture does not depend on them. Imports nothing. Read first_picture.py next.
"""

from collections.abc import Callable
from typing import Any

Large = tuple[Any, Any]


def resnet18(torch: Any) -> Large:
    """He et al. 2015: four layers of two blocks each, with skip connections."""
    nn = torch.nn

    class BasicBlock(nn.Module):
        def __init__(self, before: int, after: int, stride: int) -> None:
            super().__init__()
            self.conv1, self.bn1 = nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after)
            self.relu = nn.ReLU()
            self.conv2, self.bn2 = nn.Conv2d(after, after, 3, 1, 1, bias=False), nn.BatchNorm2d(after)
            self.downsample = None
            if stride > 1:
                skip = nn.Conv2d(before, after, 1, stride, bias=False)
                self.downsample = nn.Sequential(skip, nn.BatchNorm2d(after))

        def forward(self, x: Any) -> Any:
            y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
            return self.relu(y + (x if self.downsample is None else self.downsample(x)))

    class ResNet(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv1, self.bn1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64)
            self.relu, self.maxpool = nn.ReLU(), nn.MaxPool2d(3, 2, 1)
            self.layer1 = nn.Sequential(BasicBlock(64, 64, 1), BasicBlock(64, 64, 1))
            self.layer2 = nn.Sequential(BasicBlock(64, 128, 2), BasicBlock(128, 128, 1))
            self.layer3 = nn.Sequential(BasicBlock(128, 256, 2), BasicBlock(256, 256, 1))
            self.layer4 = nn.Sequential(BasicBlock(256, 512, 2), BasicBlock(512, 512, 1))
            self.avgpool, self.fc = nn.AdaptiveAvgPool2d((1, 1)), nn.Linear(512, 1000)

        def forward(self, x: Any) -> Any:
            x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
            x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
            return self.fc(torch.flatten(self.avgpool(x), 1))

    return ResNet().eval(), torch.ones(1, 3, 64, 64)


def densenet121(torch: Any) -> Large:
    """Huang et al. 2016: each layer of a block reads what all layers before it in the block gave."""
    nn, grows = torch.nn, 32

    class DenseLayer(nn.Module):
        def __init__(self, before: int) -> None:
            super().__init__()
            self.norm1, self.relu1 = nn.BatchNorm2d(before), nn.ReLU()
            self.conv1 = nn.Conv2d(before, 4 * grows, 1, bias=False)
            self.norm2, self.relu2 = nn.BatchNorm2d(4 * grows), nn.ReLU()
            self.conv2 = nn.Conv2d(4 * grows, grows, 3, padding=1, bias=False)

        def forward(self, inputs: Any) -> Any:
            y = self.conv1(self.relu1(self.norm1(torch.cat(inputs, 1))))
            return self.conv2(self.relu2(self.norm2(y)))

    class DenseBlock(nn.ModuleDict):
        def __init__(self, layers: int, before: int) -> None:
            super().__init__()
            for i in range(layers):
                self[f"denselayer{i + 1}"] = DenseLayer(before + i * grows)

        def forward(self, x: Any) -> Any:
            found = [x]
            for layer in self.values():
                found.append(layer(found))
            return torch.cat(found, 1)

    class DenseNet(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            parts = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
            width = 64
            for i, layers in enumerate((6, 12, 24, 16)):
                parts.append(DenseBlock(layers, width))
                width += layers * grows
                if i < 3:
                    narrow = nn.Conv2d(width, width // 2, 1, bias=False)
                    parts.append(nn.Sequential(nn.BatchNorm2d(width), nn.ReLU(), narrow, nn.AvgPool2d(2, 2)))
                    width //= 2
            self.features = nn.Sequential(*parts, nn.BatchNorm2d(width))
            self.relu, self.pool, self.classifier = nn.ReLU(), nn.AdaptiveAvgPool2d((1, 1)), nn.Linear(width, 1000)

        def forward(self, x: Any) -> Any:
            return self.classifier(torch.flatten(self.pool(self.relu(self.features(x))), 1))

    return DenseNet().eval(), torch.ones(1, 3, 64, 64)


LARGE: dict[str, Callable[[Any], Large]] = {"ResNet-18": resnet18, "DenseNet-121": densenet121}
