"""What the explorers say, in English and Chinese, and how they write a number.

Each explorer has a table {language: {what for: words}}; names in braces are filled in by the explorer.
Imports NumPy only.
"""

from __future__ import annotations

import numpy as np


def plain(number: float, digits: int = 7, signed: bool = False) -> str:
    """A number as a person writes it: no exponent, and no more digits than it takes.

    >>> plain(0.07000000000000028), plain(-1e-5), plain(2.0)
    ('0.07', '−0.00001', '2')
    """
    written = np.format_float_positional(number, digits, fractional=False, trim="-", sign=signed)
    return written.replace("-", "−")


NUDGE = {
    "en": {
        "title": "A nudge of w on its way to y",
        "masked": "w is nudged by {nudge} and reaches y along two paths, through a and through b. The factors on the "
        "way are hidden until you predict.",
        "alt forward": "A nudge of {nudge} at w = {w}, x = {x}, run forward: through a it becomes "
        "{nudge} × 1 × {fa} = {a}, through b {nudge} × 1 × {fb} = {b}, together {both}. Truly y moves by {truth}. "
        "The gap is {gap}.",
        "alt backward": "The same factors run backward at w = {w}, x = {x}: 1 at y, 1 × {fa} = {fa} at a, "
        "1 × {fb} = {fb} at b, and in w they add up: {fa} + {fb} = {grad}, which is w.grad. From a the same "
        "{fa} × 1 = {grad_x} reaches x: x.grad.",
        "question": "w moves from {w} to {nudged}, x stays {x}. How far does y = (w + x)(w + 1) move? (About.)",
        "a alone": "So much comes through a alone: w + x grew by {nudge}, times b = {db}. The other bracket grew, too.",
        "b alone": "So much comes through b alone: w + 1 grew by {nudge}, times a = {da}. The other bracket grew, too.",
        "slope": "That is how many times the nudge it is. The nudge was {nudge}.",
        "new y": "That is the new y. How far has it moved?",
        "nudge": "So far did w move. How many times as far does y move?",
        "unit": "That is a whole unit's step, to w = {next}. The nudge was {nudge} only.",
        "press": "Now let it run: how much of it comes through a, how much through b?",
        "forward": "Run the nudge",
        "backward": "Run backward",
        "smaller": "nudge ÷ 10",
        "again": "nudge = {nudge}",
        "nudge row": "nudge",
        "slope row": "slope",
        "through": "through {}",
        "together": "together",
        "truth": "in truth",
        "gap": "the gap: {gap}",
        "sum": "what arrives in w adds up: {a} + {b} = {grad}",
        "brings nothing": "The path through {} brings nothing here: a factor on it is 0.",
        "takes away": "Here one path takes away a part of what the other one brings.",
        "takes all": "Here one path takes away all that the other one brings: the slope is 0.",
        "run": "Graph {run}, built by <code>y = (w + x) * (w + 1)</code> at w = {w}, x = {x} → y = {y}",
    },
    "zh": {
        "title": "w 的一点推动怎样走到 y",
        "masked": "把 w 推动 {nudge}，它沿两条路到达 y：经过 a，经过 b。先预测，再看路上的倍数。",
        "alt forward": "在 w = {w}、x = {x} 处把 w 推动 {nudge}，向前走：经过 a 成为 {nudge} × 1 × {fa} = {a}，"
        "经过 b 成为 {nudge} × 1 × {fb} = {b}，合计 {both}。y 实际移动 {truth}，相差 {gap}。",
        "alt backward": "在 w = {w}、x = {x} 处，同样的倍数反向走：y 处是 1，a 处 1 × {fa} = {fa}，"
        "b 处 1 × {fb} = {fb}，在 w 处相加：{fa} + {fb} = {grad}，这就是 w.grad。"
        "a 处同样的 {fa} × 1 = {grad_x} 到达 x：x.grad。",
        "question": "w 从 {w} 变到 {nudged}，x 仍是 {x}。y = (w + x)(w + 1) 大约移动多少？",
        "a alone": "这只是经过 a 的部分：w + x 增加 {nudge}，再乘 b = {db}。另一个括号也变大了。",
        "b alone": "这只是经过 b 的部分：w + 1 增加 {nudge}，再乘 a = {da}。另一个括号也变大了。",
        "slope": "这是推动量的倍数。推动量是 {nudge}。",
        "new y": "这是新的 y。它移动了多少？",
        "nudge": "这是 w 移动的量。y 移动的是它的几倍？",
        "unit": "那是走一整步，到 w = {next}。推动量只有 {nudge}。",
        "press": "现在让它走：经过 a 来了多少，经过 b 来了多少？",
        "forward": "让推动走",
        "backward": "反向走",
        "smaller": "推动量 ÷ 10",
        "again": "推动量 = {nudge}",
        "nudge row": "推动",
        "slope row": "斜率",
        "through": "经过 {}",
        "together": "合计",
        "truth": "实际",
        "gap": "差：{gap}",
        "sum": "到达 w 的相加：{a} + {b} = {grad}",
        "brings nothing": "这里经过 {} 的路什么也不带来：路上有一个倍数是 0。",
        "takes away": "这里一条路拿走了另一条路带来的一部分。",
        "takes all": "这里一条路拿走了另一条路带来的全部：斜率是 0。",
        "run": "第 {run} 个图，由 <code>y = (w + x) * (w + 1)</code> 建成，w = {w}，x = {x} → y = {y}",
    },
}

