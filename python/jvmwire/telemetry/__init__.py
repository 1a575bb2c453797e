"""Spans and metrics of clients and servers, for OpenTelemetry and for Prometheus."""

from jvmwire.telemetry._opentelemetry import OpenTelemetry
from jvmwire.telemetry._prometheus import PrometheusMetrics

__all__ = ["OpenTelemetry", "PrometheusMetrics"]
