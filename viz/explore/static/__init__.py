"""Explorers of the static graph, in the order in which lesson 11 asks: ring.py, passes.py, machine.py, race.py."""