KINK = {
    "en": {
        "title": "The curve of {name}, and needles at h = {h}.",
        ".": ".",
        "needle": "your needle",
        "release": "What does backward claim?",
        "claims": "backward claims",
        "yours": "Your needle: {}, {}",
        "claimed": "backward claims: {}, {}",
        "claimed?": "backward claims: ?",
        "measured": "Measured: {}",
        "measured?": "Measured: ?",
        "fits": "fits",
        "cuts": "does not fit",
        "passes": "passes",
        "fails": "FAILS",
        "set": "Turn your needle until it fits, then ask what backward claims.",
        "press": "Your needle fits. And what does backward claim?",
        "kink": "A kink: every slope from the one on the left to the one on the right fits.",
        "smooth": "No kink here: one slope fits.",
    },
    "zh": {
        "title": "{name} 的曲线，指针在 h = {h} 处。",
        ".": "。",
        "needle": "你的指针",
        "release": "backward 怎么说？",
        "claims": "backward 声称",
        "yours": "你的指针：{}，{}",
        "claimed": "backward 声称：{}，{}",
        "claimed?": "backward 声称：？",
        "measured": "测得：{}",
        "measured?": "测得：？",
        "fits": "贴合",
        "cuts": "不贴合",
        "passes": "通过",
        "fails": "不通过",
        "set": "转动你的指针，直到它贴合曲线，再问 backward 怎么说。",
        "press": "你的指针贴合。backward 又怎么说？",
        "kink": "这里有折点：左右两个斜率之间的每个斜率都贴合。",
        "smooth": "这里没有折点：只有一个斜率贴合。",
    },
}

