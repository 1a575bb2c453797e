"""Hazelcast's open binary client protocol 1.x."""
