"""Baselines in plain Python, as careful users write them with packages of PyPI; oracles in
tests.
"""
