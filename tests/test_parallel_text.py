"""Reading text files: lines are newlines, bytes are UTF-8."""

import pytest
from refusal import refuses

from transformer_lib.parallel_text import lines_of, read_lines, read_parallel


def test_only_newlines_end_lines(tmp_path):
    path = tmp_path / "text"
    path.write_bytes("a\u2028b\x0bc\x0cd\x85e\n\nf\n".encode())
    assert read_lines(path) == ["a\u2028b\x0bc\x0cd\x85e", "", "f"]


def test_marks_of_other_systems_are_removed(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert read_lines(path) == ["one", "two"]


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
