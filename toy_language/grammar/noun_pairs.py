"""Pairs for "it" in which the object alone decides.

    The cat did not follow the river because it was hungry: the cat was.
    The cat did not follow the lion because it was hungry: the lion was.

Verb, adjective and "not" are the same, so a table of the three has one of the
two wrong. For some objects of either role no training sentence has the verb,
the object and the adjective together; other objects of both roles stay in
training. Chapters 15 and 17.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import cycle, product
from random import Random
from typing import NamedTuple

from toy_language.grammar import Grammar, Sentence
from toy_language.grammar.because import hinders
from toy_language.grammar.causes import explain
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.reasons import Reason, Reasons, reasons

__all__ = ["Contest", "contests", "noun_pairs", "unseen"]

DRAWS = 30  # ways to halve the objects; the one with most pairs is taken
TRIES = 30  # triples of nouns that a pair is chosen from
MOST_TURNS = 400


class Contest(NamedTuple):
    """A verb and an adjective that speak of the subject or of the object.

    Attributes:
        verb: English.
        happened: whether the action did.
        adjective: English.
        kept: for either role, the objects that training never has with them.
        seen: for either role, the other objects.
    """

    verb: str
    happened: bool
    adjective: str
    kept: dict[str, list[str]]
    seen: dict[str, list[str]]


@cache
def contests(preset: str) -> tuple[Contest, ...]:
    """Return the contests of a preset: at least two objects for either role."""
    rule = reasons(preset)
    objects: dict[tuple[str, bool, str], dict[str, set[str]]] = {}
    for cell in rule.cells:
        key = (cell.verb.english, cell.happened, cell.adjective)
        found = objects.setdefault(key, {"subject": set(), "object": set()})
        found[cell.role] |= {noun.english for noun in cell.objects}
    rng = Random(f"noun-{preset}")
    made: list[Contest] = []
    for (verb, happened, adjective), by_role in sorted(objects.items()):
        names = {
            role: [
                name
                for name in sorted(nouns)
                if ("verb", verb, name) not in rule.words.held_out_pairs
            ]
            for role, nouns in by_role.items()
        }
        if min(map(len, names.values())) > 1:
            drawn = [
                Contest(verb, happened, adjective, *_halves(names, rng))
                for _ in range(DRAWS)
            ]
            best = max(drawn, key=lambda one: len(_triples(preset, one)))
            made += [best] * bool(_triples(preset, best))
    return tuple(made)


def _halves(
    names: dict[str, list[str]], rng: Random
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Halve the names of either role; the first half is not larger."""
    mixed = {role: rng.sample(some, len(some)) for role, some in names.items()}
    kept = {role: some[: len(some) // 2] for role, some in mixed.items()}
    seen = {role: some[len(some) // 2 :] for role, some in mixed.items()}
    return kept, seen


def unseen(preset: str) -> Callable[[Sequence[str]], bool]:
    """Return what says whether a sentence has what training never has.

    It looks for verb, object and adjective of a contest anywhere among the
    words, so it refuses a little more than it must.
    """
    words = reasons(preset).words
    forms: dict[str, set[str]] = {}
    for entry in words.verbs:
        names = ("base", "third", "past", "ing", "done")
        first = {entry.form(name).split()[0] for name in names}
        forms.setdefault(entry.english, set()).update(first)
    plural = {noun.english: noun.plural for noun in words.nouns}
    kept: dict[str, list[tuple[set[str], set[str]]]] = {}
    for contest in contests(preset):
        nouns = [name for role in contest.kept.values() for name in role]
        kept.setdefault(contest.adjective, []).append(
            (forms[contest.verb], {*nouns, *(plural[name] for name in nouns)})
        )

    def found(source: Sequence[str]) -> bool:
        said = set(source)
        return any(
            not said.isdisjoint(verbs) and not said.isdisjoint(nouns)
            for name in said & kept.keys()
            for verbs, nouns in kept[name]
        )

    return found


def noun_pairs(grammar: Grammar, seed: int, count: int) -> list[Sentence]:
    """Build pairs that differ in the object, which decides what "it" is.

    Verbs take turns, adjectives within a verb too; of the nouns those come
    first that were used least, and none is in more than a fifth.

    Args:
        grammar: the `Grammar`.
        seed: another seed, other nouns.
        count: the number of pairs; fewer if the words allow no more.

    Returns:
        A list of `Sentence`; 2k has the subject for "it", 2k + 1 the object.
    """
    rng = Random(f"{grammar.preset}-{seed}-noun")
    by_verb: dict[str, list[Contest]] = {}
    for contest in contests(grammar.preset):
        by_verb.setdefault(contest.verb, []).append(contest)
    turns = {
        verb: cycle([(one, _triples(grammar.preset, one)) for one in found])
        for verb, found in sorted(by_verb.items())
    }
    used: Counter[str] = Counter()
    said: set[tuple[str, ...]] = set()
    made: list[Sentence] = []
    for turn in range(MOST_TURNS):
        for verb in turns:
            contest, triples = next(turns[verb])
            free = [
                nouns
                for nouns in triples
                if max(used[noun] for noun in nouns) < count // 5
                and said.isdisjoint(_sentences(contest, nouns))
            ]
            if free and len(made) < 2 * count:
                some = rng.sample(free, min(TRIES, len(free)))
                nouns = min(some, key=lambda one: max(used[n] for n in one))
                used.update(nouns)
                said.update(_sentences(contest, nouns))
                made += _pair(grammar, contest, nouns, f"{seed}-{turn}-{verb}")
    return made


def _sentences(
    contest: Contest, nouns: tuple[str, str, str]
) -> list[tuple[str, ...]]:
    """Name the two sentences of a pair; none stands in another one."""
    subject, *objects = nouns
    key = (contest.verb, contest.adjective, subject)
    return [(*key, noun) for noun in objects]


def _triples(preset: str, contest: Contest) -> list[tuple[str, str, str]]:
    """List subject, object if the subject is meant, object that is meant."""
    rule = reasons(preset)
    fitting: dict[str, set[tuple[str, str]]] = {"subject": set(),
                                                "object": set()}  # fmt: skip
    for cell in _cells(rule, contest):
        for one, other in product(cell.subjects, cell.objects):
            vague = "animal" in (one.english, other.english)
            kept = other.english in contest.kept[cell.role] and not vague
            if kept and rule.goes(cell, one, other):
                fitting[cell.role].add((one.english, other.english))
    return sorted(
        (one, left, right)
        for one, left in fitting["subject"]
        for same, right in fitting["object"]
        if one == same
    )


def _cells(rule: Reasons, contest: Contest) -> list[Reason]:
    return [
        cell
        for cell in rule.cells
        if (cell.verb.english, cell.happened, cell.adjective)
        == (contest.verb, contest.happened, contest.adjective)
    ]


def _pair(
    grammar: Grammar, contest: Contest, nouns: tuple[str, str, str], state: str
) -> list[Sentence]:
    """Derive both sentences, alike but for the object."""
    rule = reasons(grammar.preset)
    subject, *objects = (_noun(rule, name) for name in nouns)
    degree = "too" if hinders(contest.verb, contest.adjective) else ""
    made = []
    for role, noun in zip(("subject", "object"), objects, strict=True):
        entry = next(
            cell.verb
            for cell in _cells(rule, contest)
            if cell.role == role and noun in cell.objects
        )
        construction = partial(
            explain, entry=entry, happened=contest.happened, subject=subject,
            noun=noun, role=role, name=contest.adjective, degree=degree,
        )  # fmt: skip
        made.append(grammar.build(construction, Random(state), "noun", ()))
    return made


def _noun(rule: Reasons, name: str) -> Entry:
    return next(one for one in rule.words.nouns if one.english == name)
