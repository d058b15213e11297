"""The check of chapter 15's construction: its reference and odd answers."""

import time
from random import Random

import numpy as np
import pytest
from stored_answers import answers_to

from toy_language.grammar import Grammar, clauses, phrases
from toy_language.grammar import sentences as patterns
from transformer_course import checks
from transformer_course.checks.code import only as construction
from transformer_course.checks.code.only import EXERCISE, FACTS
from transformer_course.checks.engine import guard


def clause(scene, mark="만"):
    subject, verb = patterns.action(scene, "intransitive")
    return clauses.clause(subject, verb, scene.style, scene.tail, mark=mark)


@pytest.mark.parametrize("case", EXERCISE.cases, ids=lambda case: case.name)
def test_a_right_portrait_is_all_ones(case):
    assert EXERCISE.play(EXERCISE.solve, *case.args) == [1.0] * len(FACTS)


def test_every_fact_can_fail():
    """Each number of the portrait is 0 in some wrong answer."""
    rows = [
        EXERCISE.expected(case, **edits).array
        for mistake in EXERCISE.mistakes
        for edits in mistake.edits
        for case in EXERCISE.cases
    ]
    always = np.all(rows, axis=0)
    assert not always.any(), np.array(FACTS)[always]


def test_the_grammar_draws_the_same_sentence_as_the_check():
    language = Grammar("full")
    for manner, style in enumerate(construction.STYLES):
        sentence = language.build(EXERCISE.solve, Random(5), "", style)
        english, korean, link = construction.sentence_of(
            EXERCISE.solve, 5, manner
        ).split("\n")
        assert " ".join(sentence.source).startswith(english)
        assert korean in " ".join(sentence.target)
        assert link == "only is linked to: +만"


def text_only(scene):
    return "only the dog slept"


def a_sentence(scene):
    return Grammar("full").build(clause, scene.rng, "only")


def words_as_text(scene):
    phrase = clause(scene)
    phrase.english.insert(0, "only")
    return phrase


def word_for_a_tuple(scene):
    phrase = clause(scene)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean = [
        (token, (word) if token == "+만" else links)
        for token, links in phrase.korean
    ]
    return phrase


def tokens_without_links(scene):
    phrase = clause(scene)
    phrase.english.insert(0, phrases.Word("only"))
    phrase.korean = [token for token, _ in phrase.korean]
    return phrase


def result_of_insert(scene):
    phrase = clause(scene)
    phrase.english = phrase.english.insert(0, phrases.Word("only"))
    return phrase


def fails(scene):
    return scene.nothing_of_the_kind


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (text_only, "returns a Phrase (clauses.clause makes one)"),
        (a_sentence, "of type Sentence"),
        (words_as_text, "holds phrases.Word objects; in yours stands 'only'"),
        (word_for_a_tuple, "a tuple of one has a comma, (word,)"),
        (tokens_without_links, "phrase.korean holds pairs (token, links)"),
        (result_of_insert, "change a list and return None"),
        (fails, "return scene.nothing_of_the_kind"),
        (lambda scene: 3, "of type int"),
    ],
)
def test_what_is_no_phrase_is_told(answer, says):
    verdict = checks.only(answer)
    assert verdict.status == "wrong" and verdict.mistake is None
    assert says in verdict.message
    assert "only is linked to: +만" in verdict.example.expected


def stub(scene): ...  # your code


@pytest.mark.parametrize("answer", [None, ..., stub])
def test_stubs_are_not_attempted(answer):
    verdict = checks.only(answer)
    assert verdict.status == "not attempted" and verdict.mistake is None


def test_a_wrong_sentence_is_shown_and_no_ones_and_zeros():
    def only(scene):
        phrase = clause(scene)
        phrase.english.insert(0, phrases.Word("only"))
        return phrase

    example = checks.only(only).example
    assert example.given.startswith("a scene, among friends")
    assert example.expected.endswith("only is linked to: +만")
    assert example.received.endswith("only is linked to: nothing")
    assert "1, 1" not in example.expected


def test_one_verb_is_shown_by_three_sentences():
    answers = answers_to("only")
    for key in ("one_verb", "one_subject"):
        example = checks.only(answers[key]).example
        assert example.given.startswith("three scenes")
        assert example.received.count("only is linked to: +만") == 3
        assert "1, 1" not in example.received


def test_an_unusual_mistake_is_told_by_its_first_fact():
    def only(scene):
        phrase = clause(scene)
        word = phrases.Word("only")
        phrase.english.insert(0, word)
        phrase.english.append(phrases.Word("."))
        phrase.korean = [(t, (word,) if t == "+만" else ()) for t, _ in
                         phrase.korean]  # fmt: skip
        return phrase

    verdict = checks.only(only)
    assert not verdict.ok
    assert verdict.mistake in (None, "other_links_lost+period_added")


def test_an_answer_that_never_ends_is_stopped(monkeypatch):
    def only(scene):
        while True:
            pass

    monkeypatch.setattr(guard, "SECONDS", 0.3)
    start = time.process_time()
    assert checks.only(only).mistake == "never_ends"
    assert time.process_time() - start < 10
