"""MathJax's files: npm's own, so that npm can replace the package of pip."""

import hashlib
import re
import shutil
import subprocess

import mathjax_files
import pytest
from bare_machine import ROOT
from npm_package import files_of


def test_the_package_has_the_files_of_npm_byte_for_byte(tmp_path):
    told = mathjax_files.read()
    package = f"mathjax@{told['version']}"
    content = files_of(
        package, [f"es5/{name}" for name in told["files"]], tmp_path
    )
    npm = {
        name.removeprefix("es5/"): hashlib.sha256(data).hexdigest()
        for name, data in content.items()
    }
    assert npm == told["files"]
    page = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    assert f"npm pack {package} " in page
    assert mathjax_files.check(mathjax_files.folder()) == [], (
        "sphinx-mathjax-offline has other files. Take it out of "
        f"requirements.txt and pyproject.toml; {mathjax_files.another_way()}"
    )


def test_a_folder_takes_the_place_of_the_package(tmp_path, monkeypatch):
    source, book = tmp_path / "es5", tmp_path / "book"
    shutil.copytree(mathjax_files.folder(), source)
    monkeypatch.setattr(mathjax_files, "find_spec", lambda name: None)
    with pytest.raises(FileNotFoundError, match=r"npm pack mathjax@\d"):
        mathjax_files.copy_files(book)
    monkeypatch.setenv("BOOK_MATHJAX", str(source))
    mathjax_files.copy_files(book)
    files = mathjax_files.read()["files"]
    assert mathjax_files.describe(book) == files
    assert "Apache License" in (book / "NOTICE.txt").read_text("utf-8")
    assert sum(path.is_file() for path in book.rglob("*")) == len(files) + 1
    (source / "tex-chtml.js").write_text("another", encoding="utf-8")
    (source / "a11y" / "complexity.js").unlink()
    with pytest.raises(ValueError, match=r"complexity\.js, tex-chtml\.js; npm"):
        mathjax_files.copy_files(book)


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize("target", ["html", "sphinx"])
def test_make_hands_the_folder_to_the_book(target):
    done = subprocess.run(
        ["make", "-n", target, "MATHJAX=package/es5"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    told = re.search(r'BOOK_MATHJAX="([^"]*)"', done.stdout)[1]
    assert told == str(ROOT / "package" / "es5")
