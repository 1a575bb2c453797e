"""Test support: real peers, taps and recordings."""
