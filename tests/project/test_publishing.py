"""The pages of a book with an address, and of one without."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urljoin, urlsplit

import pytest
import set_address
from bare_machine import ROOT
from set_address import Address

# Both books are built anew.
pytestmark = pytest.mark.slow
NOBODY = Address("", "v1.2.3")
SOMEBODY = Address("https://github.com/some-one/a.book", "v1.2.3")
SERVED = {NOBODY: "", SOMEBODY: "https://some-one.github.io/a.book"}
WORDS = """# Title

```{only} published
Out there.
```

```{only} not published
Not yet.
```
"""
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": WORDS}
    ],
    "metadata": {"kernelspec": {"name": "python3", "display_name": "x"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture(scope="module", params=[NOBODY, SOMEBODY], ids=["no", "yes"])
def book(request, tmp_path_factory):
    """Build a page with the settings that Jupyter Book reads here."""
    at, folder = request.param, tmp_path_factory.mktemp("book")
    text = (ROOT / "_config.yml").read_text(encoding="utf-8")
    now, said = set_address.address_of(ROOT), set_address.config
    config = folder / "_config.yml"
    config.write_text(
        set_address.exchange(text, said(now), said(at), "_config.yml"),
        encoding="utf-8",
    )
    (folder / "_toc.yml").write_text("format: jb-book\nroot: index\n", "utf-8")
    from jupyter_book.config import get_final_config

    read, _ = get_final_config(
        user_yaml=config, cli_config={"latex_individualpages": False}
    )
    (folder / "conf.py").write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT / 'book/_ext/reading')!r})\n"
        "extensions = ['myst_nb', 'publishing']\n"
        "nb_execution_mode = 'off'\n"
        f"html_theme = {read['html_theme']!r}\n"
        f"html_theme_options = {read['html_theme_options']!r}\n",
        encoding="utf-8",
    )
    (folder / "index.ipynb").write_text(json.dumps(NOTEBOOK), "utf-8")
    environment = {k: v for k, v in os.environ.items() if k != "BOOK_BASE_URL"}
    if SERVED[at]:
        environment["BOOK_BASE_URL"] = SERVED[at]
    out = folder / "out"
    build = [sys.executable, "-m", "sphinx", "-q", "-b", "html"]
    subprocess.run(
        [*build, str(folder), str(out)],
        check=True,
        capture_output=True,
        env=environment,
    )
    return SimpleNamespace(at=at, out=out, published=at is SOMEBODY)


def test_buttons_and_words_come_with_the_address(book):
    page = (book.out / "index.html").read_text(encoding="utf-8")
    assert ("Out there." in page) == book.published
    assert ("Not yet." in page) != book.published
    links = set(re.findall(r'href="(https://[^"]*)"', page))
    if book.published:
        assert {book.at.url, book.at.colab("index.ipynb")} <= links
        assert any(link.startswith(f"{book.at.url}/issues") for link in links)
        assert f"{SERVED[book.at]}/index.html" in links  # canonical
    else:
        assert not any("github" in link for link in links)


def test_github_pages_serves_every_folder(book):
    assert (book.out / ".nojekyll").exists()


def test_a_page_that_is_not_there_leads_back_to_the_book(book):
    """GitHub shows 404.html at the address that was asked for."""
    page = (book.out / "404.html").read_text(encoding="utf-8")
    base = re.search(r'<base href="(.*?)"', page)
    if not book.published:
        assert base is None
        return
    asked = f"{SERVED[book.at]}/chapters/deep/gone.html"
    root = urljoin(asked, base[1])
    assert root == f"{SERVED[book.at]}/"
    before = page.index(base[0])
    assert not re.search(r'(href|src)="', page[:before])
    names = re.findall(r'(?:href|src)="(?!https:|#)(.*?)"', page)
    local = [urljoin(root, name) for name in names]
    assert any(name.endswith("/book/index.html") for name in local)
    for name in local:
        path = urlsplit(name).path.removeprefix("/a.book/")
        if path not in ("", "book/index.html"):
            assert Path(book.out, path).exists(), name
