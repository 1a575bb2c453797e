"""Baselines in Cython, written to be fast: the functions of `benches.plain`, compiled."""
