"""The list of references: who cites what, and the notes that are credited."""

import re
from pathlib import Path
from types import SimpleNamespace

from docutils import nodes

ROOT = Path(__file__).resolve().parents[2]

import cited_in  # noqa: E402

PAGE = (ROOT / "book" / "references.md").read_text(encoding="utf-8")


class Environment(SimpleNamespace):
    """What Sphinx knows: one paper by role, another in plain words."""

    def get_domain(self, name):
        target = SimpleNamespace(key="vaswani2017")
        ref = SimpleNamespace(docname="book/results", targets=[target])
        named = SimpleNamespace(citation_id="id9", key="vaswani2017")
        lone = SimpleNamespace(citation_id="id8", key="ba2016")
        return SimpleNamespace(citation_refs=[ref], citations=[named, lone])


def app_with(**named):
    title = nodes.title("", "Measured results")
    env = Environment(book_named=named, titles={"book/results": title})
    builder = SimpleNamespace(
        format="html", get_relative_uri=lambda _, page: f"../{page}.html"
    )
    return SimpleNamespace(env=env, builder=builder, srcdir=ROOT)


def test_a_reference_names_the_pages_that_cite_it():
    app = app_with(
        **{
            "chapters/11_the_whole_model": {"vaswani2017"},
            "chapters/03_query_key_value": {"vaswani2017"},
            "book/solutions/03_query_key_value": {"vaswani2017"},
            "book/laboratory/04_why_the_square_root": {"vaswani2017"},
            "book/solutions/05_residual_connections": {"vaswani2017"},
            "book/api/model": {"vaswani2017"},
            "book/references": {"vaswani2017"},
        }
    )
    entry = nodes.citation(ids=["id9"])
    other = nodes.citation(ids=["id8"])
    cited_in.add_pages(app, nodes.section("", entry, other), cited_in.PAGE)
    assert entry.astext() == (
        "Cited in chapter 3, chapter 11, laboratory of chapter 4, "
        "solutions to chapter 5, Measured results."
    )
    links = [link["refuri"] for link in entry.findall(nodes.reference)]
    assert links[1] == "../chapters/11_the_whole_model.html"
    assert other.astext() == "Further reading."


def test_what_a_page_names_in_its_words_is_noted():
    app = app_with()
    app.env.docname = "chapters/04_why_the_square_root"
    code = nodes.literal_block("", "# Ba et al. 2016")
    words = nodes.paragraph("", "(Vaswani et al. 2017, section 3.2)")
    cited_in.note(app, nodes.section("", words, code))
    assert app.env.book_named[app.env.docname] == {"vaswani2017"}


def test_the_list_is_read_anew_with_any_changed_page():
    env = SimpleNamespace(found_docs={cited_in.PAGE, "book/results"})
    changed, nothing = ["book/results"], []
    cited_in.read_again(None, env, changed)
    cited_in.read_again(None, env, nothing)
    assert changed == ["book/results", cited_in.PAGE] and nothing == []


def test_the_five_notes_are_credited():
    part = PAGE.split("## The notes this book grew from")[1]
    part = part.split("\n## ")[0]
    notes = re.findall(r"^\d\. (.+?)(?=^\d\. |\Z)", part, flags=re.M | re.S)
    assert len(notes) == 5
    for note in notes:
        flat = " ".join(note.split())
        assert re.search(r"https://\S+|address is not known", flat), flat
