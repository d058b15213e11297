"""The drawing of the Transformer and the map: book/_ext."""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from chapter_numbers import CHAPTERS as NUMBERS
from chapter_numbers import COURSE, ENCORE
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]

import book_map  # noqa: E402
import machine  # noqa: E402

CHAPTERS = {n: (f"{n}.html", f"{n}. <Title>") for n in NUMBERS}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("number", NUMBERS)
def test_every_chapter_lights_parts_that_are_drawn(number):
    lit = machine.lit_in(number)
    root = ElementTree.fromstring(machine.svg(lit, CHAPTERS))
    shown = {
        part.get("data-part")
        for part in root
        if "m-lit" in part.get("class", "")
    }
    assert lit and shown == lit


def test_every_part_leads_to_its_chapter_and_each_chapter_is_named_once():
    root = ElementTree.fromstring(machine.svg(set(), CHAPTERS))
    links = root.findall(f"{SVG}a")
    assert {(a.get("data-part"), a.get("href")) for a in links} == {
        (part, f"{number}.html") for part, number in machine.CHAPTER.items()
    }
    named = [a.get("href") for a in links if a.get("tabindex") != "-1"]
    assert sorted(named) == sorted({a.get("href") for a in links})
    for link in links:
        hidden = link.get("aria-hidden") == "true"
        assert hidden == (link.get("tabindex") == "-1")


def test_a_link_is_named_by_the_words_that_are_seen_on_it():
    """Its title is its name; one in ARIA would hide the words from axe."""
    pairs = {n: (f"{n}.html", f"{n}. A title & more") for n in NUMBERS}
    links = re.findall("<a (.*?)</a>", machine.svg((), pairs))
    names = set()
    for link in links:
        shape, name = re.fullmatch("(.*)<title>(.*)</title>", link).groups()
        assert "aria-label" not in shape
        shape = re.sub('<text class="m-number".*?</text>', "", shape)
        lines = "".join(re.findall("<text.*?>(.*?)</text>", shape))
        seen = re.sub("<.*?>", "", lines)
        assert "".join(name.split()).startswith("".join(seen.split()))
        assert name.endswith(". A title &amp; more")
        names.add(name)
    assert "self-attention: 2. A title &amp; more" in names


def test_from_each_chapter_every_other_is_reached():
    parts = set(machine.CHAPTER.values())
    assert parts | set(machine.WHOLE) == set(NUMBERS)
    assert not parts & set(machine.WHOLE)
    row = ElementTree.fromstring(book_map.whole(15, CHAPTERS))
    assert [a.get("href") for a in row] == [f"{n}.html" for n in machine.WHOLE]
    (here,) = (a for a in row if a.get("aria-current"))
    assert "".join(here.itertext()) == CHAPTERS[15][1]


def test_on_a_phone_each_chapter_has_its_number():
    root = ElementTree.fromstring(machine.svg(set(), CHAPTERS))
    shown = {
        int(text.text)
        for text in root.iter(f"{SVG}text")
        if text.get("class") == "m-number" and text.text
    }
    frames = {machine.CHAPTER[part] for part in ("encoder", "decoder")}
    assert shown | frames == set(machine.CHAPTER.values())


def test_the_parts_of_the_map_are_those_of_the_table_of_contents():
    found = book_map.parts(SimpleNamespace(srcdir=ROOT))
    names = [name for _, part in found for name in part]
    there = sorted((ROOT / "chapters").glob("*.ipynb"))
    assert [name.split("/")[1] for name in names] == [p.stem for p in there]
    assert found[0][0] == "Attention"
    assert [book_map.number_of(name) for name in names] == NUMBERS
    course = [name for part, of in found if part != ENCORE for name in of]
    assert [book_map.number_of(name) for name in course] == COURSE


def asking(tmp_path, *questions):
    """Return what a book asks whose one lesson opens with these lines."""
    text = "".join(f"\n\n> **The question.** {words}" for words in questions)
    cells = [{"source": ["# 8. Masks", text]}]
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters/08_masks.ipynb").write_text(
        json.dumps({"cells": cells}), encoding="utf-8"
    )
    env = SimpleNamespace(srcdir=tmp_path)
    return book_map.question_of(env, "chapters/08_masks")


def test_a_chapter_asks_what_its_lesson_asks(tmp_path):
    assert asking(tmp_path, "What may a word see?") == "What may a word see?"


@pytest.mark.parametrize("questions", [[], ["One?", "Two?"]])
def test_a_lesson_that_asks_no_question_or_two_is_told(
    tmp_path, caplog, questions
):
    asking(tmp_path, *questions)
    assert f"asks {len(questions)} questions" in caplog.text


@pytest.mark.parametrize("number", NUMBERS)
def test_every_lesson_asks_one_question(number):
    (path,) = (ROOT / "chapters").glob(f"{number:02}_*.ipynb")
    env = SimpleNamespace(srcdir=ROOT)
    question = book_map.question_of(env, f"chapters/{path.stem}")
    assert question.endswith("?") and not set(question) & set("*$`\\")


def test_the_preview_has_the_size_that_networks_want():
    path = ROOT / "book" / "_static" / "preview.png"
    assert Image.open(path).size == (1200, 630)
    assert path.stat().st_size < 100_000


def test_the_colors_of_query_key_and_value_are_said_once():
    css = (ROOT / "book" / "_static" / "book.css").read_text(encoding="utf-8")
    for name in ("query", "key", "value", "residual", "mask", "lit"):
        assert len(re.findall(rf"^  --{name}: ", css, re.M)) == 1, name


def test_in_a_pre_norm_drawing_each_norm_stands_before_its_block():
    root = ElementTree.fromstring(machine.svg(set(), CHAPTERS, True))
    left = {"encoder": [], "decoder": []}
    for part in root:
        box = part.find(f"{SVG}rect")
        name = part.get("data-part")
        if name in ("norm", "self", "masked", "cross", "forward"):
            row = "encoder" if float(box.get("y")) < 100 else "decoder"
            left[row].append((float(box.get("x")), name))
    found = {row: [name for _, name in sorted(it)] for row, it in left.items()}
    # The one after the encoder's last layer stands on the way to the decoder.
    assert found == {
        "encoder": ["norm", "self", "norm", "forward"],
        "decoder": [
            "norm", "masked", "norm", "cross", "norm", "norm", "forward",
            "norm",
        ],
    }  # fmt: skip
