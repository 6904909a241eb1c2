"""The look of a graph: layout by Graphviz, shapes, colours, SVG, text alternative. Read picture.py first."""
