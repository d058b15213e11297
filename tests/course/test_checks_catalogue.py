"""The text files of mistakes: what they may say, and what is refused."""

import pytest

from transformer_course.checks.engine import catalogue
from transformer_course.checks.engine.catalogue import CatalogueError, parse
from transformer_course.checks.engine.mistake import Mistake

EARLIER = """\
no_scale
` / Q.shape[-1] ** 0.5` => ``
The scores Q K^T are not scaled; `Q` has {d_k} numbers.
? How long is Q? Not Qs, not my.Q.

# for whoever edits this
turned
`K.mT` => `K`
K is not turned.
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of checks with one catalogue, code/earlier.txt."""
    monkeypatch.setattr(catalogue, "_CHECKS", tmp_path)
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "earlier.txt").write_text(EARLIER, encoding="utf-8")
    return tmp_path


def test_an_edit_on_one_line_keeps_its_spaces():
    (known,) = parse("a\n`x` => ` y `\n` z` => ``\nor\n`w` => `v => u`\nSaid.")
    assert known.edits == ({"x": " y ", " z": ""}, {"w": "v => u"})


def test_one_line_and_signs_stand_beside_each_other():
    (known,) = parse("a\n`x` => `y`\n- one\n- two\n+ three\n`z` => `w`\nSaid.")
    assert known.edits == ({"x": "y", "one\ntwo": "three", "z": "w"},)


def test_what_is_included_speaks_of_this_exercise(folder):
    text = "include code/earlier: Q = query, K = self.key"
    no_scale, turned = parse(text)
    assert no_scale == Mistake(
        "no_scale",
        "The scores `query` `self.key`^T are not scaled; `query` has {d_k} "
        "numbers.",
        "How long is `query`? Not Qs, not my.Q.",
        ({" / query.shape[-1] ** 0.5": ""},),
    )
    assert turned.edits == ({"self.key.mT": "self.key"},)


def test_those_are_included_that_are_named_in_their_order(folder):
    both = parse("include code/earlier\nturned\nno_scale")
    assert [known.id for known in both] == ["turned", "no_scale"]
    assert parse("include code/earlier") == both[::-1]


def test_more_ways_join_those_above(folder):
    text = "include code/earlier\nturned\n\nmore turned\n`K.mT` => `K.T`"
    (known,) = parse(text)
    assert known.edits == ({"K.mT": "K"}, {"K.mT": "K.T"})


def test_a_text_stands_for_a_text_and_words_go_on_in_the_next_line(folder):
    text = "include code/earlier:\nK.mT = turn(k, 1), K = k,\nQ = q\nturned"
    (known,) = parse(text)
    assert known.edits == ({"turn(k, 1)": "k"},)
    assert known.message == "`k` is not turned."


def test_other_ways_replace_those_above(folder):
    text = "include code/earlier\nturned\n\ninstead turned\n`a` => `b`"
    assert parse(text) == (
        Mistake("turned", "K is not turned.", "", ({"a": "b"},)),
    )


def test_what_is_included_is_made_in_a_function_that_is_called(folder):
    _, known = parse("include code/earlier in attend: K = k")
    assert known.edits == ({"attend(": "edited({'K.mT': 'K'})("},)
    assert known.message == "`k` is not turned."


def test_the_common_mistakes_stand_first(folder):
    text = "first: last\nturned\n\ninclude code/earlier\n\nlast\nSaid."
    assert [m.id for m in parse(text)] == ["last", "turned", "no_scale"]


def test_several_edits_or_each_of_them_make_a_mistake():
    text = "one\n`a` => `b`\n`c` => `d`\neach\nor\n`e` => `f`\nSaid.\n@ x"
    a, c, e, g = ({k: v} for k, v in ("ab", "cd", "ef", "gh"))
    (one,) = parse(text)
    assert one == Mistake("one", "Said.", "", (a | c, a, c, e), on="x")
    (more,) = parse(text + "\n\nmore one\n`g` => `h`\neach\n@ y")
    assert more == Mistake("one", "Said.", "", (a | c | g, a, c, e, g), on="y")


def test_a_remark_is_not_read():
    assert parse("# of no_scale\n\na\n# why\nSaid.") == parse("a\nSaid.")


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("a\nSaid.\n\na\nAgain.", 4, "a stands twice"),
        ("two words\nSaid.", 1, "'two words' is no name"),
        ("a\nSaid.\n\n\n& gone", 5, "gone is not made in Python"),
        ("more gone\n`x` => `y`", 1, "no gone above"),
        ("# why\n\na\n+ new\nSaid.", 3, "`\\+ new` stands before"),
        ("a\n`x` => `y`\nor\nSaid.", 1, "`or` stands between two edits"),
        ("include code/gone", 1, "include folder/file"),
        ("include code/earlier\ngone", 1, "code/earlier has no gone"),
        ("include code/earlier: Q", 1, "'Q' is not of the form"),
        ("include code/earlier in: Q = q", 1, "include folder/file"),
        ("a\nSaid.\n\nfirst: a\ngone", 4, "no gone"),
        ("a\nSaid.\n\nmore a\n`x` => `y`\nOther.", 4, "only edits and cases"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(folder, text, line, why):
    with pytest.raises(CatalogueError, match=f"^some.txt:{line}: .*{why}"):
        parse(text, where="some.txt")
