"""Rules for the glossary and for the table of claims can fail."""

import pytest
from planted import all_edits, changed, in_file, put, rules_in

LONG = "so " * 26


def in_row(old, new):
    """A row of the glossary with other words."""
    return "glossary", in_file("glossary", old, new)


def in_claim(old, new):
    """The table of claims with other words."""
    return "claims.toml", in_file("claims.toml", old, new)


# The rule, after a colon which of its faults; the page; what is planted.
FAULTS = {
    # ------------------------------------------------------ page_rules/words.py
    "words_are_those_of_the_glossary: a form": (
        "lesson", changed("lesson", "words-table", "想法", "主意"),
    ),
    "words_are_those_of_the_glossary: a term": (
        "lesson", changed("lesson", "words-table", "idea", "notion"),
    ),
    "words_are_those_of_the_glossary: no table": (
        "lesson", changed("lesson", "words-table", "## Words", "## Terms"),
    ),
    "a_term_is_explained: a cell": in_row("| what one has ", ""),
    "a_term_is_explained: no Chinese": in_row("斑馬", ""),
    "a_term_is_explained: one word": in_row("what one has", "thoughts"),
    "a_term_is_explained: many words": in_row("what one has", LONG),
    "a_term_is_explained: a period": in_row("one has", "one has."),
    "a_term_is_explained: no chapter": in_row("has | 1 |", "has | |"),
    "a_term_is_explained: another chapter": in_row("has | 1 |", "has | 2 |"),
    "a_term_is_explained: not there": in_row("stripes | |", "stripes | 1 |"),
    "a_term_is_explained: not on a page": in_row("| page |", "| leaf |"),
    "a_term_is_explained: no page": in_row("(page.md)", "(nowhere.md)"),
    "terms_are_listed_once": in_row(
        "| zebra |", "| zebra | 말 | 馬 | it runs | |\n| zebra (striped) |"
    ),
    # ----------------------------------------------------- page_rules/claims.py
    "claims_have_their_fields: lacks": in_claim('verdict = "wrong"\n', ""),
    "claims_have_their_fields: strange": in_claim("origin", "whence"),
    "claims_have_their_fields: no line": in_claim("line = 3\n", ""),
    "claims_have_their_fields: no origin": in_claim(
        'origin = "often written"\n', ""
    ),
    "claims_have_their_fields: twice": in_claim("an-old-idea", "large-scores"),
    "claims_have_their_fields: order": (
        "claims.toml",
        in_file("claims.toml", 'chapter = 1\ndocument = ""',
                'chapter = 0\ndocument = ""'),
    ),
    "claims_are_told_briefly: id": in_claim("an-old-idea", "An old idea"),
    "claims_are_told_briefly: verdict": in_claim('"wrong"', '"bad"'),
    "claims_are_told_briefly: said": in_claim("2017", "2017."),
    "claims_are_told_briefly: period": in_claim("2015).", "2015)"),
    "claims_are_told_briefly: mark": in_claim("It is older", "No! It is older"),
    "claims_are_told_briefly: long": in_claim("alike.", "alike. So. So. So."),
    "claims_are_measured: nowhere": in_claim('["01 home"]', "[]"),
    "claims_are_measured: no cell": in_claim("01 home", "01 gone"),
    "claims_are_measured: heading": (
        "claims.toml", put("laboratory", "exercise", "### 1.2\n"),
    ),
    "claims_name_known_papers": in_claim("Bahdanau et al.", "Luong et al."),
    "originals_are_short: words": in_claim("점수는", "점수는 " * 26),
    "originals_are_short: a cut": in_claim("점수는 크다", "점수는 크다 [...]"),
    "originals_are_short: what is cut": in_claim("는 크다", "는 [...] 크다"),
    "originals_are_translated: not": in_claim(
        'translation = "The scores are large"\n', ""
    ),
    "originals_are_translated: in part": in_claim("The scores", "The 分數"),
    "notes_are_told_as_in_the_table: other words": (
        "laboratory", changed("laboratory", "lecture-notes", "older", "newer"),
    ),
    "notes_are_told_as_in_the_table: no cell": (
        "laboratory", lambda book: book.laboratory.pop("lecture-notes"),
    ),
    "every_claim_is_shown_once: twice": (
        "the_five_notes",
        in_file("the_five_notes", "{claims} smaller-points\n```\n",
                "{claims} smaller-points\n```\n\n"
                "```{claims} smaller-points\n```\n"),
    ),
    "every_claim_is_shown_once: another entry": (
        "the_five_notes",
        all_edits(
            in_file("the_five_notes", "Smaller", "Other"),
            in_file("the_five_notes", "} smaller", "} other"),
        ),
    ),
    "every_claim_is_shown_once: another heading": (
        "the_five_notes", in_file("the_five_notes", "## Smaller", "## Larger"),
    ),
    "every_claim_is_shown_once: another form": (
        "the_five_notes",
        in_file("the_five_notes", "points\n```\n",
                "points\n```\n\n```{claims}\nx\n```\n"),
    ),
    "notes_are_quoted_by_the_table": (
        "the_five_notes",
        in_file("the_five_notes", "## Smaller", "강\n강\n강\n\n## Smaller"),
    ),
}  # fmt: skip
# Where one fault cannot be without another.
ALSO = {
    "a_term_is_explained: no page": ["links_lead_somewhere"],
    "every_claim_is_shown_once: twice": ["smaller_points_lead_to_a_chapter"],
    "every_claim_is_shown_once: another entry": [
        "smaller_points_lead_to_a_chapter", "promised_errors_are_there",
    ],
    "every_claim_is_shown_once: another heading": [
        "smaller_points_lead_to_a_chapter",
    ],
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_its_rule_alone(fault, book):
    page, edit = FAULTS[fault]
    edit(book)
    book.write()
    wanted = {fault.split(":")[0], *ALSO.get(fault, ())}
    assert rules_in(book.complaints(page)) == wanted
