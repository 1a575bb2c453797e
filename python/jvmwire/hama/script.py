"""The file that Hama starts: it can name an interpreter and a file, and no module."""

from typing import Final

SCRIPT: Final = """\
# Runs the BSP class that the first program argument names, by jvmwire.
from jvmwire.hama.runner import main
raise SystemExit(main())
"""
