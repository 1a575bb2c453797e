"""Reference implementations of the codec, in plain Python and in Cython."""
