"""The baselines that need no model, by hand and on the corpus."""

from functools import partial
from itertools import product

import pytest

from toy_language.baselines import (
    both_right,
    nearest_translation,
    pairs_by_adjective,
    pairs_by_description,
    role_of_it,
    verb_of,
)
from toy_language.corpus import SentencePair, toy_splits
from transformer_lib.evaluation import exact_match


def because(source, target, it):
    """A because-sentence; `it` is the place of the noun it names."""
    words = source.split()
    place = words.index("it")
    links = ((place, it),)
    return SentencePair(source, target, (), "because-it", links)


SUBJECT = because(
    "the dog did not see the cat because it was tired .",
    "개 +는 피곤 +해 +서 고양이 +를 보 +지 못 +했 +다 +.", 0,
)  # fmt: skip
OBJECT = because(
    "the dog saw the cat because it was very tired .",
    "고양이 +가 아주 피곤 +해 +서 개 +는 고양이 +를 봤 +다 +.", 0,
)  # fmt: skip


def test_role_of_it():
    assert role_of_it(SUBJECT) == "subject"
    assert role_of_it(OBJECT) == "object"


def test_the_verb_is_that_of_the_main_clause():
    assert verb_of(SUBJECT) == verb_of(OBJECT) == "see"
    source = "because it was clean , the dog did not find the cup ."
    assert verb_of(SentencePair(source, "", (), "")) == "find"
    with pytest.raises(ValueError, match="no verb"):
        verb_of(SentencePair("the sun .", "", (), ""))


def test_a_table_of_adjectives():
    """Tired points to the subject twice out of three times."""
    train = [SUBJECT, SUBJECT, OBJECT]
    assert pairs_by_adjective(train, [SUBJECT, OBJECT]) == 0
    assert pairs_by_adjective(train, [SUBJECT, SUBJECT]) == 1
    assert pairs_by_adjective(train, [SUBJECT, OBJECT], polarity=True) == 1
    assert pairs_by_adjective(train, [SUBJECT, OBJECT], verb=True) == 0
    assert pairs_by_adjective([], [SUBJECT, OBJECT]) == 0
    with pytest.raises(ValueError, match="1 sentences have no minimal pair"):
        pairs_by_adjective(train, [SUBJECT])


def test_a_pair_is_right_if_both_its_members_are():
    assert both_right([True, True, True, False, False, True]) == 1 / 3
    assert both_right([False, False]) == 0
    with pytest.raises(ValueError):
        both_right([True, True, True])


RIVER = because(
    "the cat did not follow the river because it was very hungry .",
    "고양이 +는 아주 배고파 +서 강 +을 따라가 +지 않 +았 +다 +.", 0,
)  # fmt: skip
LION = because(
    "the cat did not follow the lion because it was very hungry .",
    "사자 +가 아주 배고파 +서 고양이 +는 사자 +를 따라가 +지 않 +았 +다 +.", 0,
)  # fmt: skip
CUES = [dict(zip(("polarity", "verb"), some, strict=True))
        for some in product((False, True), repeat=2)]  # fmt: skip


def test_no_table_without_nouns_decides_pairs_that_differ_in_the_object():
    """Whatever it counted, it says the same of both members."""
    for train in ([RIVER], [LION], [RIVER, LION, LION], [SUBJECT, OBJECT]):
        for cue in CUES:
            assert pairs_by_adjective(train, [RIVER, LION], **cue) == 0


@pytest.mark.parametrize(
    "said",
    [
        "the hungry lion slept .",
        "the lion is hungry .",
        "the lion was not hungry .",
    ],
)
def test_what_a_noun_is_said_to_be_decides_such_pairs(said):
    train = [SentencePair(said, "", (), "")]
    assert pairs_by_description(train, [RIVER, LION]) == 1
    assert pairs_by_description([], [RIVER, LION]) == 0, "never the object"
    other = [SentencePair(said.replace("lion", "river"), "", (), "")]
    assert pairs_by_description(other, [RIVER, LION]) == 0


DOG = SentencePair("the dog slept .", "개 +는 잤 +다 +.",
                   ((1, 0), (2, 2), (3, 4)), "")  # fmt: skip
CAT = SentencePair("a cat ran .", "고양이 +가 달렸 +다 +.",
                   ((1, 0), (2, 2), (3, 4)), "")  # fmt: skip


def test_the_nearest_sentence_with_one_word_exchanged():
    made = nearest_translation(
        [DOG, CAT], ["the dog slept .", "the cat slept .", "a dog slept ."]
    )
    assert made == [
        "개 +는 잤 +다 +.", "고양이 +는 잤 +다 +.", "개 +는 잤 +다 +.",
    ]  # fmt: skip
    assert nearest_translation([DOG], ["i saw a big house ."]) == [""]


# What is frozen does not change: the larger language can wait.
PRESETS = ["small", pytest.param("full", marks=pytest.mark.whole)]


@pytest.mark.parametrize("preset", PRESETS)
def test_tables_do_not_solve_the_contrast_split(preset):
    """Neither the adjective nor adjective and polarity decide the pairs."""
    splits = toy_splits(preset)
    train, contrast = splits["train"], splits["contrast"]
    assert pairs_by_adjective(train, contrast) <= 0.6
    assert pairs_by_adjective(train, contrast, polarity=True) <= 0.75


def test_verb_adjective_and_not_decide_the_contrast_split():
    """No noun is needed, so nobody may claim that the split asks for one."""
    splits = toy_splits("small")
    train, contrast = splits["train"], splits["contrast"]
    table = partial(pairs_by_adjective, train, contrast, verb=True)
    assert table(polarity=True) > 0.9 > table()


@pytest.mark.parametrize("preset", PRESETS)
def test_no_table_without_nouns_decides_the_noun_split(preset):
    splits = toy_splits(preset)
    train, noun = splits["train"], splits["noun"]
    for cue in CUES:
        assert pairs_by_adjective(train, noun, **cue) == 0


def test_looking_up_does_not_solve_the_other_splits():
    splits = toy_splits("small")
    for name in ("composition", "role", "contrast", "noun", "length"):
        pairs = splits[name]
        made = nearest_translation(splits["train"], [p.source for p in pairs])
        assert exact_match(made, [p.target for p in pairs]) < 0.5
