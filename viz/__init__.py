"""Pictures of what minigrad computes: the graph behind a tensor, and training while it runs.

    viz.draw(y)       the graph behind y                   (picture.py)
    viz.live()        a plot that keeps up with a loop     (live.py)
    viz.trainer(...)  that plot, with buttons and sliders  (trainer.py)
    viz.needle(...)   claimed slopes, on a curve           (needle.py)

It uses public names of minigrad only, and works on real PyTorch's tensors too. Needs the extra `viz`:
pip install "minigrad[viz]". What is heavy is imported when a picture is made.
"""

from .folded import folded as folded
from .live import live as live
from .needle import needle as needle
from .picture import Picture as Picture
from .picture import draw as draw
from .predict import predict as predict
from .rerun import rerun as rerun
from .trainer import trainer as trainer
