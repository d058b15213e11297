"""Minimal pairs for "it": two sentences that differ in one adjective.

They come from (verb, subject, object) triples that training never sees in
a because-sentence, and use the adjectives that speak of subjects and objects
evenly: who knows which way an adjective usually points is no better off.
Chapters 15 and 17 use them.
"""

from collections import Counter
from functools import partial
from random import Random

from toy_language.grammar import Grammar, Sentence
from toy_language.grammar.causes import explain
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.noun_pairs import contests
from toy_language.grammar.reasons import FAMOUS, Reasons, reasons
from toy_language.grammar.selection import Triple

__all__ = ["minimal_pairs"]

MOST_TURNS = 50  # with other adjectives and negations each time
About = tuple[str, str]  # the adjective for the subject, for the object


class _Balance:
    """Chooses adjectives so that each is used for both roles alike."""

    def __init__(self) -> None:
        self.used: Counter[tuple[str, bool, str]] = Counter()

    def choose(
        self,
        rng: Random,
        roles: dict[str, list[str]],
        happened: bool,
        both: dict[bool, set[str]],
    ) -> About:
        """Choose the adjective that needs it most, for either role."""
        chosen = []
        for role, other in (("subject", "object"), ("object", "subject")):
            names = sorted(roles[role])
            rng.shuffle(names)
            name = min(
                names,
                key=lambda name: (
                    self.used[name, happened, role]
                    - self.used[name, happened, other]
                    + 4 * (name not in both[happened])
                ),
            )
            self.used[name, happened, role] += 1
            chosen.append(name)
        return chosen[0], chosen[1]


def minimal_pairs(grammar: Grammar, seed: int, count: int) -> list[Sentence]:
    """Build minimal pairs for "it" from the triples kept out of training.

    Where the two nouns can change places, the turned pair follows with the
    same adjectives: then no bag of words tells what "it" is. These are of
    the kind "same class", the others "mixed". The famous pair comes first.

    Args:
        grammar: the `Grammar`.
        seed: another seed, other adjectives and another order.
        count: the number of pairs.

    Returns:
        A list of up to 2 * count `Sentence`; 2k and 2k + 1 are a pair.
    """
    rule = reasons(grammar.preset)
    rng = Random(f"{grammar.preset}-{seed}-contrast")
    groups = _groups(rule)
    balance, both = _Balance(), _either(rule)
    made = [
        sentence
        for negative in ("not", "n't")
        for sentence in _minimal_pair(
            grammar, FAMOUS, False, ("tired", "wide"), "", "mixed", negative
        )
    ]
    seen, turn = {sentence.source for sentence in made}, 0
    while len(made) < 2 * count and turn < MOST_TURNS:
        for verb, happened in _in_turn(groups, rng):
            triples = rng.choice(groups[verb, happened])
            roles = _shared(rule, triples, happened)
            about = balance.choose(rng, roles, happened, both)
            kind = "same class" if len(triples) > 1 else "mixed"
            state = f"{seed}-{turn}-{sorted(triples)[0]}"
            for triple in triples:
                new = _minimal_pair(
                    grammar, triple, happened, about, state, kind
                )
                sources = {sentence.source for sentence in new}
                if not sources & seen:
                    seen |= sources
                    made += new
        turn += 1
    return made[: 2 * count]


Groups = dict[tuple[str, bool], list[list[Triple]]]


def _groups(rule: Reasons) -> Groups:
    """Sort the held-out triples by verb and polarity.

    A group of two is a triple and the same with the nouns turned round.
    """
    found: Groups = {}
    for triple in sorted(rule.held_out):
        verb, one, other = triple
        turned = (verb, other, one)
        for happened in rule.actions[triple]:
            if not all(_shared(rule, [triple], happened).values()):
                continue
            again = rule.actions.get(turned, {}).get(happened)
            pair = turned in rule.held_out and again
            if pair and all(_shared(rule, [triple, turned], happened).values()):
                if one < other:
                    found.setdefault((verb, happened), []).append(
                        [triple, turned]
                    )
            else:
                found.setdefault((verb, happened), []).append([triple])
    return found


def _shared(
    rule: Reasons, triples: list[Triple], happened: bool
) -> dict[str, list[str]]:
    """List the adjectives for either role that suit all the triples.

    Those that are kept for the noun pairs are left out.
    """
    kept = {
        one.adjective
        for verb, _, noun in triples
        for one in contests(rule.words.preset)
        if one.verb == verb and noun in sum(one.kept.values(), [])
    }
    return {
        role: sorted(
            set.intersection(
                *(set(rule.actions[one][happened][role]) for one in triples)
            )
            - kept
        )
        for role in ("subject", "object")
    }


def _in_turn(groups: Groups, rng: Random) -> list[tuple[str, bool]]:
    """List verbs and polarities, each once, in a random order."""
    keys = sorted(groups)
    rng.shuffle(keys)
    return keys


def _either(rule: Reasons) -> dict[bool, set[str]]:
    """For each polarity, the adjectives that can point either way."""
    found: dict[bool, set[str]] = {}
    for happened in (False, True):
        names = [
            {
                cell.adjective
                for cell in rule.cells
                if cell.happened == happened and cell.role == role
            }
            for role in ("subject", "object")
        ]
        found[happened] = names[0] & names[1]
    return found


def _minimal_pair(
    grammar: Grammar,
    triple: Triple,
    happened: bool,
    about: About,
    state: str,
    kind: str,
    negative: str = "",
) -> list[Sentence]:
    """Derive both sentences of a pair, alike but for the adjective."""
    verb, subject, noun = triple
    polite = not negative and Random(state).random() < 0.2
    style = ("sir", "formal", "") if polite else ()
    words = grammar.words
    nouns = {entry.english: entry for entry in words.nouns}
    entry = _line(reasons(grammar.preset), triple)
    both = []
    for role, name in zip(("subject", "object"), about, strict=True):
        construction = partial(
            explain,
            entry=entry,
            happened=happened,
            subject=nouns[subject],
            noun=nouns[noun],
            role=role,
            name=name,
            negative=negative,
        )
        both.append(grammar.build(construction, Random(state), kind, style))
    return both


def _line(rule: Reasons, triple: Triple) -> Entry:
    """Find the line of the lexicon for a verb and its nouns."""
    verb, subject, noun = triple
    return next(
        cell.verb
        for cell in rule.cells
        if cell.verb.english == verb
        and any(one.english == subject for one in cell.subjects)
        and any(one.english == noun for one in cell.objects)
    )
