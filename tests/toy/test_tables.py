"""Tables of words: what a file may say, and that its words are known."""

import pytest

from toy_language.grammar.glosses import GLOSSES
from toy_language.grammar.lexicon import brought, load_lexicon
from toy_language.grammar.readings import STEMS
from toy_language.tables import DATA, by_key, group, read_table

PLAIN = "# A remark.\n\nEnglish\tKorean\nvery\t아주\nthe\t-\n"
SEVERAL = "[degrees]\nEnglish\tKorean\nso\t무척\n\n[verbs]\nverb\nrun\n"


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a file, and its path."""

    def write(text):
        path = tmp_path / "words.tsv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_row_knows_its_columns_and_its_line(file):
    first, second = read_table(file(PLAIN), "English, Korean")
    assert first == {"English": "very", "Korean": "아주"}
    assert second["Korean"] == ""
    assert second.where == "words.tsv, line 5"


def test_tables_of_one_file_are_apart(file):
    path = file(SEVERAL)
    (row,) = read_table(path, "English, Korean", "degrees")
    assert row["Korean"] == "무척"
    (row,) = read_table(path, "verb", "verbs")
    assert row.where == "words.tsv, line 7"


def test_spaces_are_between_words_and_underscores_inside(file):
    (row,) = read_table(file("words\ngo_to cry\n"), "words")
    assert row.words("words") == ("go to", "cry")


@pytest.mark.parametrize(
    "text, name, fault",
    [
        (PLAIN + "so\n", "", "line 6: 1 columns found, 2 wanted"),
        (PLAIN + "so 무척\n", "", "line 6: 1 columns found, 2 wanted"),
        (PLAIN + "so\t무척\t\n", "", "line 6: 3 columns found, 2 wanted"),
        (PLAIN.replace("Korean", "German"), "", "line 3: .*lish, German;"),
        (PLAIN.replace("#", ""), "", "line 1: the columns are  A remark"),
        ("# A remark.\n", "", "no row with the columns found"),
        (SEVERAL, "", "no row with the columns found"),
        (SEVERAL, "nouns", r"no table \[nouns\] found"),
        (SEVERAL, "verbs", "line 6: the columns are verb; wanted"),
        (SEVERAL * 2, "degrees", r"line 8: a second table \[degrees\]"),
    ],
)
def test_errors_name_file_and_line(file, text, name, fault):
    with pytest.raises(ValueError, match=rf"^words\.tsv(, |: ){fault}"):
        read_table(file(text), "English, Korean", name)


def test_a_key_stands_once(file):
    rows = read_table(file(PLAIN + "very\t매우\n"), "English, Korean")
    with pytest.raises(ValueError, match="line 6: 'very' again; .*line 4"):
        by_key(rows, "English")
    with pytest.raises(ValueError, match="line 5: nothing stands under Kor"):
        by_key(rows[:2], "Korean")


def test_a_number_is_one(file):
    row, wrong = read_table(file("person\n3\nthree\n"), "person")
    assert row.number("person") == 3
    with pytest.raises(ValueError, match="line 3: person is 'three'"):
        wrong.number("person")


def test_what_is_not_there_is_refused():
    with pytest.raises(ValueError, match="no group 'colors'"):
        group("colors")
    with pytest.raises(ValueError, match="no row 'seem'"):
        brought("seem")


# ------------------------------------------------------ the files in data/

# Where words stand: the file, the columns of the table, its name, which.
WORDS = [
    ("groups.tsv", "group, words", "", "words"),
    ("nouns.tsv", "part, wholes", "parts", "part, wholes"),
    ("nouns.tsv", "place, rides", "rides", "place, rides"),
    ("nouns.tsv", "verb, words", "bare places", "verb, words"),
    ("nouns.tsv", "animal, kinds", "avoided", "animal, kinds"),
    ("nouns.tsv", "hunter, prey", "too big", "hunter, prey"),
    ("adjectives.tsv", "adjective, also, never", "nouns",
     "adjective, also, never"),
    ("adjectives.tsv", "adjective, sense, does, told, too", "feelings",
     "adjective, sense, does, told, too"),
    ("adjectives.tsv", "adjective, own, of others", "deeds",
     "adjective, own, of others"),
    ("adjectives.tsv", "one, other", "opposed", "one, other"),
    ("adjectives.tsv", "one, other", "contrary", "one, other"),
    ("reasons.tsv", "rule, verb, subjects, objects, not: subject, "
     "not: object, did: subject, did: object", "rules",
     "verb, subjects, objects, not: subject, not: object, did: subject, "
     "did: object"),
    ("reasons.tsv", "nouns, adjectives, done, left", "why",
     "nouns, adjectives, done, left"),
    ("reasons.tsv", "verb, adjectives", "likes", "verb, adjectives"),
    ("reasons.tsv", "class, word, noun", "always seen", "word, noun"),
    ("words.tsv", "kind, Korean, honored", "counters", "kind"),
]  # fmt: skip


@pytest.mark.parametrize("path, columns, name, which", WORDS)
def test_the_words_of_a_table_are_words_of_the_lexicon(
    path, columns, name, which
):
    """A misspelled word would be left out of every sentence in silence."""
    known = {token for token, _ in GLOSSES} | {row["stem"] for row in STEMS}
    for entry in load_lexicon():
        known |= entry.kinds | {entry.korean}
    for row in read_table(path, columns, name):
        for column in which.split(", "):
            whole = row[column] in known  # wait for
            words = () if whole else row.words(column)
            kinds = {kind for word in words for kind in word.split("&")}
            assert kinds <= known, (row.where, kinds - known)


def test_every_table_and_every_group_is_asked_for():
    rows = read_table("groups.tsv", "group, words")
    names = {row["group"] for row in rows} | {
        line.strip("[]")
        for path in DATA.glob("*.tsv")
        for line in path.read_text(encoding="utf-8").split("\n")
        if line.startswith("[")
    }
    code = "".join(
        path.read_text(encoding="utf-8") for path in DATA.parent.rglob("*.py")
    )
    assert {name for name in names if f'"{name}"' not in code} == set()


def test_no_token_has_two_glosses():
    rows = read_table("glosses.tsv", "Korean, next, gloss", "tokens")
    assert len(rows) == len(GLOSSES)
