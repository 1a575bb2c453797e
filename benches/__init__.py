"""Benchmarks: what they compare with, and the inputs that they make."""
