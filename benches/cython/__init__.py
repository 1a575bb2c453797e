"""Baselines in Cython, written to be as fast as possible: the functions of `benches.plain`,
compiled.
"""
