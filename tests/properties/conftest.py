"""Settings of Hypothesis: examples are the same each time, and more of them with DEPTH=full."""

from hypothesis import HealthCheck, settings

from kit.scale import times

settings.register_profile(
    "laws",
    max_examples=times(40),
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("laws")