SCISSORS = {
    "en": {
        "title": "A sequence in pieces, and how far back its gradient reaches",
        "masked": "The curve is what a recurrent network predicts, piece after piece. The bars below it will say how "
        "far back the gradient of the last piece's loss reaches; they are hidden until you predict.",
        "alt": "{cuts}. The gradient of the last piece's loss reaches {reached} of {steps} time steps with more than "
        "0.000001.",
        "alt stopped": "{cuts}. Backward stopped in piece {piece} of {pieces}: there is no gradient to show, and "
        "nothing after it has run.",
        "no cut": "No cut",
        "question": "Put ✂ between pieces {} and {}: `h = h.detach()`. What will change, the curve (what the network "
        "predicts) or the bars (how far back the gradient of the last piece's loss reaches)?",
        "curve": "only the curve",
        "bars": "only the bars",
        "both": "both",
        "belief": "detach keeps the number and drops its history. Which of the two is the curve made of?",
        "because": "The numbers go on, so forward notices nothing. The history ends, so backward finds nothing behind. "
        "Now place ✂ yourself.",
        "tooltip": "Cut between piece {} and piece {}",
        "reset": "at ✂ set the state back: h = None",
        "scale": "recurrent ×",
        "arrives": "At the last time step {last} arrives, at the first {first}.",
        "vanishes": "On its way back it vanishes.",
        "explodes": "On its way back it explodes.",
        "once": "backward once, from the last piece",
        "each": "backward and optimizer.step() after each piece",
        "retain": "the same with retain_graph=True",
        "retain question": "Without a ✂ the error says: specify `retain_graph=True`, and what was saved is kept. Does "
        "training then go on?",
        "works": "it works",
        "slow": "slow, but it works",
        "error": "another error",
        "belief works": "What was saved is kept, true. But the second piece's backward goes back into the first piece, "
        "and what has `optimizer.step()` done to the weights in between? See below.",
        "belief slow": "It would be slow, true: each backward would go back to the beginning. But what has "
        "`optimizer.step()` done to the weights in between? See below.",
        "retain masked": "Answer first: then it is run.",
        "take away": "Where a ✂ ends the graph, no pass goes back through what an earlier one used. Take the ✂ away to "
        "see what retain_graph=True does without.",
        "faint": "less than 1e−6",
        "retain because": "The second piece's backward goes back through the first piece, whose weights "
        "`optimizer.step()` has changed since. Each tensor counts its changes in place, its version, and backward "
        "sees that it is not the one that was saved.",
        "rest": "what else it says",
        "losses": "Losses of the pieces: {}.",
        "piece": "piece {}",
        "stopped": "error",
        "predicted": "predicted",
        "wanted": "wanted",
        "heading": "how strongly the last piece's loss L depends on the state h here: length of ∂L/∂h, logarithmic",
        "nothing": "nothing arrives here",
        "none": "no gradient: backward has stopped",
    },
    "zh": {
        "title": "分段的序列，以及梯度能回传多远",
        "masked": "曲线是循环网络逐段的预测。下面的柱表示最后一段的损失的梯度能回传多远；先预测，才会显示。",
        "alt": "{cuts}。最后一段的损失的梯度在 {steps} 个时间步中的 {reached} 个处大于 0.000001。",
        "alt stopped": "{cuts}。反向停在第 {piece} 段（共 {pieces} 段）：没有梯度可看，后面的也没有运行。",
        "no cut": "没有剪断",
        "question": "在第 {} 段和第 {} 段之间放 ✂：`h = h.detach()`。什么会变：曲线（网络的预测），"
        "还是柱（最后一段的损失的梯度回传多远）？",
        "curve": "只有曲线",
        "bars": "只有柱",
        "both": "两者都变",
        "belief": "detach 保留数值，丢掉历史。曲线由哪一个组成？",
        "because": "数值照常传下去，所以前向毫无察觉；历史到此为止，所以反向在后面什么也找不到。现在自己放 ✂。",
        "tooltip": "在第 {} 段和第 {} 段之间剪断",
        "reset": "在 ✂ 处清空状态：h = None",
        "scale": "循环权重 ×",
        "arrives": "最后一个时间步到达 {last}，第一个时间步到达 {first}。",
        "vanishes": "反向途中它消失了。",
        "explodes": "反向途中它爆炸了。",
        "once": "只从最后一段反向一次",
        "each": "每段之后反向并 optimizer.step()",
        "retain": "同上，并用 retain_graph=True",
        "retain question": "没有 ✂ 时，报错说：指定 `retain_graph=True`，保存的就会留着。这样训练能继续吗？",
        "works": "能",
        "slow": "慢，但能",
        "error": "另一个错误",
        "belief works": "保存的确实留着。但第二段的反向会走回第一段，而这期间 `optimizer.step()` 对权重做了什么？"
        "看下面。",
        "belief slow": "确实会慢：每次反向都要走回开头。但这期间 `optimizer.step()` 对权重做了什么？看下面。",
        "retain masked": "先回答，然后才会运行。",
        "take away": "✂ 处图已结束，反向不会再走过先前用过的部分。把 ✂ 拿掉，才能看到只有 retain_graph=True 会怎样。",
        "faint": "小于 1e−6",
        "retain because": "第二段的反向要走回第一段，而 `optimizer.step()` 此后改动了它的权重。"
        "每个张量都记着自己被原地改动的次数，即版本，backward 由此看出它已不是保存时的那个。",
        "rest": "报错的其余部分",
        "losses": "各段的损失：{}。",
        "piece": "第 {} 段",
        "stopped": "错误",
        "predicted": "预测",
        "wanted": "目标",
        "heading": "最后一段的损失 L 有多依赖此处的状态 h：∂L/∂h 的长度（对数刻度）",
        "nothing": "这里什么也没有到达",
        "none": "没有梯度：反向已停下",
    },
}

