"""Training that can be watched and touched: a plot that keeps up with the loop. Read live.py first."""
