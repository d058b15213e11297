"""What came out, for the teacher and for each student."""

__all__: list[str] = []
