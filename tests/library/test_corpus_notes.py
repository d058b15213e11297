"""What a corpus is told of: text that is no text, repeats, overlaps."""

import unicodedata

import pytest

from transformer_lib.corpus_notes import (
    as_seen,
    is_blank,
    overlap_notes,
    pair_notes,
    some,
    text_notes,
)

PLAIN = """\
The dog slept; the café was closed (at 5 p.m.), wasn't it?
Ein «Menü» für „ÄÖÜ“: Straße, MENÜ”, Úžasný, olé…» – naïve.
개는 어제 잤다. 그 고양이는 "빨리" 달린다!
我看见一只狗。 Привет, Рёв! İstanbul'da ılık
C++ and R&D, 50 % of 1,000 = 3\t+82-10-1234-5678 a~{b}
""".splitlines()


def as_latin(text, name):
    """Return what a program shows that takes UTF-8 for something else."""
    return "".join(
        bytes([byte]).decode(name, "ignore") or chr(byte)
        for byte in text.encode()
    )


def test_plain_text_of_many_languages_makes_no_note():
    assert text_notes("a.txt", PLAIN) == []


# What may stand in line 2, and a word of the note about it.
BAD = {
    "a bell": ("a\x07b", "control characters (line 2; such as U+0007)"),
    "escape codes": ("\x1b$B0BA4", "U+001B"),
    "half a line end": ("a\rb", "U+000D"),
    "a next line of IBM": ("a\x85b", "U+0085"),
    "a line separator": ("a\u2028b", "U+2028"),
    "a lost character": ("caf\ufffd", "a replacement character"),
    "French as Windows-1252": (as_latin("café", "cp1252"), "encoding"),
    "French as Latin-1": (as_latin("déjà vu", "latin-1"), "encoding"),
    "Korean as Windows-1252": (as_latin("개는 잤다", "cp1252"), "encoding"),
    "Korean as Latin-1": (as_latin("개는 잤다", "latin-1"), "encoding"),
    "EUC-KR as Latin-1": (
        "안녕하세요".encode("euc-kr").decode("latin-1"),
        "encoding",
    ),
    "Russian as Windows-1251": (as_latin("Привет", "cp1251"), "encoding"),
    "HTML": ("Q &amp; A", "escaped characters (line 2; such as '&amp;')"),
    "numbers of HTML": ("&#44060;", "escaped"),
    "JSON": (r"\uac1c", "escaped"),
    "quoted-printable": ("=EA=B0=9C", "escaped"),
    "HZ": ("你".encode("hz").decode("ascii"), "escaped"),
    "UTF-7": ("개는".encode("utf-7").decode("ascii"), "escaped"),
    "a line of 3,000 letters": ("word " * 600, "3,000 characters)"),
    "a line of dots": ("." * 100, "the same 100 times in a row"),
    "a line of dashes": ("-+" * 100, "the same 100 times in a row"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_text_is_told_with_its_line(name):
    bad, said = BAD[name]
    lines = [*PLAIN]
    lines.insert(1, bad)
    notes = text_notes("a.txt", lines)
    for note in notes:
        assert note.startswith("a.txt: 1 line has ") and "(line 2;" in note
    assert said in "\n".join(notes)


def test_notes_stay_few_and_short():
    """However much is wrong: a note for each kind, with ten numbers."""
    lines = [bad for bad, _ in BAD.values()] * 100
    notes = text_notes("a", lines, range(1, len(lines) + 1))
    assert len(notes) == 6 and max(map(len, notes)) < 250
    assert notes[1].startswith("a: 100 lines have a replacement character")
    assert (
        "(lines 6, 27, 48, 69, 90, 111, 132, 153, 174, 195 and 90 more;"
        in (notes[1])
    )
    assert text_notes("a", ["b"], [1]) == [
        "a: 1 line has a byte order mark inside, as `cat` puts it there "
        "(line 1); it is left out"
    ]


def test_numbers_of_lines():
    assert some([3]) == "line 3"
    assert some([3, 7]) == "lines 3, 7"
    ten = "lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"
    assert some(range(1, 11)) == ten
    assert some(range(1, 15)) == f"{ten} and 4 more"


def test_what_shows_nothing_is_blank():
    """Unicode's categories decide, but for five letters that are invisible."""
    invisible = {0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0}
    for number in range(0x110000):
        category = unicodedata.category(chr(number))
        if category in ("Cc", "Zs", "Zl", "Zp") or number in invisible:
            assert is_blank(chr(number)), hex(number)
        elif category[0] in "LNPS":
            assert not is_blank(chr(number)), hex(number)
    # zero-width, joiner, soft hyphen, mark of direction, variation selector
    for number in (0x200B, 0x200D, 0xAD, 0x202E, 0xFE0F, 0xE0101, 0xFEFF):
        assert is_blank(f" {chr(number)}\t"), hex(number)
        assert as_seen(f"a{chr(number)}b \n c ") == "ab c"


def test_repeats_are_told_with_the_lines_of_the_later_ones():
    pairs = [("a", "b"), ("b", "a"), ("a", "c"), ("", "x"), ("", "x")]
    assert pair_notes("f", pairs) == []
    assert pair_notes("f", [*pairs, ("b", "a")]) == [
        "f: 1 of 6 lines repeats another (line 6)"
    ]
    assert pair_notes("f", [("a", "b")] * 3) == [
        "f: 2 of 3 lines repeat another (lines 2, 3)"
    ]


def test_equal_sides_are_told_where_they_are_many():
    some_names = [(f"a{i}", f"b{i}") for i in range(18)] + [("Oslo", "Oslo")]
    assert pair_notes("f", some_names) == []
    assert pair_notes("f", [*some_names, ("Bonn", "Bonn")]) == [
        "f: 2 of 20 lines have the same text on both sides (lines 19, 20)"
    ]


def test_validation_pairs_that_are_trained_on_are_told():
    train = [("a", "b"), ("c", "d")]
    assert overlap_notes("f", {1: ("b", "a"), 2: ("x", "b")}, train) == []
    whole = "f: 1 of 3 pairs to validate on is trained on, too (line 2)"
    half = (
        "f: 2 of 3 pairs to validate on are trained on with another "
        "translation of the source (lines 5, 6)"
    )
    valid = {2: ("a", "b"), 5: ("a", "x"), 6: ("c", "y")}
    assert overlap_notes("f", valid, train) == [whole, half]
