"""What is packed is what belongs to the book, and it comes out again."""

import shutil
import subprocess
import zipfile

import pytest
from machine import ROOT, needs_git
from pack import book_files, pack


def test_a_folder_comes_out_under_one_name(tmp_path):
    book = tmp_path / "html"
    (book / "chapters").mkdir(parents=True)
    (book / "index.html").write_text("cover", encoding="utf-8")
    (book / "chapters" / "p 1.html").write_text("강이 깊다", encoding="utf-8")
    target = tmp_path / "zips" / "the-book-1.0.zip"
    names = ["index.html", "chapters/p 1.html"]
    pack(target, "the-book-1.0", book, names)
    shutil.unpack_archive(target, tmp_path)
    page = tmp_path / "the-book-1.0" / "chapters" / "p 1.html"
    assert page.read_text(encoding="utf-8") == "강이 깊다"
    assert len(zipfile.ZipFile(target).namelist()) == 2


@needs_git
def test_the_files_of_the_book_are_those_that_git_takes():
    if not (ROOT / ".git").exists():
        pytest.skip("this copy of the book did not come by git")
    ask = ["git", "ls-files", "-z", "--cached", "--others"]
    ask += ["--exclude-standard"]
    said = subprocess.check_output(ask, cwd=ROOT, encoding="utf-8")
    taken = {name for name in said.split("\0") if (ROOT / name).is_file()}
    assert set(book_files()) == taken
