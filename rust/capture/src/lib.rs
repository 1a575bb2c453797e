//! Captured traffic as tables.
