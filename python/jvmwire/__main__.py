"""Entry point of the command `jvmwire`, also available as `python -m jvmwire`."""

# Not `signal`: while that loads `enum`, Ctrl-C would be a traceback.
import _signal as signal  # type: ignore[import-not-found]


def main() -> None:
    """Import the command line and run it.

    During the import, Ctrl-C ends the process without a traceback, since there is nothing to clean
    up.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from jvmwire._cli import main as run

    run()


if __name__ == "__main__":
    main()
