"""Sentences that people typed: the notation, and the file as a whole."""

import pytest

from transformer_lib.toy.typed import accepted, typed_sentences


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
