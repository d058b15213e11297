"""The words that hold a sentence together: pronouns, determiners, numbers.

They are tables of data/words.tsv. Words that a sentence is about are in the
`lexicon`. Nothing in this module is random. Chapter 15 uses it.
"""

from toy_language.tables import by_key, read_table

__all__ = ["ADDRESSES", "ANSWERS", "BARE", "BEFORE_GA", "COMPANY", "COUNTERS",
           "DEGREES", "DETERMINERS", "NEGATING", "NEGATIVE", "NEW", "NUMBERS",
           "PRONOUNS", "SEVERAL", "SIDES", "VESSELS", "WHOSE",
           "determined"]  # fmt: skip


def _words(name: str) -> dict[str, str]:
    """Read a table of English words and one of Korean for each."""
    rows = by_key(read_table("words.tsv", "English, Korean", name), "English")
    return {english: row["Korean"] for english, row in rows.items()}


NUMBERS = _words("numbers")
DEGREES = _words("degrees")
VESSELS = _words("vessels")

_PRONOUNS = read_table(
    "words.tsv",
    "subject, object, possessive, person, plural, Korean, humble",
    "pronouns",
)
# English -> person, plural, plain Korean, humble Korean
PRONOUNS = {
    row[form]: (row.number("person"), bool(row["plural"]), row["Korean"],
                row["humble"])
    for row in _PRONOUNS
    for form in ("subject", "object")
}  # fmt: skip
# me, my; him, his
WHOSE = tuple(
    (row["object"], row["possessive"]) for row in _PRONOUNS if row["possessive"]
)
# As the subject with 이/가: 내가, 제가, 네가, 누가.
BEFORE_GA = {
    row["Korean"]: row["subject"]
    for row in read_table("words.tsv", "Korean, subject", "before 가")
}

DETERMINERS = by_key(
    read_table(
        "words.tsv",
        "determiner, English, Korean, humble, ours, marks",
        "determiners",
    ),
    "determiner",
)


def determined(name: str, humble: bool) -> list[str]:
    """Return the Korean tokens of a determiner, none for an article."""
    return DETERMINERS[name]["humble" if humble else "Korean"].split()


def _marked(mark: str) -> frozenset[str]:
    """Name the determiners with a mark: several, bare, new, none."""
    return frozenset(
        name for name, row in DETERMINERS.items() if mark in row.words("marks")
    )


SEVERAL, BARE, NEW = _marked("several"), _marked("bare"), _marked("new")
NEGATING = _marked("none")

COUNTERS = read_table("words.tsv", "kind, Korean, honored", "counters")
_PREPOSITIONS = read_table(
    "words.tsv", "English, side, particle, word", "prepositions"
)
# Prepositions that are nouns in Korean: 탁자 위에, on the table.
SIDES = {row["English"]: row["side"] for row in _PREPOSITIONS if row["side"]}
# Prepositions with a particle and a word of their own: 나와 함께, with me.
COMPANY = {
    row["English"]: (row["particle"], row["word"])
    for row in _PREPOSITIONS
    if row["word"]
}

_ADDRESSES = read_table(
    "words.tsv", "English, level, style, Korean", "addresses"
)
# preset -> English address, style, Korean address
ADDRESSES = {
    preset: tuple(
        (row["English"], row["style"], row["Korean"])
        for row in _ADDRESSES
        if row["level"] in levels
    )
    for preset, levels in (("small", ("small",)), ("full", ("small", "full")))
}
ANSWERS = by_key(
    read_table("words.tsv", "English, Korean, humble", "answers"), "English"
)
# "do not know" is a verb of its own, and so is what is not there.
NEGATIVE = {
    row["stem"]: (row["negative"], row["irregular"])
    for row in read_table("words.tsv", "stem, negative, irregular", "negatives")
}
