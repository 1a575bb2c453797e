"""Separate Python environments, and the distributions that are built to be installed in them."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
PYTHONPATH = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
"""PYTHONPATH of processes that import the benches, the reference implementations or the kit."""
BIN = Path(sys.executable).parent

# Seconds for a release build from nothing, on one busy core.
BUILD_TIMEOUT = 900.0
RUN_TIMEOUT = 240.0


class EnvironmentFailed(RuntimeError):
    """Failure of a build, an installation or a program, with its output."""


def build(kind: str, out: Path) -> Path:
    """Build the `wheel` or the `sdist` in `out`; the Rust is compiled only if it was not yet."""
    how = ["build", "--release"] if kind == "wheel" else ["sdist"]
    # maturin looks for patchelf, the interpreter and rustc on the PATH.
    path = os.pathsep.join([str(BIN), os.environ["PATH"]])
    _run([str(BIN / "maturin"), *how, "--out", str(out)], ROOT, os.environ | {"PATH": path})
    [made] = out.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


@dataclass(frozen=True)
class Environment:
    """Environment outside the checkout, and the only variables that its programs see."""

    path: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def new(cls, path: Path, *packages: str) -> Self:
        """Create one with `packages` installed, from uv's cache if that has them all."""
        made = cls(path, {"PATH": str(path / "bin"), "HOME": str(path)})
        uv = str(BIN / "uv")
        _run([uv, "venv", "--quiet", "--python", sys.executable, str(path)], path.parent)
        if packages:
            install = [uv, "pip", "install", "--quiet", "--python", str(made.python), *packages]
            # The versions that this checkout is tested with.
            install += ["--constraint", str(ROOT / "requirements.lock")]
            try:
                _run([*install, "--offline"], path.parent)
            except EnvironmentFailed:
                _run(install, path.parent)
        return made

    @property
    def python(self) -> Path:
        """The interpreter of the environment."""
        return self.path / "bin" / "python"

    def with_variables(self, **variables: str) -> "Environment":
        """Return the same environment with more variables."""
        return Environment(self.path, {**self.variables, **variables})

    def run(
        self, program: str, *arguments: str | Path, status: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, in its directory; fail on another exit status."""
        command = [str(self.path / "bin" / program), *map(str, arguments)]
        return _run(command, self.path, self.variables, status)


def _run(
    command: Sequence[str],
    directory: Path,
    variables: Mapping[str, str] | None = None,
    status: int = 0,
) -> subprocess.CompletedProcess[str]:
    timeout = BUILD_TIMEOUT if directory == ROOT else RUN_TIMEOUT
    done = subprocess.run(
        command,
        cwd=directory,
        env=variables,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    if done.returncode != status:
        raise EnvironmentFailed(
            f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done
