"""Why a file with the name of a notebook is none, in a few words."""

from __future__ import annotations

import json
import re

__all__ = ["why_no_notebook"]

_MERGE = re.compile(r"^(?:<{7}|>{7}) ", re.M)
_BEGUN = re.compile(  # what JSON reports where it ends within a word
    r"t(ru?)?|f(a(ls?)?)?|n(ul?)?|-|\.|[eE][+-]?|\\?u?[\da-fA-F]{0,4}"
)
_CUT = "it breaks off, so it was not saved or sent as a whole"
_OTHERS = (
    (b"PK\x03\x04", "it is a ZIP under another name"),
    (b"%PDF", "it is a PDF under another name"),
    (b"\x1f\x8b", "it is packed with gzip"),
    (b"version https://git-lfs", "it is a pointer of git LFS and not the file"),
)


def why_no_notebook(data: bytes) -> str:
    """Say what is the matter with a file that is no notebook.

    Args:
        data: its bytes, of which no cells could be read.

    Returns:
        A few words without the name of the file.
    """
    why = _why(data)
    return f"this is no notebook: {why}" if why else "this is no notebook"


def _why(data: bytes) -> str:
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
        return "the file is empty"
    for begin, why in _OTHERS:
        if data.startswith(begin):
            return why
    try:
        text = data.decode(json.detect_encoding(data))
    except UnicodeDecodeError as error:
        if error.end == len(data) and data.lstrip().startswith(b"{"):
            return _CUT
        return "its text is not in UTF-8"
    found = _MERGE.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        return (
            f"a merge in git left its marks, the first in line {line}; one "
            "side has to be chosen"
        )
    if re.match(r"\s*<(!doctype|html)", text, re.I):
        return "it is a web page; the notebook itself has to be downloaded"
    return _not_json(text)


def _not_json(text: str) -> str:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        rest = text[error.pos :].rstrip()
        cut = _BEGUN.fullmatch(rest) or error.msg.startswith("Unterminated")
        if cut and text.lstrip().startswith("{") and error.msg != "Extra data":
            return _CUT
        return f"line {error.lineno} is no JSON"
    except (ValueError, RecursionError, MemoryError):
        return ""
    keys = set(content) if isinstance(content, dict) else set()
    has_cells = keys & {"cells", "worksheets"}
    return "its cells are damaged" if has_cells else "it has no cells"
