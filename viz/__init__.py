from .live import live as live
from .picture import Picture as Picture
from .picture import draw as draw
from .trainer import trainer as trainer
