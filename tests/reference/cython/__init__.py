"""Baselines in Cython, written to be fast: the functions of `reference.plain`, compiled."""
