"""Script file that Hama starts, since it can name an interpreter and a file but no module."""

from typing import Final

SCRIPT: Final = """\
# Runs the BSP class that the first program argument names, by jvmwire.
from jvmwire.hama._runner import main
raise SystemExit(main())
"""
