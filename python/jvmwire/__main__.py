"""The command `jvmwire`, also as `python -m jvmwire` where its script is not on the path."""

import signal


def main() -> None:
    """Load the command and run it.

    While modules are loaded, Ctrl-C ends the process without a traceback: there is nothing to
    clean up yet.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from jvmwire.cli import main as run

    run()


if __name__ == "__main__":
    main()
