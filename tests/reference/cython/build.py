"""Compiler of the Cython baselines; the extensions are placed next to their sources.

    PYTHONPATH=tests python -m reference.cython.build

The options are those of extensions on PyPI: for any machine of this kind, with -O3.
"""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Distribution, Extension

ROOT = Path(__file__).parents[3]
SOURCES = Path("tests", "reference", "cython")
BUILD = Path("build", "cython")


def main() -> None:
    """Compile the sources that are newer than their extension."""
    extensions = [
        Extension(f"{__package__}.{source.stem}", [str(source)], extra_compile_args=["-O3", "-g0"])
        for source in sorted(SOURCES.glob("*.pyx"))
    ]
    modules = cythonize(  # type: ignore[no-untyped-call]
        extensions, build_dir=str(BUILD), quiet=True
    )
    command = Distribution({"ext_modules": modules, "package_dir": {"": "tests"}}).get_command_obj(
        "build_ext"
    )
    command.inplace = True
    command.build_temp = str(BUILD)
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    with chdir(ROOT):
        main()
