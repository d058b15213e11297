"""What an error of ours must be: a type, and words that help."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def refuses(kind: type[Exception], *parts: str) -> Iterator[None]:
    """Expect an error of exactly this kind, whose text has all the parts."""
    with pytest.raises(kind) as caught:
        yield
    assert type(caught.value) is kind
    text = str(caught.value)
    for part in parts:
        assert part in text, f"{part!r} is not in {text!r}"
