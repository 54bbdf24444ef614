"""Evaluates: laws of similarities, risks and biases, with no knowledge of the paper's claims."""
