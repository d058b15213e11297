"""The rule for "it": which noun a because-clause is about.

"the dog did not chase the wolf because it was too fast": the wolf was.
"... because it was too slow": the dog was. Korean has no handy word for
"it" here, so the translation names the antecedent, and a translator has to
work out which one it is. The rule is true to the world:

* Who acts must be able to; what is acted on may resist. An animal that
  did *not* act lacked something (slow, weak, tired, sick, sleepy): "it" is
  the subject. Or the other side was too much for it (fast, strong, wide,
  deep, dangerous): "it" is the object.
* If the action *did* happen, the roles change over: a strength or a need
  (fast, hungry, brave) speaks of the subject, a weakness or an ease (slow,
  narrow, cheap) of the object.
* A thing that does not fit in another is too big, or the other too small.
* What stops somebody is an obstacle (deep), or the one who is stopped is
  weak (tired); escaping needs strength, or a weak pursuer.

So the answer depends on the verb, on whether it is negated, on the
adjective and on the order of the nouns; no word decides it alone. RULE says
all this as a table. Chapters 15 and 17 use it.
"""

from collections.abc import Iterable

from transformer_lib.grammar.lexicon import Entry

# (verb group, affirmative?): (reasons in the subject, reasons in the object)
RULE = {
    ("act", False): ("weakness mood", "obstacle danger"),
    ("act", True): ("motive", "ease"),
    ("pursue", False): ("weakness mood", "strength danger"),
    ("pursue", True): ("motive", "weakness"),
    ("follow", False): ("weakness mood", "strength danger"),
    ("win", False): ("weakness", "strength danger"),
    ("win", True): ("strength", "weakness"),
    ("escape", False): ("weakness", "strength"),
    ("escape", True): ("strength", "weakness"),
    ("fit", False): ("bulk", "tight"),
    ("fit", True): ("tight", "bulk"),
    ("block", True): ("obstacle", "weakness"),
}


def reasons(
    verb: Entry,
    affirmative: bool,
    role: str,
    noun: Entry,
    adjectives: Iterable[Entry],
) -> list[Entry]:
    """List the adjectives that can explain an action by one of its nouns.

    Args:
        verb: the lexicon entry of the verb, with the feature `it`.
        affirmative: whether the action happened.
        role: "subject" or "object", the role of the noun.
        noun: the lexicon entry of the noun.
        adjectives: the adjectives to choose from.

    Returns:
        A list of lexicon entries; empty if the rule allows none.
    """
    row = RULE.get((verb.get("it"), affirmative))
    if row is None:
        return []
    allowed = row[role == "object"].split()
    return [
        adjective
        for adjective in adjectives
        if adjective.get("reason") in allowed
        and explains(adjective, verb, noun)
    ]


def explains(adjective: Entry, verb: Entry, noun: Entry) -> bool:
    """Say whether an adjective suits this noun after this verb."""
    verbs = adjective.features.get("for")
    if verbs and verb.english not in verbs:
        return False
    what = adjective.features.get("why") or adjective.features["of"]
    return noun.is_one_of(what)


def antecedent(
    verb: Entry,
    affirmative: bool,
    subject: Entry,
    object_: Entry,
    adjective: Entry,
) -> str:
    """Apply the rule: does "it" name the subject or the object?

    Args:
        verb: the lexicon entry of the verb.
        affirmative: whether the action happened.
        subject: the lexicon entry of its subject.
        object_: the lexicon entry of its object.
        adjective: the lexicon entry of the adjective after "it was".

    Returns:
        "subject" or "object".

    Raises:
        ValueError: if the rule allows neither.
    """
    for role, noun in (("subject", subject), ("object", object_)):
        if reasons(verb, affirmative, role, noun, [adjective]):
            return role
    raise ValueError(
        f"{adjective.english!r} explains neither {subject.english!r} nor "
        f"{object_.english!r} after {verb.english!r}; see RULE"
    )
