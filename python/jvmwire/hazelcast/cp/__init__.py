"""CP subsystem: data structures that a majority of the members agrees on, by `client.cp`."""
