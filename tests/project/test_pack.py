"""What is packed is what belongs to the book, and it comes out again."""

import shutil
import subprocess
import zipfile

import pytest
from bare_machine import ROOT, needs_git
from pack import STUDENT, book_files, main, pack
from set_address import version_of


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


def test_the_zips_of_a_release_lie_side_by_side(tmp_path, capsys):
    assert main(tmp_path) == 1
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "index.html").write_text("cover", encoding="utf-8")
    assert main(tmp_path) == 1
    said = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[-1] for line in said] == [
        "make book",
        "make student",
    ]
    (tmp_path / "student.zip").write_bytes(b"for the class")
    assert main(tmp_path) == 0
    offline, student = sorted((tmp_path / "zips").iterdir())
    assert zipfile.ZipFile(offline).namelist() == [f"{offline.stem}/index.html"]
    assert student.read_bytes() == b"for the class"
    assert student.name == f"{STUDENT}-{version_of()}.zip"


@needs_git
def test_the_files_of_the_book_are_those_that_git_takes():
    if not (ROOT / ".git").exists():
        pytest.skip("this copy of the book did not come by git")
    ask = ["git", "ls-files", "-z", "--cached", "--others"]
    ask += ["--exclude-standard"]
    said = subprocess.check_output(ask, cwd=ROOT, encoding="utf-8")
    taken = {name for name in said.split("\0") if (ROOT / name).is_file()}
    assert set(book_files()) == taken


@pytest.mark.parametrize(
    "name", ["my_transformer.py", "my_transformer_before_1.py"]
)
def test_a_readers_own_transformer_is_not_packed(tmp_path, name):
    for folder in (tmp_path, tmp_path / "chapters"):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("mine", encoding="utf-8")
    (tmp_path / "chapters" / "04.ipynb").write_text("{}", encoding="utf-8")
    assert book_files(tmp_path) == ["chapters/04.ipynb"]
