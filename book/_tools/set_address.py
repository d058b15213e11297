"""Write the repository's address where it has to stand word for word.

    python book/_tools/set_address.py https://github.com/who/what
    python book/_tools/set_address.py https://github.com/who/what --ref main
    python book/_tools/set_address.py none
    python book/_tools/set_address.py again

"again" writes the address that holds now, for a notebook that came with
another link or another set-up cell.

_config.yml (`repository`) holds the address, and the tag or branch that a
reader gets. As long as the address is empty, nothing in the book links to it.
The set-up cells, the links to Colab, README.md, book/install.md, CITATION.cff
and pyproject.toml cannot read _config.yml: this script writes both there.

Without --ref it is the tag of this version where the repository has it, and
else the repository's default branch.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from notebook_file import dumped

ROOT = Path(__file__).resolve().parents[2]
NAME = r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+"
FOLDERS = ("chapters", "book/laboratory", "book/solutions", "book")
FIRST = "chapters/00_before_we_start.ipynb"


@dataclass(frozen=True)
class Address:
    """An address on GitHub ("" for none yet), and a tag or branch there."""

    url: str
    ref: str

    @property
    def name(self) -> str:
        """Return the last part of the address: the folder a clone makes."""
        return self.url.rsplit("/", 1)[-1]

    @property
    def zip(self) -> str:
        """Return the address of the whole book as a ZIP."""
        return f"{self.url}/archive/{self.ref}.zip"

    @property
    def pages(self) -> str:
        """Return where GitHub Pages shows the book."""
        who, what = self.url.rsplit("/", 2)[1:]
        host = f"{who.lower()}.github.io"
        return f"https://{host}/" + ("" if what.lower() == host else f"{what}/")

    def colab(self, path: str) -> str:
        """Return the address that opens a notebook in Colab."""
        slug = self.url.removeprefix("https://github.com/")
        return (
            "https://colab.research.google.com/github/"
            f"{slug}/blob/{self.ref}/{path}"
        )


def tidy(url: str) -> str:
    """Return an address without what may follow it; "" for "none".

    Raises:
        ValueError: the address is not https://github.com/who/what.
    """
    short = re.sub(r"(\.git)?/*$", "", url.strip())
    if short == "none":
        return ""
    if not re.fullmatch(rf"https://github\.com/{NAME}", short):
        raise ValueError(
            f"got the address {url!r}; wanted https://github.com/who/what, "
            "or none"
        )
    return short


def address_of(root: Path = ROOT) -> Address:
    """Return the address that holds now."""
    text = (root / "_config.yml").read_text(encoding="utf-8")
    url = re.search(r'^  url: "(.*)"$', text, flags=re.M)
    ref = re.search(r"^  branch: (\S+)$", text, flags=re.M)
    return Address(url[1], ref[1])


def version_of(root: Path = ROOT) -> str:
    """Return the version of the book and its library."""
    source = root / "transformer_lib" / "__init__.py"
    text = source.read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.*)"$', text, flags=re.M)[1]


def ref_at(remote: str, tag: str) -> str:
    """Return the tag if the remote has it, and else its default branch.

    Raises:
        ValueError: the remote does not answer, or holds nothing.
    """
    ask = ["git", "ls-remote", "--symref", remote, "HEAD", f"refs/tags/{tag}"]
    silent = os.environ | {"GIT_TERMINAL_PROMPT": "0"}
    said = subprocess.run(
        ask, capture_output=True, encoding="utf-8", env=silent
    )
    if f"\trefs/tags/{tag}\n" in said.stdout:
        return tag
    branch = re.search(r"^ref: refs/heads/(\S+)\tHEAD$", said.stdout, re.M)
    if branch is None:
        reason = said.stderr.strip() or "it is empty"
        raise ValueError(
            f"{remote} did not say what it holds ({reason}): push the book "
            "first, or name the tag or branch that readers get with REF=..."
        )
    return branch[1]


# ------------------------------------------- how each file says the address


def config(at: Address) -> list[str]:
    """Say it in _config.yml."""
    return [
        f'  url: "{at.url}"\n  path_to_book: ""\n  branch: {at.ref}\n',
    ]


def citation(at: Address) -> list[str]:
    """Say it in CITATION.cff."""
    line = f'repository-code: "{at.url}"\n' if at.url else ""
    return [f"{line}license: MIT\n"]


def project(at: Address) -> list[str]:
    """Say it in pyproject.toml."""
    urls = f'[project.urls]\nRepository = "{at.url}"\n\n' if at.url else ""
    return [f"{urls}[tool.setuptools.dynamic]\n"]


def setup_cell(at: Address) -> list[str]:
    """Say it in the set-up cell."""
    return [
        f'\nhome = "{at.url or "any address yet"}"\n',
        f'("TRANSFORMER_BOOK_REF", "{at.ref}")',
    ]


def readme(at: Address) -> list[str]:
    """Say it in a README: the clone, and Colab."""
    if not at.url:
        return [
            "```\nmake book  ",
            "- **In Colab:** not yet. This copy has no address, so its "
            "chapters have no link.\n",
        ]
    clone = f"git clone {at.url}\ncd {at.name}\n"
    return [
        f"```\n{clone}make book  ",
        f"- **In Colab:** open [chapter 0]({at.colab(FIRST)}),\n  or click "
        '"Open in Colab" at the top of any chapter. Choose *File > Save a '
        "copy in Drive*,\n  or your work is gone when you close the tab, and "
        "run the first cell. It fetches\n  the book and adds its library, in "
        "a minute.\n",
    ]


def online(at: Address) -> list[str]:
    """Say in the book's README where to read it."""
    if not at.url:
        return ["No copy of this book is online yet, so build your own. You "]
    return [f"**[Read the book online]({at.pages}).** Or build your own. You "]


