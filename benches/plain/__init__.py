"""Rivals in plain Python, as a careful user writes them with what is on PyPI; oracles in tests."""
