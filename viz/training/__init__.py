"""Live plots of training, with controls: the plot follows the loop while it runs. Read live.py first."""
