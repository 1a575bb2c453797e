"""Rivals in Cython, as fast as we can write them: the functions of `benches.plain`, compiled."""
