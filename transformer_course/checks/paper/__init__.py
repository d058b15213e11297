"""Exercises on paper, a file each: what is wanted, and misconceptions."""

__all__: list[str] = []
