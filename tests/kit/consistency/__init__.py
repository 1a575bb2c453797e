"""Histories of concurrent calls and their checkers."""
