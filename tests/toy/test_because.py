"""The rule for "it": expected sentences, and that no word decides alone."""

from collections import defaultdict
from random import Random

import pytest

from toy_language.corpus import join_morphemes
from toy_language.grammar import Grammar
from toy_language.grammar.because import OBSTACLES, hinders, rows
from toy_language.grammar.causes import because_it, explain
from toy_language.grammar.reasons import reasons

# preset, happened, verb, subject, object, adjective, source, target
SENTENCES = [
    ("small", False, "cross", "animal", "street", "tired",
     "the animal did not cross the street because it was too tired .",
     "동물은 너무 피곤해서 길을 건너지 않았다."),
    ("small", False, "cross", "animal", "street", "wide",
     "the animal did not cross the street because it was too wide .",
     "길이 너무 넓어서 동물은 길을 건너지 못했다."),
    ("full", False, "cross", "elephant", "bridge", "weak",
     "the elephant did not cross the bridge because it was too weak .",
     "다리가 너무 약해서 코끼리는 다리를 건너지 못했다."),
    ("full", False, "cross", "elephant", "bridge", "heavy",
     "the elephant did not cross the bridge because it was too heavy .",
     "코끼리는 너무 무거워서 다리를 건너지 못했다."),
    ("full", False, "cross", "elephant", "river", "weak",
     "the elephant did not cross the river because it was too weak .",
     "코끼리는 너무 약해서 강을 건너지 못했다."),
    ("small", False, "chase", "dog", "bear", "big",
     "the dog did not chase the bear because it was too big .",
     "곰이 너무 커서 개는 곰을 쫓지 못했다."),
    ("small", False, "enter", "bear", "cave", "big",
     "the bear did not enter the cave because it was too big .",
     "곰은 너무 커서 동굴에 들어가지 못했다."),
    ("small", False, "chase", "dog", "wolf", "dangerous",
     "the dog did not chase the wolf because it was too dangerous .",
     "늑대가 너무 위험해서 개는 늑대를 쫓지 않았다."),
    ("small", True, "help", "dog", "cat", "tired",
     "the dog helped the cat because it was tired .",
     "고양이가 피곤해서 개는 고양이를 도와줬다."),
    ("small", True, "enter", "dog", "cave", "tired",
     "the dog entered the cave because it was tired .",
     "개는 피곤해서 동굴에 들어갔다."),
    ("full", False, "wake", "dog", "cat", "tired",
     "the dog did not wake the cat because it was too tired .",
     "고양이가 너무 피곤해서 개는 고양이를 깨우지 않았다."),
    ("small", False, "fit in", "box", "bag", "big",
     "the box did not fit in the bag because it was too big .",
     "상자는 너무 커서 가방에 들어가지 않았다."),
]  # fmt: skip


@pytest.mark.parametrize("row", SENTENCES, ids=lambda row: row[6][:50])
def test_sentences(row):
    preset, happened, verb, subject, noun, adjective, source, target = row
    grammar, rule = Grammar(preset), reasons(preset)
    nouns = {e.english: e for e in grammar.words.nouns}
    cell = next(
        cell
        for cell in rule.cells
        if cell.verb.english == verb and cell.happened == happened
        and cell.adjective == adjective and nouns[subject] in cell.subjects
        and nouns[noun] in cell.objects
    )  # fmt: skip
    sentence = grammar.build(
        lambda scene: explain(
            scene, cell.verb, happened, nouns[subject], nouns[noun],
            cell.role, adjective, negative="" if happened else "not",
        ),
        Random(1), "because-it", (),
    )  # fmt: skip
    assert " ".join(sentence.source) == source
    assert join_morphemes(" ".join(sentence.target)) == target
    it = sentence.source.index("it")
    named = {
        sentence.target[j]
        for i, j in sentence.possible
        if i == it and sentence.target[j][0] != "+"
    }
    first = nouns[subject if cell.role == "subject" else noun].korean
    assert named == {first} and target.startswith(first)


@pytest.mark.parametrize("rule", ["it", "person"])
def test_one_reading(rule):
    """No adjective of a row speaks of both nouns."""
    for verb, _, _, explains in rows(rule):
        for happened in (False, True):
            both = set(explains[happened, "subject"]) & set(
                explains[happened, "object"]
            )
            assert not both, (verb, happened, both)


@pytest.mark.parametrize("preset", ["small", "full"])
def test_one_reading_of_the_same_words(preset):
    """Where two rows share a verb, they agree about the same nouns."""
    role = {}
    for cell in reasons(preset).cells:
        for one in cell.subjects:
            for other in cell.objects:
                key = (cell.verb.english, cell.happened, cell.adjective,
                       one.english, other.english)  # fmt: skip
                assert role.setdefault(key, cell.role) == cell.role, key


@pytest.mark.parametrize("preset", ["small", "full"])
def test_no_word_decides_it_alone(preset):
    """Adjective, verb and polarity each leave the role open.

    The same adjective points to the subject after some verbs and to the
    object after others, with "not" and without.
    """
    roles = defaultdict(set)
    for cell in reasons(preset).cells:
        for key in (
            (cell.verb.english,), (cell.adjective,), (cell.happened,),
            (cell.adjective, cell.happened),
        ):  # fmt: skip
            roles[key].add(cell.role)
    open_ = {key for key, found in roles.items() if len(found) == 2}
    for word in ("big", "small", "weak", "tired", "sick", "slow", "fast",
                 "chase", "cross", "enter", True, False):  # fmt: skip
        assert (word,) in open_, word
    for word in ("big", "small", "weak") if preset == "small" else (
        "big", "small", "weak", "tired", "sick", "fast", "heavy", "hungry",
    ):  # fmt: skip
        assert (word, False) in open_, word


def test_an_adjective_is_drawn_for_both_roles_alike():
    rule, rng = reasons("full"), Random(0)
    counts = defaultdict(lambda: [0, 0])
    for _ in range(20_000):
        cell = rule.draw(rng)
        counts[cell.adjective, cell.happened][cell.role == "object"] += 1
    both = [pair for pair in counts.values() if all(pair)]
    assert len(both) >= 12
    for one, other in both:
        assert 0.35 < one / (one + other) < 0.65


def test_degrees_never_move_it():
    """Too, very, so or nothing: the antecedent stays."""
    grammar, rng, found = Grammar("small"), Random(3), defaultdict(set)
    for _ in range(20_000):
        s = grammar.build(because_it, rng, "because-it", ())
        bare = tuple(
            w for w in s.source if w not in ("very", "so", "too")
        )  # fmt: skip
        found[bare].add(s.target[1] in ("+은", "+는"))
    several = [topics for topics in found.values() if topics]
    assert len(several) > 1_000
    assert all(len(topics) == 1 for topics in several)


def test_could_not_or_did_not_is_decided_by_the_words():
    assert hinders("cross", "deep") and not hinders("cross", "dangerous")
    assert hinders("catch", "sleepy")  # who tries to catch fails
    assert not hinders("help", "strong")  # who does not help does not want to
    assert {"wide", "weak", "heavy"} <= set(OBSTACLES)
