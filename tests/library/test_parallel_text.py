"""Reading text files: lines are newlines, bytes are UTF-8."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest
from refusal import refuses

from transformer_lib.parallel_text import (
    lines_of,
    read_lines,
    read_pairs,
    read_parallel,
    read_text,
)


def test_only_newlines_end_lines(tmp_path):
    path = tmp_path / "text"
    path.write_bytes("a\u2028b\x0bc\x0cd\x85e\n\nf\n".encode())
    assert read_lines(path) == ["a\u2028b\x0bc\x0cd\x85e", "", "f"]


def test_marks_of_other_systems_are_removed(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert read_lines(path) == ["one", "two"]
    assert read_text(path).marked == []
    both = path.read_bytes() * 2 + b"a\n\xef\xbb\xbf"  # cat a a b empty
    path.write_bytes(both)
    assert read_lines(path) == ["one", "two", "one", "two", "a", ""]
    assert read_text(path).marked == [3, 6]
    path.write_bytes(b"a\xef\xbb\xbfb\n")  # the first had no last newline
    assert (read_lines(path), read_text(path).marked) == (["ab"], [1])


def test_line_ends_of_old_macs_are_refused():
    """Without a newline the whole file would be one sentence."""
    for data in (b"one\rtwo\rthree\r", b"one\rtwo", b"one\rtwo\n"):
        with refuses(ValueError, "a.txt", "carriage return", "newline"):
            lines_of(data, "a.txt")
    assert lines_of(b"one\r", "a.txt") == ["one"]
    assert lines_of(b"a\rb\nc\n", "a.txt") == ["a\rb", "c"]


def test_characters_are_composed():
    assert lines_of("e\u0301".encode(), "it") == ["\u00e9"]


def test_a_last_line_needs_no_newline():
    assert lines_of(b"a\nb", "it") == lines_of(b"a\nb\n", "it") == ["a", "b"]
    assert lines_of(b"", "it") == []


def test_what_is_not_utf_8_is_located(tmp_path):
    path = tmp_path / "latin"
    path.write_bytes("gut\nschön\n".encode("latin-1"))
    with pytest.raises(ValueError, match="line 2, byte 4 is 0xf6"):
        read_lines(path)
    path.write_bytes(b"\xef\xbb\xbf" + "ö".encode("latin-1"))
    with pytest.raises(ValueError, match="line 1, byte 4 is 0xf6"):
        read_lines(path)


def test_an_empty_file_is_refused(tmp_path):
    path = tmp_path / "none"
    for nothing in (b"", b"\xef\xbb\xbf"):
        path.write_bytes(nothing)
        with pytest.raises(ValueError, match="is empty"):
            read_lines(path)
    path.write_bytes(b"\n\n")
    assert read_lines(path) == ["", ""]
    with pytest.raises(ValueError, match="only blank lines"):
        read_parallel(path, path)


def test_files_that_do_not_match_are_refused(tmp_path):
    (tmp_path / "a").write_text("1\n2\n3\n", encoding="utf-8")
    (tmp_path / "b").write_text("1\n2\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"lines of .*a: 3, of .*b: 2"):
        read_parallel(tmp_path / "a", tmp_path / "b")


def test_pairs_are_lines_side_by_side(tmp_path):
    (tmp_path / "a").write_text("one\ntwo\n", encoding="utf-8")
    (tmp_path / "b").write_text("eins\nzwei\n", encoding="utf-8")
    pairs = read_parallel(tmp_path / "a", tmp_path / "b")
    assert pairs == [("one", "eins"), ("two", "zwei")]


def test_a_source_that_is_its_own_target_is_refused(tmp_path):
    """Also where the two differ in what nobody sees."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes("el niño\n개\n".encode())
    for same in (
        "el niño\n개\n",
        "\ufeffel nin\u0303o \r\n\u1100\u1162\r\n",
        "el \u200bniño\n\ufeff개",
    ):
        two.write_bytes(same.encode())
        with refuses(ValueError, "the same text", str(one), str(two)):
            read_parallel(one, two)
    with refuses(ValueError, "the same text", str(one)):
        read_parallel(one, one)
    two.write_bytes("el niño\nperro\n".encode())
    assert len(read_parallel(one, two)) == 2


