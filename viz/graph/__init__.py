"""The content of a picture as plain data: the model, and a reader for each source of graphs. Read model.py first."""
