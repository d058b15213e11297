"""What a class has handed in: which files, whose, of which chapter."""

__all__: list[str] = []
