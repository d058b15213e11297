"""Minimal pairs for "it": two sentences that differ in one adjective.

They come from (verb, subject, object) triples that training never sees in
a because-sentence. Chapters 15 and 17 use them.
"""

from functools import partial
from random import Random

from transformer_lib.grammar import Grammar, Sentence
from transformer_lib.grammar.combinations import explain
from transformer_lib.grammar.lexicon import Entry
from transformer_lib.grammar.selection import Action, Selection

__all__ = ["minimal_pairs"]

MOST_TURNS = 50  # with other adjectives and negations each time
FAMOUS = ("cross", "animal", "street")


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
    words = grammar.words
    groups: dict[tuple[str, str, str, bool], list[Action]] = {}
    for item in words.because_triples():
        verb, subject, noun, affirmative = item
        names = (subject.english, noun.english)
        if (verb.english, *names) in words.held_out_triples:
            one, other = sorted(names)
            key = (verb.english, one, other, affirmative)
            groups.setdefault(key, []).append(item)
    keys = sorted(groups)
    Random(f"{grammar.preset}-{seed}-contrast").shuffle(keys)
    made = _famous_pairs(grammar, groups[*FAMOUS, False][0])
    seen, turn = {sentence.source for sentence in made}, 0
    while len(made) < 2 * count and turn < MOST_TURNS:
        for key in keys:
            for item in groups[key]:
                kind = "same class" if len(groups[key]) > 1 else "mixed"
                state = f"{seed}-{turn}-{key}"
                about = _adjectives(words, item, state)
                new = _minimal_pair(grammar, item, about, state, kind)
                sources = {sentence.source for sentence in new}
                if not sources & seen:
                    seen |= sources
                    made += new
        turn += 1
    return made[: 2 * count]


def _adjectives(words: Selection, item: Action, state: str) -> dict[str, Entry]:
    """Choose one reason in the subject and one in the object."""
    verb, subject, noun, affirmative = item
    about = {}
    for role, entry in (("subject", subject), ("object", noun)):
        choices = words.reasons(verb, affirmative, role, entry)
        about[role] = Random(f"{state}-{role}").choice(choices)
    return about


def _minimal_pair(
    grammar: Grammar,
    item: Action,
    about: dict[str, Entry],
    state: str,
    kind: str,
    negative: str = "",
) -> list[Sentence]:
    """Derive both sentences of a pair, alike but for the adjective."""
    verb, subject, noun, affirmative = item
    polite = not negative and Random(state).random() < 0.2
    style = ("sir", "formal", "") if polite else ()
    both = []
    for role, adjective in about.items():
        construction = partial(
            explain,
            entry=verb,
            affirmative=affirmative,
            subject=subject,
            noun=noun,
            role=role,
            adjective=adjective,
            negative=negative,
        )
        both.append(grammar.build(construction, Random(state), kind, style))
    return both


def _famous_pairs(grammar: Grammar, item: Action) -> list[Sentence]:
    """The pair of the book: did not (didn't) ... too tired, too wide."""
    named = {entry.english: entry for entry in grammar.words.adjectives}
    about = {"subject": named["tired"], "object": named["wide"]}
    return [
        sentence
        for negative in ("not", "n't")
        for sentence in _minimal_pair(
            grammar, item, about, "", "mixed", negative
        )
    ]
