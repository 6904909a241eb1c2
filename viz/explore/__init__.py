"""Explorers: each a question that is answered by moving something. Read panel.py first, then whichever you like."""
