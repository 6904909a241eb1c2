"""What an error of autograd means, explained to the reader who has just met it. Read clinic.py first."""
