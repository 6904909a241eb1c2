"""What the lessons ask and show: exercises, predictions, folded cells, sliders that run code again."""
