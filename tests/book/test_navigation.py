"""The side bars, the way from page to page, the search: book/_ext."""

from pathlib import Path

from chapter_numbers import CHAPTERS

ROOT = Path(__file__).resolve().parents[2]

import access  # noqa: E402
import navigation  # noqa: E402
import search_order  # noqa: E402


def test_laboratory_and_solutions_show_below_the_chapter_that_is_read():
    item = (
        '<li class="toctree-l1 {} has-children"><a class="reference internal"'
        ' href="chapters/0{}.html">x</a><details><summary></summary><ul><li>'
        '<a class="reference internal" href="0{}_l.html">Laboratory</a></li>'
        '<li><a class="reference internal" href="0{}_s.html">Solutions</a></li>'
        "</ul></details></li>"
    )
    html = item.format("current", 1, 1, 1) + item.format("", 2, 2, 2)
    soup = navigation.BeautifulSoup(html, "html.parser")
    navigation.keep_rooms_below(soup)
    navigation.mark_short_way(soup, {"chapters/02.html"})
    for room in "ls":
        assert f"01_{room}.html" in str(soup)
        assert f"02_{room}.html" not in str(soup)
    assert "details" not in str(soup)
    assert soup.select_one("[data-way]")["href"] == "chapters/02.html"


def test_the_way_on_leads_from_lesson_to_lesson():
    order = ["a", "book/laboratory/a", "book/solutions/a", "b"]
    order += ["book/laboratory/b", "book/solutions/b", "c"]
    relations = {
        name: [None, before, after]
        for name, before, after in zip(
            order, [None, *order], [*order[1:], None], strict=False
        )
    }
    assert navigation.neighbors(relations, "a") == (None, "b")
    assert navigation.neighbors(relations, "book/laboratory/a") == ("a", "b")
    assert navigation.neighbors(relations, "book/solutions/a") == ("a", "b")
    assert navigation.neighbors(relations, "b") == ("a", "c")


def test_the_contents_name_an_exercise_in_short():
    long = "Exercise 2.1 (code, 10 min, easy): softmax"
    assert navigation.short_exercises(long) == "Exercise 2.1: softmax"


def test_the_search_knows_the_words_of_the_glossary():
    glossary = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
    words = search_order.words_of(glossary)
    assert words["셀프 어텐션"] == words["자기 주의"] == "self-attention"
    assert words["라벨"] == words["레이블"] == "label"
    assert "english" not in words.values()


def test_the_search_knows_where_a_term_is_explained():
    glossary = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
    homes = search_order.homes_of(glossary)
    assert homes["softmax"] == 2 and homes["kv cache"] == 14
    assert "english" not in homes and set(homes.values()) <= set(CHAPTERS)


def test_the_search_knows_what_the_page_of_troubleshooting_explains():
    page = (ROOT / "book" / "troubleshooting.md").read_text(encoding="utf-8")
    symptoms = search_order.symptoms_of(page)
    assert "cuda out of memory" in symptoms
    assert "mat1 and mat2 shapes cannot be multiplied" in symptoms


def test_a_word_belongs_to_the_lessons_that_use_it_most():
    texts = ["loop loop loop x", "", "loop " * 5, "rare", "", "", ""]
    assert search_order.frequent(texts) == {"loop": [2, 0]}
    assert search_order.frequent(["the the the"] * 4) == {}


def test_an_arrow_of_the_side_bar_is_named_after_its_page():
    html = (
        '<li><a href="api">The library</a><details><summary><i></i></summary>'
        "<ul></ul></details></li>"
    )
    assert '<summary aria-label="Pages of: The library">' in (
        access.named_summaries(html)
    )


def test_parameters_without_terms_are_lines():
    html = (
        "<dl>\n<dd>a: int,</dd>\n<dd>b: int,</dd>\n</dl>\n<dl><dt>x</dt></dl>"
    )
    assert access.plain_parameters(html).count('<span class="sig-line">') == 2
    assert "<dl><dt>x</dt></dl>" in access.plain_parameters(html)
