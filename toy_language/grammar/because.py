"""The rule for "it": which noun a because-clause is about.

"the dog did not chase the wolf because it was too fast": the wolf was.
"... because it was too slow": the dog was. Korean names the one that is
meant, or makes it the topic, so a translator has to work out which it is.

The rule is [rules] in data/reasons.tsv. It is true to the world, so it depends
on all the words at once: a big animal is not chased (object) but does not fit
into a cave (subject); a tired one does not cross the river (subject) but is
carried over it (object); what is weak cannot cross a river (subject), but a
bridge may be too weak to be crossed (object). How much (very, so, too) never
matters. Chapters 15 and 17 use it.
"""

from functools import cache

from toy_language.tables import group, read_table

__all__ = ["ALSO", "NEVER", "OBSTACLES", "hinders", "possible", "rows"]

RULES = ("it", "person", "own")
_COLUMNS = ("rule, verb, subjects, objects, not: subject, not: object, "
            "did: subject, did: object")  # fmt: skip
_NOUNS = read_table("adjectives.tsv", "adjective, also, never", "nouns")
# Nouns that an adjective describes in a because-clause only, and never.
ALSO = {row["adjective"]: row.words("also") for row in _NOUNS}
NEVER = {row["adjective"]: row.words("never") for row in _NOUNS}
TOO_BIG = {
    row["hunter"]: row.words("prey")
    for row in read_table("nouns.tsv", "hunter, prey", "too big")
}
HUNTING, OBSTACLES = group("hunting"), group("obstacle")
CHOSEN, FAILED = group("chosen"), group("failed")

Explains = dict[tuple[bool, str], tuple[str, ...]]


def possible(verb: str, subject: str, noun: str) -> bool:
    """Say whether this can happen: no fox catches a cow."""
    return not (verb in HUNTING and noun in TOO_BIG.get(subject, ()))


def hinders(verb: str, adjective: str) -> bool:
    """Say whether "did not" means "could not": -지 못하다, not -지 않다."""
    return verb in FAILED or (adjective in OBSTACLES and verb not in CHOSEN)


@cache
def rows(
    rule: str = "it",
) -> tuple[tuple[str, tuple[str, ...], tuple[str, ...], Explains], ...]:
    """Read a rule: verb, kinds of subjects and objects, adjectives.

    The last part maps (happened, role) to the adjectives.
    """
    found = []
    for row in read_table("reasons.tsv", _COLUMNS, "rules"):
        if row["rule"] not in RULES:
            raise row.wrong(f"rule {row['rule']!r}; use one of {RULES}")
        explains = {
            (happened, role): row.words(f"{said}: {role}")
            for happened, said in ((False, "not"), (True, "did"))
            for role in ("subject", "object")
        }
        if row["rule"] == rule:
            subjects, objects = row.words("subjects"), row.words("objects")
            found.append((row["verb"], subjects, objects, explains))
    return tuple(found)
