"""Explorers of the static graph, in the order of lesson 11: ring.py, passes.py, machine.py, race.py."""
