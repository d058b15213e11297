"""Rules for the cells, outputs and figures of a notebook can fail."""

import pytest
from planted import (
    all_edits,
    changed,
    more,
    page_with,
    put,
    rules_in,
    shown,
    with_metadata,
    with_output,
)
from small_book import DRAWN, MOVING, code, words

IMPORTS = """import math
import torch
from torch import nn
from torch.nn import functional as F"""


def a_part(hint, imports):
    """A notebook that asks for a part of the reader's own Transformer."""
    return all_edits(
        with_metadata("laboratory", "home", tags=["answer:causal_mask"]),
        more(
            "laboratory",
            code("imports", imports, tags=["hide-input"]),
            below="words",
        ),
        changed(
            "laboratory", "exercise", "more",
            f"more\n\n<details><summary>Hint 1</summary>\n\n{hint}</details>",
        ),
    )  # fmt: skip


# The rule, after a colon which of its faults; the page; what is planted.
FAULTS = {
    # ------------------------------------------------------ page_rules/cells.py
    "named_by_number_and_idea": (
        "solutions",
        lambda book: setattr(book, "name", "01_One-idea.ipynb"),
    ),
    "title_comes_first": ("lesson", changed("lesson", "title", "# 1.", "1.")),
    "same_set_up: another text": (
        "lesson", put("lesson", "setup", "import torch"),
    ),
    "same_set_up: another tag": (
        "lesson", with_metadata("lesson", "setup", tags=["setup"]),
    ),
    "same_set_up: an output": (
        "lesson", with_output("lesson", "setup", shown("text/plain", "1")),
    ),
    "same_set_up: a second one": (
        "laboratory",
        with_metadata("laboratory", "home", tags=["setup"],
                      jupyter={"source_hidden": True}, cellView="form"),
    ),
    "read_alike_everywhere: directive": (
        "lesson", put("lesson", "experiment",
                      "### Experiment 1: up\n\n```{note}\nx\n```"),
    ),
    "read_alike_everywhere: role": (
        "solutions", put("solutions", "title", "# Solutions {cite}`x`"),
    ),
    "read_alike_everywhere: target": (
        "laboratory", changed("laboratory", "title", "# One", "# T\n(x)=\n"),
    ),
    "read_alike_everywhere: colon fence": (
        "laboratory", changed("laboratory", "title", "# One", "# T\n:::note"),
    ),
    "read_alike_everywhere: formula": (
        "laboratory", changed("laboratory", "title", "One", r"\(x\)"),
    ),
    "short_cells: rows": (
        "lesson", put("lesson", "answer", "print(x)" + "\n" * 26),
    ),
    "short_cells: columns": (
        "lesson", put("lesson", "answer", f"print('{'x' * 80}')"),
    ),
    "usually_very_short": (
        "solutions",
        all_edits(put("solutions", "first-code", "x = 1\n" * 7),
                  put("solutions", "second-code", "x = 1\n" * 7)),
    ),
    "words_between_code": (
        "laboratory",
        more("laboratory", *(code(name, "1") for name in "abc")),
    ),
    "plumbing_is_folded": ("lesson", put("lesson", "short", "import torch")),
    "plumbing_is_folded: a laboratory's code": (
        "laboratory", more("laboratory", code("six", "x = 1\n" * 6)),
    ),
    "not_too_much_code": (
        "lesson",
        more("lesson", *(one for n in range(6) for one in
                         (code(f"c{n}", "x = 1\n" * 4 + "x\n" * 18),
                          words(f"w{n}", "Then:")))),
    ),
    # ---------------------------------------------------- page_rules/outputs.py
    "executed: a count": (
        "lesson",
        lambda book: book.lesson["short"].update(execution_count=3),
    ),
    "executed: no output": (
        "solutions", with_output("solutions", "first-code"),
    ),
    "no_error_is_stored: an error": (
        "lesson",
        with_output("lesson", "short",
                    {"output_type": "error", "ename": "KeyError"}),
    ),
    "no_error_is_stored: a warning": (
        "lesson",
        with_output("lesson", "short",
                    {"output_type": "stream", "name": "stderr", "text": "x"}),
    ),
    "nothing_volatile: a version": (
        "lesson",
        lambda book: book.metadata.update(
            language_info={"name": "python", "version": "3.12.1"}
        ),
    ),
    "nothing_volatile: a kernel": (
        "lesson",
        lambda book: book.metadata.update(kernelspec={"name": "python3.12"}),
    ),
    "nothing_volatile: widgets": (
        "lesson", lambda book: book.metadata.update(widgets={}),
    ),
    "nothing_volatile: a widget": (
        "lesson",
        with_output("lesson", "short",
                    shown("application/vnd.jupyter.widget-view+json", "x")),
    ),
    "folded_in_notebook_programs: open answer": (
        "lesson", with_metadata("lesson", "answer", collapsed=None),
    ),
    "folded_in_notebook_programs: shut code": (
        "lesson",
        with_metadata("lesson", "short", jupyter={"source_hidden": True}),
    ),
    "folded_in_notebook_programs: shut output": (
        "lesson",
        with_metadata("lesson", "short", jupyter={"outputs_hidden": True}),
    ),
    "folded_in_notebook_programs: a form": (
        "lesson", with_metadata("lesson", "short", cellView="form"),
    ),
    "what_is_folded_is_there": ("lesson", with_output("lesson", "answer")),
    # ---------------------------------------------------- page_rules/devices.py
    "a_device_decides_nothing": (
        "laboratory",
        put("laboratory", "home", "steps = 80 if device == 'cuda' else 6"),
    ),
    "no_other_device": ("laboratory", put("laboratory", "home", "x = 'mps.'")),
    # --------------------------------------------------- page_rules/own_file.py
    "hints_name_what_the_notebook_has: a name": (
        "laboratory", a_part("Begin with `torch.tril(a_matrix)`.", IMPORTS),
    ),
    "hints_name_what_the_notebook_has: no Python": (
        "laboratory", a_part("Begin with `torch.tril((`.", IMPORTS),
    ),
    "imports_are_those_of_the_file: none": (
        "laboratory", a_part("Begin.", IMPORTS.replace(" as F", "")),
    ),
    "imports_are_those_of_the_file: unused": (
        "laboratory", a_part("Begin.", f"{IMPORTS}\nimport json"),
    ),
    # ---------------------------------------------------- page_rules/figures.py
    "drawings_have_words: no drawing": (
        "laboratory",
        with_output("laboratory", "figure", shown("image/png", "iVBO")),
    ),
    "drawings_have_words: few words": (
        "laboratory",
        with_output("laboratory", "figure",
                    shown("image/svg+xml", DRAWN.replace("that falls", ""))),
    ),
    "html_has_words": (
        "lesson",
        with_output("lesson", "figure",
                    shown("text/html", MOVING.replace("aria-label", "id"))),
    ),
    "pictures_in_the_text: no words": (
        "lesson", changed("lesson", "words", "![A cat]", "![]"),
    ),
    "pictures_in_the_text: no file": ("page", page_with("![A dog](dog.png)")),
    "a_figure_to_move: none": (
        "lesson",
        all_edits(
            with_output("lesson", "figure", shown("image/svg+xml", DRAWN)),
            changed("lesson", "caption", " (interactive)", ""),
        ),
    ),
    "a_figure_to_move: with scripts alone": (
        "lesson",
        with_output("lesson", "figure",
                    shown("text/html", f"<script>{MOVING}</script>")),
    ),
    "a_caption_below_each_figure": (
        "laboratory",
        lambda book: book.laboratory.update(
            figure=code("figure", "plots.picture(x)", DRAWN, ["hide-input"]),
            caption=words("caption", "A line that falls."),
        ),
    ),
    "a_caption_below_each_figure: moving": (
        "laboratory",
        changed("laboratory", "caption", "1.2.", "1.2 (interactive)."),
    ),
    "figures_are_numbered": (
        "lesson", changed("laboratory", "caption", "1.2", "1.3"),
    ),
    "a_figure_above_each_caption: no figure": (
        "laboratory",
        all_edits(with_output("laboratory", "figure"),
                  more("laboratory", code("last", "x", "1"))),
    ),
    "a_figure_above_each_caption: not the last": (
        "laboratory", put("laboratory", "figure", "plots.picture(x)\ny = 2"),
    ),
    "a_figure_above_each_caption: words before it": (
        "lesson", changed("lesson", "experiment", "### Experiment 1: up",
                          "### Experiment 1: up\n\n*Figure 1.9*"),
    ),
}  # fmt: skip
# Where one fault cannot be without another.
MINUTES = ["says_how_long_it_takes", "home_is_counted"]
ALSO = {
    "drawings_have_words: no drawing": ["a_figure_above_each_caption"],
    "not_too_much_code": ["usually_very_short", *MINUTES],
    "a_figure_to_move: none": MINUTES,
    "figures_are_numbered": ["guide_names_what_is_there"],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_its_rule_alone(fault, book):
    page, edit = FAULTS[fault]
    edit(book)
    book.write()
    wanted = {fault.split(":")[0], *ALSO.get(fault, ())}
    assert rules_in(book.complaints(page)) == wanted


def test_the_picture_of_the_ten_parts_is_no_figure(book):
    picture = code("parts", "workbook.picture(1)", DRAWN)
    more("lesson", picture)(book)
    book.write()
    assert not rules_in(book.complaints("lesson"))