UNROLLED = {
    "en": {
        "fold": "fold equal time steps into one box",
        "says": "run {run}: T = {T} time steps make a graph of {nodes} nodes; its leaves hold {parameters} numbers to "
        "learn.",
        "ratio": "Of the gradient at the last state this part reaches the first: ‖∂L/∂h_0‖ / ‖∂L/∂h_T‖ = {}",
    },
    "zh": {
        "fold": "把相同的时间步折叠成一个框",
        "says": "第 {run} 次运行：T = {T} 个时间步的图有 {nodes} 个节点；叶子里有 {parameters} 个要学的数。",
        "ratio": "最后状态处的梯度传到最初状态的部分：‖∂L/∂h_0‖ / ‖∂L/∂h_T‖ = {}",
    },
}

MEMORY = {
    "en": {
        "title": "What a graph keeps in memory",
        "alt": "After {steps} steps the graph holds {graph}; under no_grad {silent}. After backward {after} are left.",
        "run": "run {run}: {T} steps with a graph, backward, and {T} steps under no_grad",
        "heading": "memory that the result keeps alive",
        "steps": "steps of the loop",
        "graph": "with a graph: {}",
        "silent": "under no_grad: {}",
    },
    "zh": {
        "title": "计算图占用的内存",
        "alt": "{steps} 步之后图占用 {graph}；在 no_grad 下是 {silent}。反向之后剩下 {after}。",
        "run": "第 {run} 次运行：带图的 {T} 步，反向，再在 no_grad 下走 {T} 步",
        "heading": "结果让多少内存不能释放",
        "steps": "循环的步数",
        "graph": "带图：{}",
        "silent": "在 no_grad 下：{}",
    },
}

