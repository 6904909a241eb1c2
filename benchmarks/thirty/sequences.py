"""Models for sequences: recurrent nets, attention, convolutions over time.

Imports registry. Read other.py next.
"""

from typing import Any

from .registry import Example, model, net


def attention(torch: Any, width: int, heads: int) -> Any:
    """Multi-head attention. forward(x, memory, mask): the mask says what must not be seen."""
    nn = torch.nn

    def forward(self: Any, x: Any, memory: Any, mask: Any = None) -> Any:
        batch, _, _ = x.shape

        def split(y: Any) -> Any:
            return y.reshape(batch, -1, heads, width // heads).transpose(1, 2)

        scores = split(self.query(x)) @ split(self.key(memory)).transpose(-2, -1) / (width // heads) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        mixed = scores.softmax(-1) @ split(self.value(memory))
        return self.out(mixed.transpose(1, 2).reshape(batch, -1, width))

    parts = {name: nn.Linear(width, width) for name in ("query", "key", "value", "out")}
    return net(torch, "Attention", forward, **parts)


def feed(torch: Any, width: int) -> Any:
    nn = torch.nn
    return nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))


@model("GPT, tied weights")
def gpt(torch: Any) -> Example:
    nn = torch.nn

    def block(self: Any, x: Any) -> Any:
        mask = torch.tril(torch.ones(x.shape[1], x.shape[1])) == 0
        inner = self.norm1(x)
        x = x + self.attention(inner, inner, mask)
        return x + self.feed(self.norm2(x))

    def forward(self: Any, words: Any) -> Any:
        x = self.words(words) + self.places(torch.arange(words.shape[1]))
        for each in self.blocks:
            x = each(x)
        return self.head(self.norm(x))

    def layer() -> Any:
        parts = dict(attention=attention(torch, 8, 2), feed=feed(torch, 8))
        return net(torch, "Block", block, norm1=nn.LayerNorm(8), norm2=nn.LayerNorm(8), **parts)

    parts = dict(words=nn.Embedding(20, 8), places=nn.Embedding(6, 8), norm=nn.LayerNorm(8))
    blocks = nn.ModuleList([layer() for _ in range(4)])
    model = net(torch, "GPT", forward, blocks=blocks, head=nn.Linear(8, 20, bias=False), **parts)
    model.head.weight = model.words.weight
    return Example(model, (torch.tensor([[1, 2, 3, 4]]),))


@model("Transformer, encoder and decoder")
def transformer(torch: Any) -> Example:
    nn = torch.nn

    def encode(self: Any, x: Any) -> Any:
        x = self.norm1(x + self.attention(x, x))
        return self.norm2(x + self.feed(x))

    def decode(self: Any, x: Any, memory: Any, mask: Any) -> Any:
        x = self.norm1(x + self.attention(x, x, mask))
        x = self.norm2(x + self.cross(x, memory))
        return self.norm3(x + self.feed(x))

    def forward(self: Any, source: Any, target: Any) -> Any:
        memory, x = self.read(source), self.write(target)
        mask = torch.triu(torch.ones(target.shape[1], target.shape[1]), 1) == 1
        for layer in self.encoder:
            memory = layer(memory)
        for layer in self.decoder:
            x = layer(x, memory, mask)
        return self.out(x)

    def norms(count: int) -> dict[str, Any]:
        return {f"norm{i + 1}": nn.LayerNorm(8) for i in range(count)}

    def one(name: str, forward: Any, **parts: Any) -> Any:
        return net(torch, name, forward, attention=attention(torch, 8, 2), feed=feed(torch, 8), **parts)

    encoder = nn.ModuleList([one("EncoderLayer", encode, **norms(2)) for _ in range(3)])
    decoder = nn.ModuleList([one("DecoderLayer", decode, cross=attention(torch, 8, 2), **norms(3)) for _ in range(3)])
    parts = dict(read=nn.Embedding(9, 8), write=nn.Embedding(9, 8), out=nn.Linear(8, 9))
    whole = net(torch, "Transformer", forward, encoder=encoder, decoder=decoder, **parts)
    return Example(whole, (torch.tensor([[1, 2, 3]]), torch.tensor([[4, 5]])))


