"""Rules for links, and for what belongs together in a chapter, can fail."""

import pytest
from planted import all_edits, changed, more, page_with, put, rules_in
from small_book import words

# The rule, after a colon which of its faults; the page; what is planted.
FAULTS = {
    # ------------------------------------------------------ page_rules/links.py
    "links_lead_somewhere": ("page", page_with("[there](nowhere.md)")),
    "links_lead_somewhere: of a lesson": (
        "lesson", changed("lesson", "words", "See", "[see](../nowhere.md)"),
    ),
    "links_find_their_place": ("page", page_with("[there](#above)")),
    "links_find_their_place: elsewhere": (
        "page", page_with("[there](../chapters/01_one_idea.ipynb#less)"),
    ),
    "what_is_named_is_there: figure": (
        "lesson", changed("lesson", "words", "Figure 1.1", "Figure 1.3"),
    ),
    "what_is_named_is_there: exercise": (
        "laboratory", changed("laboratory", "words", "Back",
                              "As in Exercise 1.4, back"),
    ),
    "what_is_named_is_there: chapter": ("page", page_with("See chapter 2.")),
    # ---------------------------------------------------- page_rules/chapter.py
    "exercises_have_solutions": (
        "lesson", changed("solutions", "second", "1.2", "1.3"),
    ),
    "exercises_have_solutions: numbers": (
        "lesson",
        all_edits(changed("laboratory", "exercise", "1.2", "1.3"),
                  changed("solutions", "second", "1.2", "1.3"),
                  changed("lesson", "words", "Exercise 1.2", "Exercise 1.3"),
                  changed("lesson", "words", "exercise-12", "exercise-13")),
    ),
    "exercises_have_solutions: of a lesson": (
        "lesson",
        all_edits(changed("lesson", "exercise", "### E", "E"),
                  changed("solutions", "first", "## E", "E"),
                  changed("laboratory", "exercise", "1.2", "1.1"),
                  changed("solutions", "second", "1.2", "1.1"),
                  changed("lesson", "words", "Exercise 1.2", "Exercise 1.1"),
                  changed("lesson", "words", "exercise-12", "exercise-11")),
    ),
    "its_pages_link_to_each_other: solutions": (
        "lesson", put("solutions", "words", "Back."),
    ),
    "its_pages_link_to_each_other: laboratory": (
        "lesson", put("laboratory", "words", "Back."),
    ),
    "its_pages_link_to_each_other: lesson": (
        "lesson", put("lesson", "words", "See Figure 1.1."),
    ),
    "experiments_are_numbered": (
        "lesson", changed("laboratory", "experiment", "2", "3"),
    ),
    "says_how_long_it_takes": (
        "lesson", changed("lesson", "title", " minutes to", " hours to"),
    ),
    "one_right_answer: none": (
        "lesson", changed("lesson", "question", "Right.", "No."),
    ),
    "one_right_answer: two": (
        "lesson", changed("lesson", "question", "No.", "Yes."),
    ),
    "answers_by_the_middle": (
        "lesson", put("lesson", "in-short", "It falls."),
    ),
    "answers_by_the_middle: two answers": (
        "lesson", more("lesson", words("again", "> **In short.** It rises.")),
    ),
    "answers_by_the_middle: late": (
        "lesson",
        all_edits(put("lesson", "in-short", "It falls."),
                  more("lesson", words("late", "> **In short.** It falls."))),
    ),
    "summary_says_the_same_in_each_language": (
        "lesson", changed("lesson", "languages", "Of 3 scores", "Of 4 scores"),
    ),
    "summary_says_the_same_in_each_language: formula": (
        "lesson", changed("lesson", "languages", "$x_2$", "$x_1$"),
    ),
    "summary_says_the_same_in_each_language: Chinese": (
        "lesson", changed("lesson", "languages", "zh-Hant", "zh"),
    ),
    "summary_says_the_same_in_each_language: four": (
        "lesson", changed("lesson", "summary", "5. Of", "Of"),
    ),
}  # fmt: skip
# Where one fault cannot be without another.
GUIDE = ["guide_names_what_is_there", "what_no_check_judges_has_its_points"]
ALSO = {
    "exercises_have_solutions: numbers": GUIDE,
    "exercises_have_solutions: of a lesson": ["says_how_long_it_takes", *GUIDE],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_its_rule_alone(fault, book):
    page, edit = FAULTS[fault]
    edit(book)
    book.write()
    wanted = {fault.split(":")[0], *ALSO.get(fault, ())}
    assert rules_in(book.complaints(page)) == wanted
