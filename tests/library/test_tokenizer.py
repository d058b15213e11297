"""Tokenizers: what they keep, what they say they do not know."""

import json
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toy_language.corpus import SPELLING
from transformer_lib.special_tokens import BOS, EOS, PAD, UNK
from transformer_lib.tokenizer import Tokenizer

anything = settings(derandomize=True, max_examples=60, deadline=None)

TOY = [
    "the cat did not cross the river .",
    "고양이 +는 강 +을 건너 +지 않 +았 +다 +.",
    "i am not tired , sir .",
]


@pytest.fixture(scope="module")
def words():
    return Tokenizer.words(TOY, SPELLING)


@pytest.fixture(scope="module")
def pieces():
    return Tokenizer.bpe(["Ein alter Mann schläft.", "an old man"] * 9, 290)


@pytest.mark.parametrize("wanted", [260, 267, 275])
def test_there_are_as_many_pieces_as_were_wanted(wanted):
    texts = ["Ein alter Mann schläft.", "an old man"] * 9
    assert len(Tokenizer.bpe(texts, wanted)) == wanted


def test_special_tokens_come_first(words, pieces):
    for made in (words, pieces):
        names = [made.token(i) for i in (PAD, BOS, EOS, UNK)]
        assert names == ["<pad>", "<bos>", "<eos>", "<unk>"]


def test_english_is_read_as_people_write_it(words):
    plain = words.encode("the cat did not cross the river .")
    assert words.encode("The cat didn't cross the river.") == plain
    assert words.encode("  the CAT didn’t cross the river . ") == plain
    assert words.encode("I'm not tired, sir.") == words.encode(TOY[2])


@pytest.mark.parametrize(
    "typed, read",
    [
        ("The teacher's book!", "the teacher 's book ."),
        ("It's wide; she's not.", "it is wide ; she is not ."),
        ("I can't, we won't", "i can not , we will not"),
        ("You're late, they'll go?", "you are late , they will go ?"),
    ],
)
def test_contractions_are_opened(typed, read):
    made = Tokenizer.words([read], SPELLING)
    assert made.tokens(typed) == read.split()


def test_korean_is_printed_with_its_words_joined(words):
    assert words.decode(words.encode(TOY[1])) == "고양이는 강을 건너지 않았다."
    assert words.tokens(TOY[1]) == TOY[1].split()


def test_decoding_leaves_out_special_tokens(words):
    ids = [BOS, *words.encode("고양이 +는"), EOS, PAD]
    assert words.decode(ids) == "고양이는"


def test_decoding_shows_where_a_word_was_unknown(words):
    ids = [*words.encode("고양이 +는"), UNK, EOS]
    assert words.decode(ids) == "고양이는 <unk>"


def test_unknown_words_are_named_as_they_were_written(words):
    assert words.unknown("The Zebra crossed the river.") == [
        "Zebra",
        "crossed",
    ]
    assert words.unknown(TOY[0]) == []
    assert UNK in words.encode("zebra")


@anything
@given(
    st.lists(st.sampled_from("the café 고양이 zebrás Ǻö İ 한글".split())),
    st.sampled_from(["NFC", "NFD"]),
)
def test_unknown_words_are_whole_and_composed(chosen, form):
    strange = [w for w in chosen if w not in ("the", "고양이")]
    text = normalize(form, " ".join(chosen))
    assert WORDS.unknown(text) == strange
    assert WORDS.unknown("ﬁ") == ["ﬁ"]  # composed, not made compatible


@pytest.mark.parametrize(
    "text",
    [
        "Ein alter Mann schläft.",
        "  zwei  Räume",
        "新しい 🚲",
        "a\tb",
        "ﬁ ① Ａ ㎏",
    ],
)
def test_pieces_give_back_any_text(pieces, text):
    assert pieces.decode(pieces.encode(text)) == text.strip()
    assert UNK not in pieces.encode(text)


def test_special_tokens_in_a_text_are_text(words, pieces):
    text = "the <eos> cat <pad>"
    assert pieces.decode(pieces.encode(text)) == text
    for made in (words, pieces):
        assert not {PAD, BOS, EOS} & set(made.encode(text))
    assert words.unknown(text) == ["<", "eos", ">", "<", "pad", ">"]


# Text as it is typed: four languages, emoji of several code points, control
# characters, decomposed letters, the names of special tokens.
BITS = [
    *"aZ é ß 한 글 강 猫 。 新 🚲 \n \t \u2028 \x00 ' + . <".split(" "),
    *(
        " ",
        "  ",
        "e\u0301",
        "\u1100\u1161",
        "👩\u200d👩\u200d👧",
        "🇰🇷",
        "\ufeff",
    ),
    *("<pad>", "<bos>", "<eos>", "<unk>", "고양이", "the", "can't", "1.5"),
]
typed = st.lists(st.sampled_from(BITS), max_size=9).map("".join) | st.text()
WORDS = Tokenizer.words([*TOY, "猫 在 睡觉 。", "🚲 <"])
PIECES = Tokenizer.bpe(
    [*TOY, "猫在睡觉。", "안녕하세요 👩\u200d👩\u200d👧"] * 3, 300
)
both = pytest.mark.parametrize("made", [WORDS, PIECES], ids=["words", "pieces"])


