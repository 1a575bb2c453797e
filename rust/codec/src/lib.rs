//! Byte formats of the JVM data stack: no I/O, no clock, no Python.
