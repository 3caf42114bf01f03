"""Watches a person work and writes down what they did as a macro."""
