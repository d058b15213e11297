"""Tokenizers: what they keep, what they say they do not know."""

import pytest

from transformer_lib.tokenizer import BOS, EOS, PAD, UNK, Tokenizer

TOY = [
    "the cat did not cross the river .",
    "고양이 +는 강 +을 건너 +지 않 +았 +다 +.",
    "i am not tired , sir .",
]


@pytest.fixture(scope="module")
def words():
    return Tokenizer.words(TOY)


@pytest.fixture(scope="module")
def pieces():
    return Tokenizer.bpe(["Ein alter Mann schläft.", "an old man"] * 9, 290)


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
    made = Tokenizer.words([read])
    assert made.tokens(typed) == read.split()


def test_korean_is_printed_with_its_words_joined(words):
    assert words.decode(words.encode(TOY[1])) == "고양이는 강을 건너지 않았다."
    assert words.tokens(TOY[1]) == TOY[1].split()


def test_decoding_leaves_out_special_tokens(words):
    ids = [BOS, *words.encode("고양이 +는"), EOS, PAD]
    assert words.decode(ids) == "고양이는"


def test_unknown_words_are_named_as_they_were_written(words):
    assert words.unknown("The Zebra crossed the river.") == [
        "Zebra",
        "crossed",
    ]
    assert words.unknown(TOY[0]) == []
    assert UNK in words.encode("zebra")


@pytest.mark.parametrize(
    "text", ["Ein alter Mann schläft.", "  zwei  Räume", "新しい 🚲", "a\tb"]
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
    path.write_text("{}")
    with pytest.raises(ValueError, match="holds no tokenizer"):
        Tokenizer.load(path)


def test_ids_and_sizes_that_cannot_be(words):
    with pytest.raises(ValueError, match="id 9999 is not in the vocabulary"):
        words.token(9999)
    with pytest.raises(ValueError, match="need 260 or more"):
        Tokenizer.bpe(["a"], 100)
