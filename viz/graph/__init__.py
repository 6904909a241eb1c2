"""What a picture shows, as plain data: the model, and a reader for each source of graphs. Read model.py first."""
