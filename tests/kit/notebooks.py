"""Notebooks, run as a reader runs them: `python -m kit.notebooks NOTEBOOK` prints the results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from kit.environment import BIN, ROOT


def run_notebook(path: Path, folder: Path) -> str:
    """Run the cells of a notebook in a process and a kernel of its own.

    Args:
        path: The notebook.
        folder: The working directory of the kernel.

    Returns:
        The results of the cells as text.

    Raises:
        CalledProcessError: a cell failed.
    """
    done = subprocess.run(
        [sys.executable, "-m", "kit.notebooks", path],
        cwd=folder,
        env=os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "tests")},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def _print_results(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    # Sockets in the file system: nobody else may reach the kernel.
    manager = AsyncKernelManager(transport="ipc", ip="kernel")
    NotebookClient(notebook, km=manager, timeout=300).execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            sys.stdout.write(output.get("data", {}).get("text/plain", "") + "\n")


if __name__ == "__main__":
    _print_results(Path(sys.argv[1]))
