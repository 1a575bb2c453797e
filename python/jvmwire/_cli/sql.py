"""SQL over captures by DuckDB, which takes the tables in batches as they are decoded."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jvmwire._cli.decode_warnings import DecodeWarnings
from jvmwire._cli.rows import microseconds
from jvmwire._cli.tabular import as_json
from jvmwire._escaping import get_logger, is_unicode, quote
from jvmwire._extras import import_extra
from jvmwire._files import refuse_inputs
from jvmwire.capture import View, make_view
from jvmwire.capture._views import all_columns
from jvmwire.errors import ConfigError, JvmWireError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from decimal import Decimal

    import duckdb
    import pyarrow as pa

    from jvmwire._cli.inputs import DecodeInput

TABLES: Final = ("calls", "messages", "streams", "traffic")
"""The tables that a query names."""
_SAFE: Final = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
    "temp_directory": "",
}
"""Settings that keep DuckDB from other files, the network and Python's variables."""
_TO_TEXT: Final = frozenset(
    ("interval", "uhugeint", "bit", "bignum", "time with time zone", "union", "variant")
)
"""Types that Arrow, CSV or JSON do not have, or that DuckDB exports with another value."""
_UNKNOWN_TABLE: Final = re.compile(r"Table with name ((?:(?! does not exist).)+)")
_PUNCTUATION: Final = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]| AND """)
"""Texts, quoted names, parentheses and ANDs of a condition."""
_DIFFERENT: Final = re.compile(r'[\\"`]')
"""Characters that mean something else in conditions of decodes, which have Spark's SQL."""
_COPY_TO: Final = re.compile(
    r"\bTO\s+(?:E?'((?:[^']|'')*)'|\$\$(.*?)\$\$)", re.IGNORECASE | re.DOTALL
)
_OVERWRITE: Final = re.compile(r"\bOVERWRITE", re.IGNORECASE)
"""The beginning of the options of COPY that remove the files of a folder."""
_FILE_URL: Final = re.compile(r"^file:(//(localhost(?=/))?)?")
_log = get_logger("jvmwire.query")


class QueryError(ConfigError):
    """A query that DuckDB refuses, or that reads or writes files without permission."""