@pytest.mark.parametrize("name", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("text", ["the dog\nslept\n", "개는\n잤다\n"])
def test_other_widths_than_utf_8_are_asked_after(name, text):
    with refuses(ValueError, "a.txt", "is it UTF-16? save it as UTF-8"):
        lines_of(text.encode(name), "a.txt")


def test_a_nul_is_located():
    with refuses(ValueError, "a.txt is no text: line 2, byte 3 is NUL"):
        lines_of(b"one\ntw\0o\n", "a.txt")


def test_gzip_is_unpacked_whatever_the_name(tmp_path):
    path = tmp_path / "a.txt"
    text = "\ufeffdas Haus\r\n개\n".encode()
    path.write_bytes(gzip.compress(text) + gzip.compress(b"two\n"))
    assert read_lines(path) == ["das Haus", "개", "two"]
    path = tmp_path / "a.gz"
    path.write_bytes(text)
    assert read_lines(path) == ["das Haus", "개"]
    path.write_bytes(gzip.compress(b""))
    with refuses(ValueError, "a.gz is empty"):
        read_lines(path)


def test_a_damaged_gzip_is_named():
    whole = gzip.compress(b"das Haus\n" * 100)
    wrong_sum = bytearray(whole)
    wrong_sum[-8] ^= 1
    for data in (
        whole[:-9], whole[:5], b"\x1f\x8b", whole + b"more",
        bytes(wrong_sum), whole[:10] + b"\xff" * 20,
    ):  # fmt: skip
        with refuses(ValueError, "a.gz is packed by gzip, but damaged or not"):
            lines_of(data, "a.gz")


def archives():
    """Return what others than gzip make of a text, and what it is called."""
    text, zipped, tarred = b"das Haus\n" * 100, io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("a.txt", text)
    with tarfile.open(fileobj=tarred, mode="w") as archive:
        info = tarfile.TarInfo("a.txt")
        info.size = len(text)
        archive.addfile(info, io.BytesIO(text))
    return {
        "zip": zipped.getvalue(),
        "bzip2": bz2.compress(text),
        "xz": lzma.compress(text),
        "tar": tarred.getvalue(),
        "tar archive": gzip.compress(tarred.getvalue()),
        "packed twice": gzip.compress(gzip.compress(text)),
    }


def test_what_is_packed_otherwise_is_named():
    for kind, data in archives().items():
        with refuses(ValueError, "a.txt is ", kind, "unpack it first"):
            lines_of(data, "a.txt")
    assert lines_of(b"BZh is no word\n", "a.txt") == ["BZh is no word"]


def test_a_file_of_pairs_has_a_tab_in_each_line(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_bytes(gzip.compress("one\t하나\r\n two \t둘\n\tx\n".encode()))
    assert read_pairs(path) == [("one", "하나"), (" two ", "둘"), ("", "x")]
    path.write_text("a\tb\n\n \n", encoding="utf-8")  # blank ones at the end
    assert read_pairs(path) == [("a", "b")]
    for text, *said in (
        ("a\tb\nc d\n", "1 line has", "(line 2; tabs of line 2: 0)"),
        ("a\tb\n\nc\td\n", "1 line has", "(line 2; tabs of line 2: 0)"),
        ("a\tb\tc\n\nd\te\n", "2 lines", "(lines 1, 2; tabs of line 1: 2)"),
        ("a,b\n" * 20, "20 lines", "lines 1, 2,", "and 10 more"),
        ("\n\n", "only blank lines"),
        ("a\ta\nb\tb \n", "the same text"),
    ):
        path.write_text(text, encoding="utf-8")
        with refuses(ValueError, str(path), *said):
            read_pairs(path)