@anything
@given(typed)
def test_pieces_give_back_all_that_can_be_typed(text):
    """Composed (NFC), without the spaces at its ends; nothing is unknown."""
    ids = PIECES.encode(text)
    assert PIECES.decode(ids) == normalize("NFC", text).strip()
    assert UNK not in ids
    assert PIECES.unknown(text) == []


@both
@anything
@given(typed)
def test_no_text_can_say_a_special_token(made, text):
    for told in (text, f"<eos>{text}", f"{text} <pad> <bos>"):
        ids = made.encode(told)
        assert not {PAD, BOS, EOS} & set(ids)
        assert all(0 <= index < len(made) for index in ids)


@both
@anything
@given(typed, st.data())
def test_special_tokens_vanish_wherever_they_stand(made, text, data):
    ids = made.encode(text)
    crowd = list(ids)
    for special in data.draw(st.lists(st.sampled_from([PAD, BOS, EOS]))):
        crowd.insert(data.draw(st.integers(0, len(crowd))), special)
    assert made.decode(crowd) == made.decode(ids)


@both
@anything
@given(typed)
def test_composed_and_decomposed_letters_are_the_same(made, text):
    for form in ("NFC", "NFD"):
        assert made.encode(normalize(form, text)) == made.encode(text)


@both
@anything
@given(st.lists(typed, max_size=4))
def test_all_at_once_is_one_by_one(made, texts):
    assert made.encode_all(texts) == [made.encode(text) for text in texts]


@anything
@given(st.lists(st.sampled_from("the cat 고양이 猫 🚲 river".split())))
def test_a_piece_never_crosses_a_space(chosen):
    apart = [index for word in chosen for index in PIECES.encode(word)]
    assert PIECES.encode(" ".join(chosen)) == apart


KNOWN = sorted({word for text in TOY for word in text.split()} - {"+."})


@anything
@given(st.lists(st.sampled_from(KNOWN), max_size=9), st.booleans())
def test_known_words_come_back_one_by_one(chosen, upper):
    chosen = ["the", *chosen]
    text = " ".join(chosen)
    ids = WORDS.encode(text.upper() if upper else text)
    assert [WORDS.token(index) for index in ids] == chosen
    assert WORDS.decode(ids) == text.replace(" +", "")
    assert WORDS.unknown(text) == []


@anything
@given(st.lists(st.sampled_from([*KNOWN[:9], "zebra", "얼룩말", "斑马"])))
def test_each_unknown_word_is_one_unknown_token(chosen):
    strange = [w for w in chosen if w in ("zebra", "얼룩말", "斑马")]
    text = " ".join(chosen)
    assert WORDS.unknown(text) == strange
    assert WORDS.encode(text).count(UNK) == len(strange)
    assert len(WORDS.encode(text)) == len(chosen)


@both
def test_ids_and_tokens_are_one_to_one(made):
    tokens = [made.token(index) for index in range(len(made))]
    assert len(set(tokens)) == len(tokens)


@both
@anything
@given(typed)
def test_what_is_loaded_treats_all_text_the_same(made, text):
    again = LOADED[made]
    assert again.encode(text) == made.encode(text)
    assert again.decode(made.encode(text)) == made.decode(made.encode(text))
    assert len(again) == len(made)


@pytest.fixture(scope="module", autouse=True)
def loaded(tmp_path_factory):
    """Each tokenizer, written to a file and read again."""
    for name, made in (("words", WORDS), ("pieces", PIECES)):
        path = tmp_path_factory.mktemp("tokenizer") / f"{name}.json"
        path.write_text(made.to_json(), encoding="utf-8")
        assert json.loads(made.to_json())
        LOADED[made] = Tokenizer.load(path)


LOADED = {}


def test_frequent_words_become_one_piece(pieces):
    assert len(pieces.encode("Mann")) == 1
    assert len(pieces.encode("Mond")) > 1


def test_many_at_once_is_one_by_one(words):
    assert words.encode_all(TOY) == [words.encode(text) for text in TOY]


def test_saved_and_loaded_is_the_same(words, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(words.to_json(), encoding="utf-8")
    again = Tokenizer.load(path)
    assert again.encode(TOY[1]) == words.encode(TOY[1])
    assert len(again) == len(words)


def test_a_file_that_is_no_tokenizer_is_refused(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="holds no tokenizer"):
        Tokenizer.load(path)


def test_ids_and_sizes_that_cannot_be(words):
    with pytest.raises(ValueError, match="id 9999 is not in the vocabulary"):
        words.token(9999)
    with pytest.raises(ValueError, match="need 260 or more"):
        Tokenizer.bpe(["a"], 100)