STORAGES = {
    "en": {
        "title": "Memory and who shares it",
        "look": "Look again",
        "looked": "Look number {run}. Run cells that change something, then look again.",
        "shape": "shape {}",
        "box": "storage {}",
        "leaf": "leaf",
        "view": "view",
        "result": "result",
        "no history": "no history",
        "store": "Storage {}, {}: {}.",
        "tag": "{} ({}, version {})",
        "hidden": "What will backward do? Predict first.",
        "question": "y = w · w is computed, then `{}` and, under no_grad, `t.add_(1)`. What is `y.backward()` then?",
        "right": "right",
        "error": "an error",
        "wrong": "silently wrong",
        "belief shared": "t hangs on w's box, so w's numbers change. Does × still need the old ones?",
        "belief version": "Backward compares what it noted with w's odometer. Look at the tags: will that one turn?",
        "belief box": "Look at the boxes: does t hang on the one that × has saved?",
        "because detach": "t shares w's memory and its odometer. Backward saved at 0, now reads 1, and refuses.",
        "because data": "t shares w's memory, and has its own odometer. The one that backward reads stands still.",
        "because view": "A view shares memory and odometer. Backward saved at 0, now reads 1, and refuses.",
        "because clone": "A clone is memory of its own. w is what it was.",
    },
    "zh": {
        "title": "内存，以及谁与谁共用",
        "look": "再看一次",
        "looked": "看了 {run} 次。运行会改变张量的单元，再看一次。",
        "shape": "形状 {}",
        "box": "存储 {}",
        "leaf": "叶子",
        "view": "视图",
        "result": "结果",
        "no history": "没有历史",
        "store": "存储 {}，{}：{}。",
        "tag": "{}（{}，版本 {}）",
        "hidden": "backward 会怎样？先预测。",
        "question": "先算 y = w · w，然后 `{}`，再在 no_grad 下 `t.add_(1)`。这时 `y.backward()` 会怎样？",
        "right": "正确",
        "error": "报错",
        "wrong": "悄悄地错",
        "belief shared": "t 挂在 w 的盒子上，所以 w 的数会变。× 还需要旧的数吗？",
        "belief version": "backward 拿记下的数和 w 的里程表比较。看看标签：那个里程表会转吗？",
        "belief box": "看看盒子：t 挂在 × 保存的那个上吗？",
        "because detach": "t 和 w 共用内存，也共用里程表。backward 保存时是 0，现在读到 1，于是拒绝。",
        "because data": "t 和 w 共用内存，却有自己的里程表。backward 所读的那个没有动。",
        "because view": "视图共用内存和里程表。backward 保存时是 0，现在读到 1，于是拒绝。",
        "because clone": "clone 是另一块内存。w 还是原来的样子。",
    },
}

MACHINE = {
    "en": {
        "static": "static: one graph, {left} operators",
        "dynamic": "dynamic: graph {run}, {right} operators",
        "turned": "its loop turned {turns} ×",
        "turn": "turn {turn} of {turns}",
        "came": "result",
        "first": "Run 1, T = {T}: the session ran a graph of {left} operators, built before; Python built one of "
        "{right}.",
        "line": "Run {run}, T = {T}: the session ran the same graph of {left} operators; Python built a new one of "
        "{right}.",
        "title": "A loop in the graph and a loop in Python",
        "run": "Run again",
        "question": "At T = {T} the static graph has {left} operators and the dynamic one {right}. How many will they "
        "have at T = {most}?",
        "pair": "{} and {}",
        "same": "Python runs its loop anew, for as many turns as T says. What does each turn add to the dynamic graph?",
        "grown": "The dynamic one grows so. But how often was the static one built?",
        "ran": "So often one of them will run, in the static graph. How many are there, to be run again and again?",
        "press": "The static one was built once, and turns as often as T is fed. Now move T, and watch both.",
    },
    "zh": {
        "static": "静态：一张图，{left} 个算子",
        "dynamic": "动态：第 {run} 张图，{right} 个算子",
        "turned": "循环转了 {turns} 次",
        "turn": "第 {turn} 次，共 {turns} 次",
        "came": "结果",
        "first": "第 1 次运行，T = {T}：会话运行事先建好的 {left} 个算子的图；Python 建了一张 {right} 个算子的图。",
        "line": "第 {run} 次运行，T = {T}：会话运行同一张 {left} 个算子的图；Python 建了一张 {right} 个算子的新图。",
        "title": "图里的循环与 Python 里的循环",
        "run": "再运行一次",
        "question": "T = {T} 时静态图有 {left} 个算子，动态图有 {right} 个。T = {most} 时各有几个？",
        "pair": "{} 和 {}",
        "same": "Python 会重新运行它的循环，T 是多少就转多少次。每转一次给动态图添上什么？",
        "grown": "动态图会这样变大。可是静态图建了几次？",
        "ran": "静态图里会运行这么多次。反复运行的算子有几个？",
        "press": "静态图只建一次，T 喂入多少就转多少次。现在移动 T，看两边。",
    },
}
