"""The word list: what a line may say, and that no word is told two ways."""

from itertools import combinations

import pytest

from toy_language.grammar.lexicon import load_lexicon
from toy_language.grammar.noun_phrases import counter

WITH_OBJECT = ("verb", "give", "put")


def nouns():
    """List everything that a kind can select."""
    return [e for e in load_lexicon() if e.word_class in ("noun", "name")]


def members(selectors):
    """Name the nouns meant by some selectors."""
    return {n.english for n in nouns() if n.is_one_of(selectors)}


@pytest.fixture
def read(tmp_path_factory):
    """Return a function from one line to its entry."""

    def entry(line):
        path = tmp_path_factory.mktemp("words") / "lexicon.tsv"
        head = "English\tKorean\tclass\tlevel\tfeatures\n"
        path.write_text(head + line + "\n", encoding="utf-8")
        (found,) = load_lexicon(path)
        return found

    return entry


def test_errors_name_the_line(read):
    good = "dog\t개\tnoun\tsmall\tkind=animal"
    assert read(good).kinds == {"dog", "animal"}
    with pytest.raises(ValueError, match="lexicon.tsv, line 2: 4 columns"):
        read("dog\t개\tnoun\tsmall")
    with pytest.raises(ValueError, match="line 2: class 'nuon'"):
        read(good.replace("noun", "nuon"))
    with pytest.raises(ValueError, match="line 2: level 'tiny'"):
        read(good.replace("small", "tiny"))
    with pytest.raises(ValueError, match="line 2: feature .*name=value"):
        read(good.replace("=", ":"))


@pytest.mark.parametrize(
    "line, forms",
    [
        ("glasses\t안경\tnoun\tfull\tkind=plural", {"plural": "glasses"}),
        ("person\t사람\tnoun\tfull\tplural=people", {"plural": "people"}),
        ("potato\t감자\tnoun\tfull\tkind=food", {"plural": "potatoes"}),
        ("key\t열쇠\tnoun\tfull\tkind=thing", {"plural": "keys"}),
        ("fly\t날다\tverb\tfull\tpast=flew done=flown ing=flying",
         {"past": "flew", "done": "flown", "third": "flies", "ing": "flying"}),
        ("wake up\t일어나다\tverb\tfull\tpast=woke",
         {"base": "wake", "past": "woke", "done": "woke", "third": "wakes"}),
        ("have\t있다\tverb\tfull\tthird=has", {"third": "has"}),
    ],
)  # fmt: skip
def test_english_forms(read, line, forms):
    entry = read(line)
    for name, form in forms.items():
        made = entry.plural if name == "plural" else entry.form(name)
        assert made == form


def test_selectors_mean_something():
    """Every kind that a verb or adjective asks for, some noun is."""
    verbs = {e.english for e in load_lexicon() if e.word_class in WITH_OBJECT}
    for e in load_lexicon():
        for feature in ("subject", "object", "goal", "of"):
            for selector in e.features.get(feature, ()):
                if e.word_class == "manner":
                    assert selector in verbs, (e, selector)
                elif selector not in ("none", "feeling"):
                    assert members([selector]), (e, selector)


def test_one_english_word_has_one_korean_word():
    """Of two lines for one word, the words beside it choose."""
    for one, other in combinations(load_lexicon(), 2):
        if (one.english, one.word_class) != (other.english, other.word_class):
            continue
        if one.word_class == "noun":  # fish that swims, fish that is eaten
            assert one.kinds & other.kinds == {one.english}, one
            continue
        shared = [
            members(one.features[feature]) & members(other.features[feature])
            for feature in ("of", "subject", "object")
            if feature in one.features
        ]
        if one.features.get("object") == other.features.get("object"):
            shared = shared[:1]  # both without an object
        assert one.word_class in (*WITH_OBJECT, "adjective"), one
        assert not all(shared) or one.korean == other.korean, (one, other)


def test_two_lines_for_one_word_have_the_same_english_forms():
    """Otherwise a reader would know the line by its spelling."""
    verbs = [e for e in load_lexicon() if e.word_class in WITH_OBJECT]
    for one, other in combinations(verbs, 2):
        if one.english == other.english:
            assert one.form("past") == other.form("past"), (one, other)
            assert one.form("third") == other.form("third"), (one, other)
            assert one.form("done") == other.form("done"), (one, other)


def test_every_noun_has_something_to_do_and_to_be():
    """No noun is out of reach of all verbs and adjectives."""
    selectors = [
        e.features[feature]
        for e in load_lexicon()
        for feature in ("subject", "object", "of")
        if feature in e.features and e.word_class != "manner"
    ]
    for noun in nouns():
        reached = sum(noun.is_one_of(wanted) for wanted in selectors)
        assert reached >= 4, (noun, reached)


def test_predicates_end_as_their_class_promises():
    """A dictionary form ends in 다; 새 (new) alone stands before nouns."""
    for e in load_lexicon():
        if e.word_class in (*WITH_OBJECT, "weather", "adjective"):
            bare = e.get("use") == "before" and not e.korean.endswith("다")
            assert e.korean.endswith("다") or bare, e
            for feature in ("honor", "humble"):
                assert e.get(feature, "다").endswith("다"), e


COUNTED = """
student 명, teacher 분, queen 명, mom 명, baby 명, fish 마리, ant 마리,
car 대, ship 척, bicycle 대, camera 대, piano 대, television 대, song 곡,
picture 장, photo 장, ticket 장, map 장, story 편, poem 편, movie 편,
book 권, dictionary 권, letter 통, shirt 벌, flower 송이, tree 그루,
pen 자루, house 채, apple 개, clock 개, gift 개, star 개
"""


@pytest.mark.parametrize("pair", COUNTED.replace("\n", " ").split(","))
def test_counters(pair):
    english, korean = pair.split()
    noun = next(n for n in nouns() if n.english == english)
    assert counter(noun) == korean
