"""Baselines in plain Python, as careful users write them with PyPI packages; oracles in tests."""
