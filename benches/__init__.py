"""Benchmarks: the baselines that jvmwire is compared with, and their inputs."""
