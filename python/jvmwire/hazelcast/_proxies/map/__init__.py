"""The map's proxy, by groups of methods."""
