"""Rules for the guide for teachers and the page of common errors can fail."""

import pytest
from planted import all_edits, changed, in_file, rules_in


def guide(old, new):
    """The guide for teachers with other words."""
    return "teaching", in_file("teaching", old, new)


def of_lesson(old, new, page="teaching"):
    """What the guide, or another page, says of the lesson in other words."""
    return "lesson", in_file(page, old, new)


def errors(old, new):
    """The page of common errors with other words."""
    return "the_five_notes", in_file("the_five_notes", old, new)


# The rule, after a colon which of its faults; the page; what is planted.
FAULTS = {
    # ------------------------------------------------------ page_rules/guide.py
    "hours_list_every_chapter: listed": guide("[1 One idea]", "[2 One idea]"),
    "hours_list_every_chapter: linked": guide(
        "](../chapters/01_one", "](../book/../chapters/01_one"
    ),
    "hours_list_every_chapter: section": guide("### 1. One", "### One"),
    "hours_add_up: weeks of a chapter": guide(
        "5 | 1 | 1 |", "5 | 1 (30), 2 | 1 |"
    ),
    "hours_add_up: weeks": guide("0 | 2 | 1 |", "0 | 1 | 1 |"),
    "hours_add_up: week": guide("0 | 2 | 1 |", "0 | 3 | 1 |"),
    "hours_add_up: days": guide("0 | 2 | 1 |", "0 | 2 | 2 |"),
    "hours_add_up: home": guide("together 0 hours", "together 2 hours"),
    "class_fills_its_minutes: in brackets": guide(
        "class (40).** 20", "class (50).** 20"
    ),
    "class_fills_its_minutes: in the plan": guide(
        "20 Exercise 1.1", "25 Exercise 1.1"
    ),
    "class_fills_its_minutes: no minutes": guide(
        "20 Exercise 1.1", "Exercise 1.1"
    ),
    "class_fills_its_minutes: review": guide("40 questions", "30 questions"),
    "short_plans_fill_their_minutes: session": guide(
        "30 Exercise 1.1", "35 Exercise 1.1"
    ),
    "short_plans_fill_their_minutes: day": guide(
        "morning (30)", "morning (35)"
    ),
    "short_plans_fill_their_minutes: blocks": guide(
        "| morning (30)", "| Morning (30)"
    ),
    "stumbling_blocks_have_their_names": guide("`base_two`", "`base_three`"),
    # ----------------------------------------------------- page_rules/taught.py
    "home_is_counted: class": of_lesson("Class: 1.1", "Class: 1.2"),
    "home_is_counted: minutes": of_lesson(" + 5 |", " + 25 |"),
    "home_is_counted: reading": of_lesson(" + 5 | 1", "0 + 5 | 1"),
    "home_is_counted: no row": of_lesson("[1 One", "[2 One"),
    "guide_names_what_is_there: an exercise": of_lesson(
        "Home: 1.2.", "Home: 1.2, 1.3."
    ),
    "guide_names_what_is_there: exam": of_lesson("exam: none", "exam: 1.1"),
    "guide_names_what_is_there: no exam": of_lesson("Paper exam: none. ", ""),
    "guide_names_what_is_there: exercise": of_lesson(
        "Figure 1.2.\n", "Figure 1.2, then Exercise 1.7.\n"
    ),
    "guide_names_what_is_there: figure": of_lesson(
        "Figure 1.2.\n", "Figure 1.7.\n"
    ),
    "guide_names_what_is_there: experiment": of_lesson(
        "Experiment 1", "Experiment 7"
    ),
    "what_no_check_judges_has_its_points: title": of_lesson(
        "1.2 more", "1.2 less", "rubrics"
    ),
    "what_no_check_judges_has_its_points: none": of_lesson(
        "**1.2 more.**", "", "rubrics"
    ),
    "what_no_check_judges_has_its_points: points": of_lesson(
        "(3)", "(4)", "rubrics"
    ),
    "what_no_check_judges_has_its_points: few": of_lesson(
        " (3) Three.", "", "rubrics"
    ),
    "what_no_check_judges_has_its_points: another": (
        "lesson", changed("lesson", "exercise", "(code", "(prove"),
    ),
    # ----------------------------------------------------- page_rules/errors.py
    "entries_have_their_parts: none": errors("**Better.**", "Better."),
    "entries_have_their_parts: order": (
        "the_five_notes",
        all_edits(in_file("the_five_notes", "**Better.**", "**X.**"),
                  in_file("the_five_notes", "**Source.**", "**Better.**"),
                  in_file("the_five_notes", "**X.**", "**Source.**")),
    ),
    "entries_have_their_parts: measured": errors(
        "[chapter 1](../chapters/01_one_idea.ipynb)", "chapter 1"
    ),
    "promised_errors_are_there": errors("### The", "#### The"),
    "smaller_points_lead_to_a_chapter": (
        "the_five_notes",
        in_file("claims.toml", '2015)."\ncell = ["01 home"]',
                '2015)."\ncell = []'),
    ),
    "quotations_are_short": errors('"The scores', f'"{"very " * 25}The scores'),
}  # fmt: skip
# Where one fault cannot be without another.
ALSO = {
    "hours_list_every_chapter: listed": ["class_fills_its_minutes"],
    "hours_list_every_chapter: section": [
        "class_fills_its_minutes", "stumbling_blocks_have_their_names",
    ],
    "home_is_counted: class": ["guide_names_what_is_there"],
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_its_rule_alone(fault, book):
    page, edit = FAULTS[fault]
    edit(book)
    book.write()
    wanted = {fault.split(":")[0], *ALSO.get(fault, ())}
    assert rules_in(book.complaints(page)) == wanted
