"""What an error of autograd means, for whoever has just met it. Read clinic.py first."""