@model("nn.TransformerEncoderLayer", lacks="nn.TransformerEncoderLayer")
def encoder_layer(torch: Any) -> Example:
    return Example(torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True, dropout=0.0), (torch.ones(1, 3, 4),))


@model("Attention with a mask by name")
def masked(torch: Any) -> Example:
    mask = torch.tensor([[False, False, True]])
    return Example(attention(torch, 4, 2), (torch.ones(1, 3, 4),), {"memory": torch.ones(1, 3, 4), "mask": mask})


@model("Seq2seq with attention")
def seq2seq(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, source: Any, target: Any) -> Any:
        h = c = torch.zeros(1, 4)
        states = []
        for word in source:
            h, c = self.encoder(self.read(word), (h, c))
            states.append(h)
        memory, outs = torch.stack(states, 1), []
        for word in target:
            h, c = self.decoder(self.write(word), (h, c))
            weights = (memory @ h.unsqueeze(2)).softmax(1)
            outs.append(self.out(torch.cat([h, (weights * memory).sum(1)], 1)))
        return torch.stack(outs)

    cells = dict(encoder=nn.LSTMCell(3, 4), decoder=nn.LSTMCell(3, 4))
    parts = dict(read=nn.Embedding(7, 3), write=nn.Embedding(7, 3), out=nn.Linear(8, 7))
    examples = torch.tensor([[1], [2], [3]]), torch.tensor([[4], [5], [6]])
    return Example(net(torch, "Seq2Seq", forward, **cells, **parts), examples)


@model("LSTM cell over 20 steps")
def lstm_cell(torch: Any) -> Example:
    def forward(self: Any, x: Any) -> Any:
        h = c = torch.zeros(1, 4)
        for step in x:
            h, c = self.cell(step, (h, c))
        return self.out(h)

    parts = dict(cell=torch.nn.LSTMCell(3, 4), out=torch.nn.Linear(4, 1))
    return Example(net(torch, "Net", forward, **parts), (torch.ones(20, 1, 3),))


@model("nn.LSTM, two layers, both directions")
def lstm(torch: Any) -> Example:
    def forward(self: Any, words: Any) -> Any:
        states, (last, _) = self.lstm(self.words(words))
        return self.tags(states), self.score(last[-1])

    nn = torch.nn
    parts = dict(lstm=nn.LSTM(3, 4, 2, batch_first=True, bidirectional=True), words=nn.Embedding(9, 3))
    return Example(
        net(torch, "Tagger", forward, tags=nn.Linear(8, 5), score=nn.Linear(4, 1), **parts),
        (torch.tensor([[1, 2, 3]]),),
    )


@model("WaveNet")
def wavenet(torch: Any) -> Example:
    nn = torch.nn

    def layer(self: Any, x: Any) -> Any:
        padded = nn.functional.pad(x, (self.dilation, 0))
        y = torch.tanh(self.filter(padded)) * torch.sigmoid(self.gate(padded))
        return x + self.residual(y), self.skip(y)

    def forward(self: Any, sound: Any) -> Any:
        x, total = self.first(sound), 0
        for each in self.layers:
            x, skip = each(x)
            total = total + skip
        return self.last(torch.relu(total))

    def dilated(dilation: int) -> Any:
        parts = {name: nn.Conv1d(4, 4, 2, dilation=dilation) for name in ("filter", "gate")}
        own = {name: nn.Conv1d(4, 4, 1) for name in ("residual", "skip")}
        return net(torch, "Dilated", layer, dilation=dilation, **parts, **own)

    layers = nn.ModuleList([dilated(2**i) for i in range(6)])
    parts = dict(first=nn.Conv1d(1, 4, 1), last=nn.Conv1d(4, 8, 1))
    return Example(net(torch, "WaveNet", forward, layers=layers, **parts), (torch.ones(1, 1, 16),))
