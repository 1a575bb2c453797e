"""`python -m jvmwire`: the command, where its script is not on the path."""

from jvmwire.cli import main

if __name__ == "__main__":
    main()
