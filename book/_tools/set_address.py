"""Change the repository's address everywhere at once.

    python book/_tools/set_address.py https://github.com/who/what

The address that holds now is the one in _config.yml. It is replaced in every
text file of the project, also inside the links that open a notebook in Colab;
the folder that a clone makes ("cd what") follows.
"""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIP = {
    ".git", ".venv", "_build", "build", "runs", "__pycache__", ".pytest_cache",
    ".ruff_cache", ".hypothesis", ".ipynb_checkpoints", "transformer-book",
}
SUFFIXES = {
    ".md", ".ipynb", ".py", ".yml", ".yaml", ".toml", ".cff", ".bib", ".txt",
    ".css", ".json", ".html", "",
}
NAME = r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+"


def slug(url: str) -> str:
    """Return "who/what" of a GitHub address.

    Raises:
        ValueError: the address is not https://github.com/who/what.
    """
    tidy = re.sub(r"(\.git)?/*$", "", url.strip())
    match = re.fullmatch(rf"https://github\.com/({NAME})", tidy)
    if match is None:
        raise ValueError(
            f"got the address {url!r}; wanted https://github.com/who/what"
        )
    return match.group(1)


def address_of(root: Path = ROOT) -> str:
    """Return the repository's address as _config.yml has it."""
    text = (root / "_config.yml").read_text(encoding="utf-8")
    match = re.search(r"^  url: (\S+)$", text, flags=re.M)
    if match is None:
        raise ValueError(f"{root / '_config.yml'} has no repository url")
    return match.group(1)


def text_files(root: Path = ROOT) -> list[Path]:
    """Return the project's text files, without what is built or fetched."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if name not in SKIP and not name.endswith(".egg-info")
        )
        found += [
            Path(folder, name)
            for name in sorted(names)
            if Path(name).suffix in SUFFIXES
        ]
    return found


def set_address(url: str, root: Path = ROOT) -> list[Path]:
    """Replace the address under root; return the files that changed."""
    old, new = slug(address_of(root)), slug(url)
    places = re.compile(rf"(github\.com/|/github/){re.escape(old)}(?![\w-])")
    folder = re.compile(rf"(?<=\bcd ){re.escape(old.split('/')[1])}(?![\w-])")
    changed = []
    for path in text_files(root):
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        fresh = places.sub(lambda match: match.group(1) + new, text)
        fresh = folder.sub(lambda _: new.split("/")[1], fresh)
        if fresh != text:
            path.write_bytes(fresh.encode("utf-8"))
            changed.append(path)
    return changed


def main() -> None:
    """Change the address to the one on the command line."""
    parser = argparse.ArgumentParser(
        description="Change the repository's address everywhere."
    )
    parser.add_argument("url", help="https://github.com/who/what")
    options = parser.parse_args()
    try:
        changed = set_address(options.url)
    except ValueError as error:
        parser.error(str(error))
    for path in changed:
        print(path.relative_to(ROOT))
    print(f"{len(changed)} files now say {options.url}")


if __name__ == "__main__":
    main()
