"""What the tests stand on: real peers, taps, recordings."""
