"""How a graph looks: its layout by Graphviz, its shapes and colours, the SVG, the words. Read picture.py first."""
