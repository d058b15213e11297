"""How a check works: call, compare, recognize, say."""

__all__: list[str] = []
