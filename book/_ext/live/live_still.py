"""The still picture of the live translator, for paper and without scripts.

The rows of the live one, drawn when the book is built: the English words, the
deeper the color the more one Korean piece looked at them; the Korean pieces
with their sound and their meaning.
"""

from __future__ import annotations

from html import escape

import torch

from toy_language.corpus import gloss
from transformer_lib.multi_head import record_attention
from transformer_lib.special_tokens import BOS, JOINER
from transformer_lib.translator import Translator

__all__ = ["still"]


def still(translator: Translator, text: str) -> str:
    """Draw a sentence and its translation.

    Args:
        translator: translates it.
        text: an English sentence whose translation the grammar can gloss.

    Returns:
        HTML, with the classes of book/_static/live/live.css.
    """
    tokenizer = translator.tokenizer
    (found,) = translator.hypotheses([text])
    glossed = gloss(" ".join(map(tokenizer.token, found.tokens)))
    weights = first_look(translator, tokenizer.encode(text), found.tokens)
    words = "".join(
        f'<span class="live-word" style="--w: {weight:.2f}">'
        f"{escape(word)}</span>"
        for word, weight in zip(tokenizer.tokens(text), weights, strict=True)
    )
    return (
        '<div class="live-stage">'
        f'<div class="live-source" lang="en">{words}</div>'
        f'<div class="live-target" lang="ko">{_pieces(glossed)}</div></div>'
        f'<p class="live-looks">The English words that <b lang="ko">'
        f"{escape(glossed[0][0])}</b> was written looking at are colored. "
        "With scripts, you can type your own sentence here.</p>"
    )


def first_look(
    translator: Translator, source: list[int], target: list[int]
) -> list[float]:
    """Return where the last layer looked for the first piece, all heads."""
    model = translator.model
    name = f"decoder.layers.{model.config.n_layers - 1}.cross_attention"
    with record_attention(model) as maps, torch.no_grad():
        model(torch.tensor([source]), torch.tensor([[BOS, *target]]))
    return maps[name][0].mean(dim=0)[0].tolist()


def _meaning(token: str, english: str) -> str:
    """Return a gloss, none for a mark, which means itself."""
    return "" if token.removeprefix(JOINER) == english else escape(english)


def _pieces(glossed: list[tuple[str, str, str]]) -> str:
    """Draw the pieces, those of a word side by side."""
    words: list[list[str]] = []
    for place, (token, latin, english) in enumerate(glossed):
        if not token.startswith(JOINER) or not words:
            words.append([])
        words[-1].append(
            f'<span class="live-piece" aria-current="{place == 0}">'.lower()
            + f'<span class="live-hangul">{token.removeprefix(JOINER)}</span>'
            f'<span class="live-latin" lang="ko-Latn">{latin}</span>'
            f'<span class="live-gloss" lang="en">{_meaning(token, english)}'
            "</span>"
            "</span>"
        )
    return "".join(
        f'<span class="live-together">{"".join(word)}</span>' for word in words
    )
