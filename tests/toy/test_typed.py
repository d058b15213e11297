"""Sentences that people typed: the notation, and the file as a whole."""

from unicodedata import normalize

import pytest

from toy_language.typed import accepted, read_typed, typed_sentences


def test_a_brace_is_one_of_several():
    assert accepted("{그 |}개는 {희다|하얗다}. / 흰 개다.") == {
        "그 개는 희다.",
        "그 개는 하얗다.",
        "개는 희다.",
        "개는 하얗다.",
        "흰 개다.",
    }


@pytest.mark.parametrize("notation", ["{개는", "개}는", "{개{는|가}}"])
def test_braces_that_do_not_match_are_refused(notation):
    with pytest.raises(ValueError, match="braces do not match"):
        accepted(notation)


def test_what_counts_as_right_is_composed_as_translations_are(tmp_path):
    table = "English\tKorean\nthe café\t{고양이|개}는 잤다.\n"
    found = []
    for form in ("NFC", "NFD"):
        path = tmp_path / form
        path.write_text(normalize(form, table), encoding="utf-8")
        found.append(read_typed(path))
    assert found[0] == found[1]
    assert found[0][0].accepted == {"고양이는 잤다.", "개는 잤다."}
    assert accepted(normalize("NFD", "개는 잤다.")) == {"개는 잤다."}


def test_the_file_is_whole():
    sentences = typed_sentences()
    sources = [sentence.source for sentence in sentences]
    assert len(set(sources)) == len(sources) > 150
    for sentence in sentences:
        assert sentence.source[-1] in ".?!"
        for translation in sentence.accepted:
            assert translation[-1] in ".?!"
            assert "  " not in translation
            assert translation == translation.strip()
