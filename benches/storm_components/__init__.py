"""The same bolt in our words and in the rivals'; each is a process of its own."""
