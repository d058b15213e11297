"""Generated splits on disk, for many processes that need the same ones.

To draw a corpus that is not shipped takes ten seconds and more. Where the
variable TOY_SPLITS names a folder, as it does under `make`, what one process
has drawn the next one reads there. The name of a file holds a hash of the
whole package, so no change of the language finds an old corpus.
"""

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["kept"]


def kept(make: Callable[..., Any], *arguments: object) -> Any:
    """Call a function, or read what it returned to an earlier process.

    Args:
        make: what draws the corpus, and returns nothing but dicts, lists,
            tuples, texts and numbers. Its result may depend on this package
            and its arguments alone.
        arguments: of the call.

    Returns:
        Its result; tuples that were read come back as lists.
    """
    named = os.environ.get("TOY_SPLITS")
    if not named:
        return make(*arguments)
    name = "-".join([*map(str, arguments), _language()])
    path = Path(named) / f"{name}.json"
    # A file that is damaged is like one that is not there.
    with contextlib.suppress(OSError, ValueError):
        return json.loads(path.read_bytes())
    made = make(*arguments)
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(f".{os.getpid()}")
    aside.write_text(json.dumps(made), encoding="utf-8")
    os.replace(aside, path)
    return made


@cache
def _language() -> str:
    """A hash of all that the corpus depends on."""
    package = Path(__file__).parent
    files = [*package.rglob("*.py"), *package.rglob("*.tsv")]
    found = hashlib.sha256(repr(sys.version_info[:2]).encode())
    for path in sorted(files):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:16]
