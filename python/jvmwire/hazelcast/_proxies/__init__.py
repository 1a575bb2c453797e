"""The structures of a cluster, a module for each kind."""
