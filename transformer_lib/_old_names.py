"""Where names went that this package had before version 0.2.0."""

import sys
from typing import Any

__all__ = ["NOW", "MovedName", "watch"]

NOW = {
    "transformer_lib.course": "transformer_course",
    "transformer_lib.toy": "toy_language",
    "transformer_lib.toy_splits": "toy_language.corpus.toy_splits",
    "transformer_lib.SentencePair": "toy_language.corpus.SentencePair",
}


class MovedName(ImportError):
    """An import of an old name; a notebook shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:
        return [f"ImportError: {self}"]


class _Watch:
    """Python asks it first, so a folder of that name changes nothing."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        """Stop the import of an old name; leave all others alone."""
        old = ".".join(name.split(".")[:2])
        if old in NOW:
            raise MovedName(
                f"{old} is {NOW[old]} now: write that name in this import"
            )


def watch() -> None:
    """Answer every import of an old name with the new one from here on."""
    sys.meta_path.insert(0, _Watch())
