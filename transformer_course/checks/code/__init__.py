"""Exercises in code, a file each: the reference and the mistakes it knows."""

__all__: list[str] = []