def install(at: Address) -> list[str]:
    """Say it on the page about installing: the ZIP."""
    here = f"[ZIP]({at.zip})" if at.url else "ZIP"
    return [f"Unpack the {here} of the book, "]


PLACES: dict[str, Callable[[Address], list[str]]] = {
    "_config.yml": config,
    "pyproject.toml": project,
    "README.md": readme,
    "book/install.md": install,
    "book/_tools/setup_cell.py": setup_cell,
}
# The edition for a class has no citation, and no pages online.
WHOLE: dict[str, Callable[[Address], list[str]]] = {
    "CITATION.cff": citation,
    "README.md": online,
}


def opened(first: str, at: Address, path: str) -> str:
    """Return a notebook's first words with the link below the title.

    Raises:
        ValueError: they do not begin with a title.
    """
    title, _, rest = first.partition("\n\n")
    if not re.fullmatch(r"# .+", title):
        raise ValueError(f"{path} should begin with a title; it says {title!r}")
    rest = re.sub(r"^\[Open in Colab\]\(\S+\)\s*", "", rest)
    link = f"[Open in Colab]({at.colab(path)})" if at.url else ""
    return "\n\n".join(filter(None, [title, link, rest]))


# ------------------------------------------------------------------- writing


def exchange(text: str, old: list[str], new: list[str], where: str) -> str:
    """Replace each piece of a file by its new form.

    Raises:
        ValueError: a piece does not stand there once.
    """
    for before, after in zip(old, new, strict=True):
        if text.count(before) != 1:
            raise ValueError(
                f"{where} should say this once, and does {text.count(before)} "
                f"times; put it back and try again:\n{before}"
            )
        text = text.replace(before, after)
    return text


def in_notebook(text: str, path: str, at: Address, setup: str) -> str:
    """Return a notebook with the link and the set-up cell."""
    notebook = json.loads(text)
    first = notebook["cells"][0]
    words = opened("".join(first["source"]), at, path)
    first["source"] = words.splitlines(keepends=True)
    for cell in notebook["cells"]:
        if "setup" in cell["metadata"].get("tags", []):
            cell["source"] = setup.splitlines(keepends=True)
    return dumped(notebook)


def set_address(new: Address, root: Path = ROOT) -> list[Path]:
    """Write an address everywhere; return the files that changed.

    Raises:
        ValueError: a file does not say the address that holds now. Then
            nothing is written.
    """
    old = address_of(root)
    texts = {}
    whole = (root / "CITATION.cff").exists()
    for path, said in [*PLACES.items(), *(WHOLE.items() if whole else ())]:
        text = texts.get(path) or (root / path).read_text(encoding="utf-8")
        texts[path] = exchange(text, said(old), said(new), path)
    setup = texts["book/_tools/setup_cell.py"].rstrip("\n")
    for folder in FOLDERS:
        for file in sorted((root / folder).glob("*.ipynb")):
            path = file.relative_to(root).as_posix()
            text = file.read_text(encoding="utf-8")
            texts[path] = in_notebook(text, path, new, setup)
    changed = []
    for path, text in texts.items():
        if text.encode("utf-8") != (root / path).read_bytes():
            (root / path).write_bytes(text.encode("utf-8"))
            changed.append(root / path)
    return changed


def main() -> None:
    """Write the address that stands on the command line."""
    parser = argparse.ArgumentParser(
        description="Write the repository's address where it has to stand."
    )
    parser.add_argument("url", help="https://github.com/who/what, none, again")
    parser.add_argument("--ref", help="the tag or branch that readers get")
    options = parser.parse_args()
    tag = f"v{version_of()}"
    try:
        if options.url == "again":
            at = address_of()
        else:
            url = tidy(options.url)
            ref = options.ref or (ref_at(url, tag) if url else tag)
            at = Address(url, ref)
        changed = set_address(at)
    except ValueError as error:
        parser.error(str(error))
    print(f"{len(changed)} files now say {at.url or 'no address'} ({at.ref})")


if __name__ == "__main__":
    main()