class CaptureQueries:
    """SQL queries of the tables of captures.

    Each use of a table in a query decodes the captures, with the columns that the query needs.

    Args:
        source: The captures.
        memory_limit: Bytes that DuckDB may use.
        allow_files: Whether a query may read and write other files.

    Raises:
        MissingExtra: DuckDB or pyarrow is not installed.
    """

    def __init__(self, source: DecodeInput, *, memory_limit: int, allow_files: bool) -> None:
        for module in ("duckdb", "pyarrow"):
            import_extra(module, "jvmwire query needs", "'jvmwire[query]'")
        import duckdb

        self._source = source
        self._memory_limit = memory_limit
        self._allow_files = allow_files
        self._failures: list[BaseException] = []
        self.warnings = DecodeWarnings()
        """What could not be decoded."""
        config: dict[str, Any] = {
            **_SAFE,
            "enable_external_access": allow_files,
            "memory_limit": f"{memory_limit}B",
        }
        self._database = duckdb.connect(":memory:", config=config)
        self._plan = _Plan()
        for name in TABLES:
            self._database.register(name, _CaptureTable(self, name))
        self._database.execute("SET enable_progress_bar = false")
        self._database.execute("SET lock_configuration = true")

    def run(self, sql: str) -> Generator[pa.RecordBatch]:
        """Run one query.

        Args:
            sql: The query.

        Returns:
            The batches of the result, the first of which may have no rows; it has the schema.

        Raises:
            QueryError: the query is wrong, needs too much memory, or more than one.
            OSError: a capture cannot be read.
        """
        import pyarrow as pa

        # DuckDB works in another thread, since this one would not notice Ctrl-C meanwhile.
        with ThreadPoolExecutor(1, thread_name_prefix="jvmwire-query") as thread:
            try:
                with self._errors():
                    names, reader = thread.submit(self._begin, sql).result()
                head = pa.RecordBatch.from_pylist([], schema=reader.schema)
                yield head.rename_columns(names)
                while True:
                    with self._errors():
                        batch = thread.submit(_next_batch, reader).result()
                    if batch is None:
                        return
                    yield batch.rename_columns(names)
            except BaseException:
                self._database.interrupt()
                raise

    def _begin(self, sql: str) -> tuple[list[str], pa.RecordBatchReader]:
        """Return the names of the result's columns, and the result, whose own names may differ."""
        import pyarrow as pa

        self._check(sql)
        self._plan = self._read_plan(sql)
        relation = self._database.sql(sql)
        _check_names(relation.columns)
        names = relation.columns
        return names, pa.RecordBatchReader.from_stream(_with_texts(relation))

    def batches(self, table: str, columns: list[str]) -> Iterator[pa.RecordBatch]:
        """Decode the captures once.

        Args:
            table: Name of the table.
            columns: Names of its columns that are decoded.
        """
        import pyarrow as pa

        where = self._plan.condition_of(table)
        view = make_view(table, columns=columns, where=where)
        conditions = "" if where is None else f" where {where}"
        _log.info("decoding %s: %s%s", table, ", ".join(columns), conditions)
        sessions = self._source.sessions([view], warnings=self.warnings)
        try:
            with closing(sessions):
                for _, session in sessions:
                    for _, batch in session:
                        yield pa.record_batch(batch)
        except Exception as error:
            self._failures.append(error)
            raise

    def columns_used(self, columns: list[str]) -> list[str]:
        """Return those of a table's columns that the query at hand reads; at least one.

        Args:
            columns: Names of all columns of the table.
        """
        used = self._plan.columns
        return [name for name in columns if used is None or name in used] or columns[:1]

    def _check(self, sql: str) -> None:
        """Refuse anything but one query; with permission, a COPY is one too."""
        import duckdb

        if not is_unicode(sql):
            raise QueryError(f"the query {quote(sql)} is not valid Unicode")
        statements = self._database.extract_statements(sql)
        if not statements:
            raise QueryError("the query is empty")
        allowed = [duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN]
        if self._allow_files:
            allowed.append(duckdb.StatementType.COPY)
        if len(statements) != 1:
            raise QueryError(f"one query is run at a time, got {len(statements)} statements")
        if statements[0].type not in allowed:
            copies = ", or COPY" if self._allow_files else ""
            raise QueryError(f"the query must be a SELECT{copies}, got {quote(sql.strip())}")
        if statements[0].type != duckdb.StatementType.SELECT:
            self._check_copy(sql)

    def _check_copy(self, sql: str) -> None:
        """Refuse a COPY, which EXPLAIN ANALYZE runs too, onto a capture or its folder."""
        files = self._source.local_files
        for quoted, dollars in _COPY_TO.findall(sql):
            named = _FILE_URL.sub("", quoted.replace("''", "'") or dollars, count=1)
            output = Path(named).expanduser() if named.startswith("~/") else Path(named)
            refuse_inputs(output, files)
            if output.is_dir() and _OVERWRITE.search(sql):
                folder = output.resolve()
                for file in files:
                    if isinstance(file, Path) and folder in file.resolve().parents:
                        raise QueryError(
                            f"the folder {output} holds the input {file}, which COPY would remove: "
                            "nothing was written; name another folder"
                        )

    def _read_plan(self, sql: str) -> _Plan:
        """Return what DuckDB's plan of a query reads."""
        import duckdb

        try:
            [(_, plan)] = self._database.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall()
        except (duckdb.Error, ValueError):  # it is explained itself, or wrong, which running tells
            return _Plan()
        scans = list(_scans(json.loads(plan)))
        columns = {name for read, _ in scans for name in read}
        # A plan does not name the tables: the conditions of one scan among others are not pushed.
        conditions = scans[0][1] if len(scans) == 1 else []
        return _Plan(columns, conditions)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of DuckDB into sentences, and those of a decode into themselves."""
        import duckdb
        import pyarrow as pa

        try:
            yield
        except (duckdb.Error, pa.ArrowException, OSError) as error:
            if self._failures:
                raise self._failures[0] from None
            raise QueryError(self._sentence(error)) from error

    def _sentence(self, error: Exception) -> str:
        import duckdb

        text = str(error)
        if isinstance(error, duckdb.PermissionException) or "Permission Error" in text:
            return "the query reads or writes a file, which needs --allow-files"
        if isinstance(error, duckdb.OutOfMemoryException) or "Out of Memory" in text:
            return (
                f"the query needs more than {self._memory_limit >> 20:,} MiB of memory: "
                "select less, or pass a larger --memory-limit"
            )
        if (unknown := _UNKNOWN_TABLE.search(text)) and unknown[1] not in TABLES:
            return f"there is no table {unknown[1]}; the tables are {', '.join(TABLES)}"
        reason = " ".join(text.partition("\n\nLINE")[0].split())
        _, colon, rest = reason.partition(" Error: ")
        return f"the query cannot be run: {rest if colon else reason}"


@dataclass(frozen=True, slots=True)
class _Plan:
    """The part of a query that a decode can do.

    Args:
        columns: Names of the columns that are read, of any table; None for all.
        conditions: Conditions that every row of the only scan must meet, as DuckDB prints them.
    """

    columns: set[str] | None = None
    conditions: Sequence[str] = ()

    def condition_of(self, table: str) -> str | None:
        """Return a condition for the rows of a table, which DuckDB checks again; None for all."""
        known = []
        for condition in self.conditions:
            if _DIFFERENT.search(condition):
                continue
            with suppress(ConfigError):  # a decode cannot check it
                make_view(table, where=condition)
                known.append(condition)
        return " AND ".join(known) or None


def _scans(plan: list[Any]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the columns of each scan of a plan, and the conditions of the filters right above."""
    waiting: list[tuple[Any, list[str]]] = [(node, []) for node in plan]
    while waiting:
        node, filters = waiting.pop()
        info = node.get("extra_info", {})
        if "ARROW_SCAN" in node.get("name", ""):
            read = info.get("Projections", [])
            yield [read] if isinstance(read, str) else read, filters
        above = []
        if node.get("name", "").strip() == "FILTER":
            above = [*filters, *_conjuncts(info.get("Expression", ""))]
        waiting += [(child, above) for child in node.get("children", ())]


