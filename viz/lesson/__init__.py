"""What the lessons ask and show: predictions, folded cells, sliders that run code again."""
