"""A student's code in a process of its own, and the verdicts on it."""

__all__: list[str] = []