def _conjuncts(expression: str) -> list[str]:
    """Split a condition, as DuckDB prints it, at the ANDs of its outermost parentheses."""
    parts, depth, start = [], 0, 1
    for found in _PUNCTUATION.finditer(expression):
        match found[0]:
            case "(":
                depth += 1
            case ")":
                depth -= 1
            case " AND " if depth == 1:
                parts.append(expression[start : found.start()])
                start = found.end()
    return [*parts, expression[start:-1]] if parts else [expression]


def _next_batch(reader: pa.RecordBatchReader) -> pa.RecordBatch | None:
    try:
        return reader.read_next_batch()
    except StopIteration:
        return None


class _CaptureTable:
    """A table of captures for DuckDB, which asks for a stream at each scan.

    A query is bound to all columns; those that its plan does not read are null, and not decoded.
    """

    def __init__(self, queries: CaptureQueries, name: str) -> None:
        import pyarrow as pa

        self._queries = queries
        self._name = name
        fields: Any = pa.schema(View(name, columns=all_columns(name)))  # type: ignore[arg-type]
        self._schema = pa.schema([field.with_nullable(True) for field in fields])  # noqa: FBT003 - of pyarrow

    def __arrow_c_schema__(self) -> object:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        import pyarrow as pa

        reader: Any = pa.RecordBatchReader.from_batches(self._schema, self._batches())
        return reader.__arrow_c_stream__(requested_schema)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        used = self._queries.columns_used(self._schema.names)
        for batch in self._queries.batches(self._name, used):
            columns = [
                batch.column(field.name)
                if field.name in used
                else pa.nulls(batch.num_rows, field.type)
                for field in self._schema
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=self._schema)


def _check_names(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise QueryError(f"two columns of the result are named {quote(name)}: rename one by AS")
        seen.add(name)


def _with_texts(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Return a relation whose values of types in `_TO_TEXT` are their text in DuckDB."""
    is_text = [_is_text(kind) for kind in relation.types]
    if not any(is_text):
        return relation
    # By position, since names may differ in case only.
    return relation.project(
        ", ".join(f"#{at}{'::VARCHAR' * text}" for at, text in enumerate(is_text, 1))
    )


def _is_text(kind: Any) -> bool:
    if kind.id in {"list", "array", "struct", "map"}:
        return any(_is_text(inner) for name, inner in kind.children if name != "size")
    return kind.id in _TO_TEXT


@contextmanager
def errors_of_values() -> Iterator[None]:
    """Turn errors of pyarrow about types and values of a result into sentences.

    Raises:
        QueryError: the format of the output cannot express a value, such as a date in year -5.
    """
    import pyarrow as pa

    try:
        yield
    except (JvmWireError, MemoryError):
        raise
    except (pa.ArrowException, OverflowError, RecursionError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise QueryError(
            f"the result cannot be written: {reason.rstrip('.')}; cast such columns to VARCHAR"
        ) from error


class ResultRows:
    """Rows of a result, with the interface of a record batch and of a view.

    Args:
        batch: The rows.
    """

    table = "result"

    def __init__(self, batch: pa.RecordBatch) -> None:
        self._batch = batch

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._batch.schema.names)

    @property
    def kinds(self) -> dict[str, str]:
        """Kinds of columns by name, for `PeopleTable`: those whose type says more than the name."""
        import pyarrow as pa

        found = {}
        for field in self._batch.schema:
            if pa.types.is_timestamp(field.type):
                found[field.name] = "time"
            elif pa.types.is_nested(field.type):
                found[field.name] = "fields"
            elif _is_number(field.type, pa):
                found[field.name] = "number"
            else:
                found[field.name] = "text"
        return found

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return self._batch.num_rows

    def to_jsonl(self) -> bytes:
        """Encode the rows as JSON, one object per line; times are microseconds."""
        import pyarrow as pa

        names = self.columns
        plain = [_plain_column(column, pa) for column in self._batch.columns]
        rows: Iterable[tuple[Any, ...]] = zip(*plain, strict=True)
        return b"".join(as_json(dict(zip(names, row, strict=True))) + b"\n" for row in rows)

    def __arrow_c_schema__(self) -> object:
        return self._batch.schema.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        exported: Any = self._batch
        arrays: tuple[object, object] = exported.__arrow_c_array__(requested_schema)
        return arrays


def _is_number(kind: Any, pa: Any) -> bool:
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    )


def _plain_column(column: Any, pa: Any) -> list[Any]:
    """Return the values of a column: times as microseconds, decimals as numbers."""
    values: list[Any] = (
        microseconds(column) if pa.types.is_timestamp(column.type) else column
    ).to_pylist()
    if pa.types.is_decimal(column.type):
        return [_plain_number(value) for value in values]
    return values


def _plain_number(value: Decimal | None) -> int | float | None:
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() else float(value)
