"""Minimal pairs for "it": two sentences that differ in one adjective.

They come from (verb, subject, object) triples that training never sees in
a because-sentence. Chapters 15 and 16 use them.
"""

from random import Random

from transformer_lib.grammar.combinations import explain

MOST_TURNS = 50  # with other adjectives and negations each time
FAMOUS = ("cross", "animal", "street")


def minimal_pairs(grammar, seed, count):
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
    groups = {}
    for item in words.because_triples():
        verb, subject, noun, affirmative = item
        names = (subject.english, noun.english)
        if (verb.english, *names) in words.held_out_triples:
            key = (verb.english, *sorted(names), affirmative)
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


def _adjectives(words, item, state):
    """Choose one reason in the subject and one in the object."""
    verb, subject, noun, affirmative = item
    about = {}
    for role, entry in (("subject", subject), ("object", noun)):
        choices = words.reasons(verb, affirmative, role, entry)
        about[role] = Random(f"{state}-{role}").choice(choices)
    return about


def _minimal_pair(grammar, item, about, state, kind, negative=""):
    """Derive both sentences of a pair, alike but for the adjective."""
    verb, subject, noun, affirmative = item
    polite = not negative and Random(state).random() < 0.2
    style = ("sir", "formal", "") if polite else ()
    both = []
    for role, adjective in about.items():
        sentence = grammar.build(
            lambda scene, role=role, adjective=adjective: explain(
                scene, verb, affirmative, subject, noun, role, adjective,
                negative=negative,
            ),
            Random(state), kind, style,
        )  # fmt: skip
        both.append(sentence)
    return both


def _famous_pairs(grammar, item):
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
