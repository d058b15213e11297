"""Exercises on paper, a file each: the numbers wanted and the usual slips."""

__all__: list[str] = []
