"""Glossed sentences: every token once, in order, under its own word."""

import re
from html.parser import HTMLParser

import pytest

from transformer_course import plots

CAT = [
    ("고양이", "goyangi", "cat"),
    ("+는", "neun", "TOP"),
    ("강", "gang", "river"),
    ("+을", "eul", "ACC"),
    ("건너", "geonneo", "cross"),
    ("+았", "at", "PST"),
    ("+다", "da", "DECL"),
    ("+.", ".", "."),
]


def test_morphemes_of_a_word_are_joined_in_all_three_lines():
    assert plots.interlinear(CAT).words == [
        ("고양이-는", "goyangi-neun", "cat-TOP"),
        ("강-을", "gang-eul", "river-ACC"),
        ("건너-았-다.", "geonneo-at-da.", "cross-PST-DECL."),
    ]


def test_nothing_is_lost_and_nothing_added():
    for line in range(3):
        wanted = "".join(token[line].lstrip("+") for token in CAT)
        shown = "".join(word[line] for word in plots.interlinear(CAT).words)
        assert shown.replace("-", "") == wanted


def test_plain_text_has_the_lines_around():
    text = repr(plots.interlinear(CAT, above="the cat", below="고양이"))
    lines = text.splitlines()
    assert lines[0] == "the cat" and lines[-1] == "고양이"
    assert lines[2] == "goyangi-neun gang-eul geonneo-at-da."
    assert len(repr(plots.interlinear(CAT)).splitlines()) == 3


def test_html_is_balanced_and_escaped():
    shown = plots.interlinear([("<b>", "x & y", "'s")], above="a < b")
    text = shown._repr_html_()
    assert "&lt;b&gt;" in text and "x &amp; y" in text and "a &lt; b" in text
    open_tags = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            if tag != "br":
                open_tags.append(tag)

        def handle_endtag(self, tag):
            assert open_tags.pop() == tag

    Reader().feed(text)
    assert open_tags == []
    assert not re.search(r"(?<![-\w])color\s*:", text)  # fits dark and light


def test_a_glued_first_token_stands_alone():
    assert plots.interlinear([("+는", "neun", "TOP")]).words == [
        ("는", "neun", "TOP")
    ]


@pytest.mark.parametrize("bad", [[], [("강", "gang")]])
def test_what_is_not_a_glossed_sentence_is_refused(bad):
    with pytest.raises(ValueError, match="token|morpheme"):
        plots.interlinear(bad)
