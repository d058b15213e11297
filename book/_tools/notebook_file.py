"""How the notebooks of the book are written, so that no tool changes a line."""

from __future__ import annotations

import json
from typing import Any


def dumped(notebook: dict[str, Any]) -> str:
    """Return a notebook as its file has it."""
    form = {"indent": 1, "ensure_ascii": False, "sort_keys": True}
    return json.dumps(notebook, **form) + "\n"
