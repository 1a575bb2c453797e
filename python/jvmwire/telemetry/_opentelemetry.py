"""Spans and duration histograms of calls for OpenTelemetry, by its conventions for RPC."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from jvmwire._escaping import escape, shorten
from jvmwire._extras import import_extra

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

    from jvmwire.hadoop.server import ServedCall
    from jvmwire.options import CallReport

BOUNDARIES: Final = (*(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10),)
"""Buckets of durations in seconds: the advice of the conventions."""
SCHEMA: Final = "https://opentelemetry.io/schemas/1.39.0"
"""The version of the conventions that names are taken from."""
MAX_ATTRIBUTES: Final = 4096
"""Sets of attributes that are kept for the next calls (chosen by jvmwire)."""
MAX_CODE: Final = 200
"""Characters of a server's class of errors that are kept (chosen by jvmwire)."""

_Attributes = dict[str, Any]


class OpenTelemetry:
    """Spans and durations of each call, for the providers of a program.

    Names and attributes are those of the semantic conventions for RPC, for all systems. A client of
    Hazelcast, too, calls remote objects, of which maps are one kind, so `db.*` would describe some
    of its calls only. No argument, result, user or text of an error is recorded.

    A span is made when its call has ended, with the times of the call. Its parent is the span that
    is active where the call was made.

    Args:
        spans: Whether spans are made. Default: True.
        durations: Whether durations are recorded, as `rpc.client.call.duration` and
            `rpc.server.call.duration`. Default: True.
        tracer_provider: Provider of the spans. Default: that of the program.
        meter_provider: Provider of the histograms. Default: that of the program.

    Raises:
        MissingExtra: the package `opentelemetry-api` is not installed.
    """

    def __init__(
        self,
        *,
        spans: bool = True,
        durations: bool = True,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
    ) -> None:
        because, install = "OpenTelemetry needs", '"jvmwire[opentelemetry]"'
        trace = import_extra("opentelemetry.trace", because, install)
        metrics = import_extra("opentelemetry.metrics", because, install)
        self._tracer: Any = None
        if spans:
            self._tracer = trace.get_tracer("jvmwire", None, tracer_provider, SCHEMA)
        self._client_seconds = self._server_seconds = None
        if durations:
            meter = metrics.get_meter("jvmwire", "", meter_provider, SCHEMA)
            self._client_seconds, self._server_seconds = (
                meter.create_histogram(
                    f"rpc.{side}.call.duration",
                    "s",
                    f"Duration of {kind} calls.",
                    explicit_bucket_boundaries_advisory=BOUNDARIES,
                )
                for side, kind in (("client", "outbound"), ("server", "inbound"))
            )
        self._client_kind, self._server_kind = trace.SpanKind.CLIENT, trace.SpanKind.SERVER
        self._failed = trace.Status(trace.StatusCode.ERROR)
        self._root = import_extra("opentelemetry.context", because, install).Context()
        self._known: dict[object, _Attributes] = {}

    def on_call(self, report: CallReport) -> None:
        """Record a call of a client: the value of its option `on_call`.

        Args:
            report: The call.
        """
        error = report.error
        kind = None if error is None else type(error)
        key = (report.client, report.name, report.host, report.port, kind)
        attributes = self._known.get(key)
        if attributes is None:
            method = f"{report.client}/{report.name}"
            attributes = self._attributes(key, report.system, method, error)
            if report.host is not None:
                attributes["server.address"] = report.host
                attributes["server.port"] = report.port
        if self._client_seconds is not None:
            self._client_seconds.record(report.seconds, attributes)
        if self._tracer is not None:
            self._span(self._client_kind, None, report.seconds, attributes, error)

    def on_served(self, call: ServedCall) -> None:
        """Record a call that a server executed: the value of its option `on_call`.

        The calls of a batch are recorded with an equal share of its time, and have one span.

        Args:
            call: The call, or the batch.
        """
        error = call.error
        kind = None if error is None else type(error)
        key = (call.protocol, call.method, kind, call.errors > 0)
        attributes = self._known.get(key)
        if attributes is None:
            method = f"{call.protocol}/{call.method}"
            attributes = self._attributes(key, "hadoop", method, error)
            if call.errors:
                attributes.setdefault("error.type", "_OTHER")
        if self._server_seconds is not None:
            for _ in range(call.calls):
                self._server_seconds.record(call.seconds / call.calls, attributes)
        if self._tracer is not None:
            host = call.caller.address.rpartition(":")[0].strip("[]")
            span = {**attributes, "client.address": host}
            # The span that is active in the event loop is not that of the caller.
            self._span(self._server_kind, self._root, call.seconds, span, error)

    def _attributes(
        self, key: object, system: str, method: str, error: BaseException | None
    ) -> _Attributes:
        """Make the attributes that calls with the same key share."""
        if len(self._known) >= MAX_ATTRIBUTES:
            self._known.clear()
        attributes: _Attributes = {"rpc.system.name": system, "rpc.method": method}
        if error is not None:
            attributes["error.type"] = type(error).__qualname__
        self._known[key] = attributes
        return attributes

    def _span(
        self,
        kind: Any,
        context: Any,
        seconds: float,
        attributes: _Attributes,
        error: BaseException | None,
    ) -> None:
        end = time.time_ns()
        begin = end - int(seconds * 1e9)
        span = self._tracer.start_span(
            attributes["rpc.method"], context, kind, attributes, (), begin
        )
        if "error.type" in attributes and span.is_recording():
            span.set_status(self._failed)
            # The class that the server named, which may be any text.
            code = getattr(error, "java_class", None)
            if isinstance(code, str) and code:
                span.set_attribute("rpc.response.status_code", escape(shorten(code, MAX_CODE)))
        span.end(end)
