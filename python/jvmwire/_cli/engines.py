"""Engines that count the traffic of a report: threads of this process, or Spark."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING, Any

import click

from jvmwire._cli.progress import read_progress, waiting
from jvmwire._cli.spark_options import settings_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from jvmwire.report import Report, ReportOptions


class EngineName(StrEnum):
    """The value of the option `--engine`."""

    IN_PROCESS = "in-process"
    SPARK = "spark"


@dataclass(frozen=True)
class SelectedEngine:
    """The engine that the options of a command name."""

    name: EngineName
    master: str | None
    """Master URL of Spark; None for its default."""
    settings: dict[str, str]
    """Settings of Spark by name."""

    def run_report(
        self,
        captures: Sequence[Path],
        directory: Path,
        *,
        keep_calls: bool,
        force: bool,
        options: ReportOptions,
    ) -> Report:
        """Write a report, with progress on standard error if that is a terminal.

        Args:
            captures: Captures to read.
            directory: Folder of the report.
            keep_calls: Whether to write calls.parquet.
            force: Whether to replace files that no report wrote.
            options: The calls to report on, and the form of the page.

        Returns:
            The report.

        Raises:
            ConfigError: a file would be replaced that no report wrote, or Spark fails.
            MissingExtra: a package of the engine is not installed.
        """
        run = _run_in_spark if self.name is EngineName.SPARK else _run_in_process
        return run(self, captures, directory, keep_calls=keep_calls, force=force, options=options)


def engine_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options `--engine`, `--master` and `--conf` to a command, as a value `engine`.

    Args:
        command: Function of a click command.

    Returns:
        The function with the options.
    """

    @click.option(
        "--engine",
        "engine_name",
        type=click.Choice([name.value for name in EngineName]),
        help="What decodes: all cores of this process, or Spark. "
        "Default: spark with --master or --conf, else in-process.",
    )
    @click.option("--master", help="Where Spark runs (default: local[*]).")
    @settings_option
    @wraps(command)
    def with_engine(
        *, engine_name: str | None, master: str | None, settings: dict[str, str], **others: Any
    ) -> None:
        is_for_spark = master is not None or bool(settings)
        if engine_name == EngineName.IN_PROCESS and is_for_spark:
            raise click.UsageError("--master and --conf are for --engine spark")
        default = EngineName.SPARK if is_for_spark else EngineName.IN_PROCESS
        engine = SelectedEngine(EngineName(engine_name or default), master, settings)
        command(engine=engine, **others)

    return with_engine


class _WithoutPandas(MetaPathFinder):
    """Finder that lets pyarrow and DuckDB find no pandas, whose import takes a second.

    They ask pandas whether a value is its own; no report and no query needs pandas.
    """

    def find_spec(self, fullname: str, *_: object) -> None:
        """Refuse pandas, and find nothing else."""
        if fullname == "pandas":
            raise ModuleNotFoundError(f"a command imports no {fullname}", name=fullname)


@contextmanager
def without_pandas() -> Iterator[None]:
    """Keep libraries that look for pandas from importing it, unless it is imported already."""
    finder = _WithoutPandas()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def _run_in_process(
    _: SelectedEngine,
    captures: Sequence[Path],
    directory: Path,
    *,
    keep_calls: bool,
    force: bool,
    options: ReportOptions,
) -> Report:
    with without_pandas(), read_progress(captures) as on_read:
        from jvmwire.report import report_captures

        return report_captures(
            captures,
            directory,
            keep_calls=keep_calls,
            force=force,
            on_read=on_read,
            options=options,
        )


def _run_in_spark(
    engine: SelectedEngine,
    captures: Sequence[Path],
    directory: Path,
    *,
    keep_calls: bool,
    force: bool,
    options: ReportOptions,
) -> Report:
    import jvmwire.report  # noqa: F401 - names the extra that has all of it
    from jvmwire.report._folder import check_folder
    from jvmwire.spark import new_session
    from jvmwire.spark._report import run_report

    # Before Spark is started, which takes seconds.
    check_folder(directory, captures, force=force)
    with waiting("starting Spark"):
        spark = new_session(engine.master, name="jvmwire report", settings=engine.settings)
    try:
        with waiting(f"decoding {len(captures)} capture{'s' * (len(captures) != 1)} in Spark"):
            return run_report(
                spark, captures, directory, keep_calls=keep_calls, force=force, options=options
            )
    finally:
        spark.stop()
