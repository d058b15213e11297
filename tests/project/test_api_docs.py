"""What a reader is told about each public name: help(), pydoc, API pages."""

import ast
import importlib
import json
import re
import subprocess
import sys
from types import SimpleNamespace

import api_docs
import pytest
import used_in
from docstrings import chapters_in, complaints, faults_of, missing, shown
from public_names import DOORS, NAMES, ROOT, path_of, public_names, short

import transformer_lib

RENDER = """
import importlib, json, pydoc, sys
pages = {}
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    pages[name] = pydoc.plain(pydoc.render_doc(module))
print(json.dumps(pages))
"""


@pytest.fixture(scope="module")
def pages():
    """What `python -m pydoc` says about each module, shape checks off."""
    command = [sys.executable, "-c", RENDER, "transformer_lib", *NAMES]
    run = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=ROOT
    )
    return json.loads(run.stdout)


@pytest.mark.parametrize("name", NAMES, ids=short)
def test_a_module_says_all_that_its_readers_need(name, pages):
    assert complaints(name, pages[name]) == []


# ----------------------------------------------------------- what is complained

GOOD = '''
def f(a, b):
    """Add two numbers.

    Args:
        a, b: numbers.

    Returns:
        Their sum.

    Raises:
        ValueError: they are none.
    """
    _check(a)
    return a + b


def _check(a):
    if a is None:
        raise ValueError("a is none")
'''
FAULTS = {
    "a docstring": (GOOD[GOOD.index('    """') : GOOD.index("    _ch")], ""),
    "a first line with a period": ("two numbers.", "two numbers"),
    "Args: b": ("a, b: numbers", "a: a number"),
    "no Args: c": ("a, b: numbers", "a, b, c: numbers"),
    "Returns": ("Returns:", "Then:"),
    "Raises: ValueError": ("ValueError: they", "TypeError: they"),
}


def lacks(tmp_path, text):
    path = tmp_path / "made_up.py"
    path.write_text(text, encoding="utf-8")
    return missing(ast.parse(text).body[0], path)


def test_a_whole_docstring_lacks_nothing(tmp_path):
    assert lacks(tmp_path, GOOD) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_docstring_leaves_out_is_named(fault, tmp_path):
    before, after = FAULTS[fault]
    assert before in GOOD
    assert lacks(tmp_path, GOOD.replace(before, after)) == [fault]


def test_a_number_of_a_chapter_is_found():
    text = "See Chapter 7."
    (said,) = chapters_in("transformer_lib.masks", text)
    assert said.endswith("Chapter 7")
    assert not [*chapters_in("transformer_course.recall", text)]
    assert not [*chapters_in("transformer_lib.masks", "a chapter")]


def test_a_page_of_pydoc_with_too_much_or_too_little_is_found():
    page = "FUNCTIONS\n    f(x)\n\n    g(x)\n\nFILE\n"
    assert [*faults_of(page, {"f", "g"}, ["f"])] == []
    (said,) = faults_of(page, {"f"}, ["f"])
    assert "shows g, which is made elsewhere" in said
    (said,) = faults_of(page, {"f", "g"}, ["h"])
    assert said.startswith("h: pydoc does not show")
    (said,) = faults_of(page + "     |  _private(x)\n", {"f", "g"}, [])
    assert "_private" in said


def test_a_formula_without_a_source_is_found(monkeypatch):
    monkeypatch.setattr(used_in, "table", dict)
    found = complaints("transformer_lib.masks", "")
    assert [one for one in found if "a line Source:" in one]


def test_the_chapters_that_use_a_name_are_found_in_their_code(
    tmp_path, monkeypatch
):
    cells = [
        "!pip install nothing",
        "from transformer_lib import masks as hiding, numpy_reference\n"
        "from transformer_lib.layers import EncoderLayer",
        "hiding.causal_mask(3)\nnumpy_reference.softmax(x)\nx.padding_mask()",
    ]
    cells = [{"cell_type": "code", "source": [cell]} for cell in cells]
    cells += [{"cell_type": "markdown", "source": ["DecoderLayer"]}]
    text = json.dumps({"cells": cells})
    for number in ("04", "12"):
        (tmp_path / f"{number}_x.ipynb").write_text(text, encoding="utf-8")
    monkeypatch.setattr(used_in, "ROOMS", (tmp_path,))
    used_in.table.cache_clear()
    try:
        assert used_in.table() == {
            ("transformer_lib.masks", "causal_mask"): [4, 12],
            ("transformer_lib.numpy_reference.probability", "softmax"): [4, 12],
            ("transformer_lib.layers", "EncoderLayer"): [4, 12],
        }
        from transformer_lib import masks

        assert used_in.said(masks.causal_mask) == "Chapters 4 and 12."
        assert used_in.said(masks.padding_mask) == ""
    finally:
        used_in.table.cache_clear()


def test_pydoc_of_the_library_lists_all_public_names_at_the_top(pages):
    page = pages["transformer_lib"]
    assert shown(page) == set(transformer_lib.__all__)
    top = page.split("PACKAGE CONTENTS")[0]
    words = set(re.findall(r"\w+", top))
    assert set(transformer_lib.__all__) - words == set()


# -------------------------------------------------------------------- API pages

API = sorted((ROOT / "book" / "api").glob("*.md"))


def listed():
    """Yield (module, name) for each entry of the API pages."""
    for page in API:
        text = page.read_text(encoding="utf-8")
        for name, names in re.findall(
            r"^\.\. automodule:: (\w+(?:\.\w+)+)\n"
            r"   :members: ((?:.+\n)(?:      .+\n)*)",
            text,
            flags=re.M,
        ):
            for thing in names.replace("\n", " ").split(","):
                yield name, thing.strip()


def test_the_pages_list_each_public_name_once():
    entries = sorted(listed())
    public = {(name, thing) for name in DOORS for thing in public_names(name)}
    assert entries == sorted(set(entries))
    assert sorted(public - set(entries)) == [], "add it to book/api/"
    assert sorted(set(entries) - public) == [], "take it off book/api/"


def test_what_the_library_gives_is_listed_where_it_lives():
    entries = set(listed())
    for thing in transformer_lib.__all__:
        value = getattr(transformer_lib, thing)
        assert (value.__module__, thing) in entries


def test_the_pages_list_each_command_of_the_command_line():
    page = (ROOT / "book" / "api" / "command_line.md").read_text("utf-8")
    for package in ("transformer_lib", "transformer_course"):
        fence = rf"^```\{{command-help\}} {package} (\w+)$"
        shown = re.findall(fence, page, flags=re.M)
        options = importlib.import_module(f"{package}.cli.options")
        assert f"{{{','.join(shown)}}}" in options.parser().format_help()


# -------------------------------------------------- from docstring to web page


def test_a_signature_is_shown_as_the_source_writes_it():
    from transformer_lib import attention, batching, decoding, runs

    given, result = api_docs.signature(attention.attention_weights, False)
    assert given == (
        '(query: Float[Tensor, "*B Lq K"], key: Float[Tensor, "*B Lk K"], '
        'mask: Bool[Tensor, "*#B #Lq Lk"] | None = None)'
    )
    assert result == 'Float[Tensor, "*B Lq Lk"]'
    given, _ = api_docs.signature(batching.Batch, False)
    assert given.startswith('(source: Int[Tensor, "B S"], target_in: ')
    given, _ = api_docs.signature(runs.Run, False)  # all of its base
    assert given.startswith("(folder: Path, data: TrainingData, ")
    _, result = api_docs.signature(batching.Batch.to, True)
    assert result == "Batch"
    given, _ = api_docs.signature(decoding.greedy, False)
    assert given.startswith("(model: Transformer, source: Int[")


def test_markdown_becomes_what_sphinx_reads():
    lines = [
        "Show `name` and ``code`` of |x| and b_ in $x_i$, *not* **k.",
        "",
        r"$$a_{ij} =",
        r"  b$$",
        "",
        "    print(*args)",
        "",
        "Chapters 2-4, 8 and 15.",
    ]
    app = SimpleNamespace(
        config=SimpleNamespace(api_chapters={2: "/chapters/02_x", 8: "/c/08"})
    )
    api_docs.process_docstring(app, "module", "m", api_docs, None, lines)
    assert lines == [
        r"Show :py:obj:`name` and ``code`` of \|x\| and b\_ in :math:`x_i`, "
        r"*not* \*\*k.",
        "",
        ".. math::",
        "",
        "   a_{ij} =",
        "     b",
        "",
        "    print(*args)",
        "",
        "Chapters :doc:`2 </chapters/02_x>`-4, :doc:`8 </c/08>` and 15.",
    ]


def test_an_entry_links_to_the_lines_that_define_it():
    info = {"module": "transformer_lib.batching", "fullname": "Batch.to"}
    api_docs.source_link.address = ""  # no repository to link to
    assert api_docs.source_link("py", info) is None
    api_docs.source_link.address = "https://example.org/blob/v1"
    address = api_docs.source_link("py", info)
    head, _, lines = address.partition("#")
    assert head == "https://example.org/blob/v1/transformer_lib/batching.py"
    first, last = map(int, re.findall(r"\d+", lines))
    text = path_of(info["module"]).read_text(encoding="utf-8").splitlines()
    assert text[first - 1].strip().startswith("def to(self")
    assert text[last - 1].strip() == ")" and text[last].strip() == ""
