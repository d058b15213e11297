"""The still pictures of "One sentence's whole way": one a station.

For paper and for readers without scripts; the page's scripts put what can be
touched in their place. The numbers are those of
`transformer_course.sentence`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from html import escape
from typing import NamedTuple

import torch
from torch import Tensor
from way_draw import bars, korean, looks, number, percent, strip

from toy_language.corpus import gloss, romanize
from transformer_course.sentence import Trace, intermediates
from transformer_lib.model import Transformer
from transformer_lib.special_tokens import BOS, EOS
from transformer_lib.translator import Translator

__all__ = ["STATIONS", "Sentence", "read", "rounded", "stills"]

MOST = 6  # bars of a picture
STEP = 2  # pieces that are written when the decoder is looked at


class Sentence(NamedTuple):
    """A sentence on its way, and the piece that is followed.

    Attributes:
        words: English pieces.
        source: their ids.
        target: ids of the Korean pieces, the end mark included.
        korean: for each of them piece, sound and meaning.
        trace: see `intermediates`.
        follow: place of the English piece.
        head: of the first layer, that is shown.
        translator: that translates it.
    """

    words: list[str]
    source: list[int]
    target: list[int]
    korean: list[tuple[str, str, str]]
    trace: Trace
    follow: int
    head: int
    translator: Translator

    @property
    def word(self) -> str:
        """The piece that is followed."""
        return self.words[self.follow]

    def of(self, name: str) -> Tensor:
        """Return the followed piece's row of an intermediate."""
        return self.trace[name][self.follow]

    def heads(self, name: str) -> Tensor:
        """Return the same cut into heads, (pieces, heads, numbers)."""
        n_heads = self.translator.model.config.n_heads
        return self.trace[name].unflatten(-1, (n_heads, -1))


def rounded(model: Transformer) -> Transformer:
    """Return a copy with the parameters that the page has: float16."""
    copy = deepcopy(model)
    with torch.no_grad():
        for parameter in copy.parameters():
            parameter.copy_(parameter.half().float())
    return copy


def read(translator: Translator, text: str) -> Sentence:
    """Translate a sentence and keep what the model computes on the way.

    Args:
        translator: its parameters are rounded as the page's are.
        text: an English sentence whose translation the grammar can gloss.
    """
    tokenizer = translator.tokenizer
    words, source = tokenizer.tokens(text), tokenizer.encode(text)
    (found,) = translator.hypotheses([text])
    trace = intermediates(
        rounded(translator.model), source, [BOS, *found.tokens]
    )
    meant = gloss(" ".join(map(tokenizer.token, found.tokens)))
    noun = meant[STEP][2] if len(meant) > STEP else ""
    follow = words.index(noun if noun in words else max(words, key=len))
    weights = trace[f"{LAYER}.self_attention"][:, follow].clone()
    for place, word in enumerate(words):
        if place == follow or not word.isalnum():
            weights[:, place] = 0
    return Sentence(
        words,
        source,
        [*found.tokens, EOS],
        [
            *meant,
            ("end", "", "the sentence ends"),
        ],
        trace,
        follow,
        int(weights.max(dim=1).values.argmax()),
        translator,
    )


def stills(translator: Translator, text: str) -> dict[str, str]:
    """Return the picture of each station, as HTML."""
    sentence = read(translator, text)
    return {name: draw(sentence) for name, draw in STATIONS.items()}


LAYER = "encoder.layers.0"


def pieces(sentence: Sentence) -> str:
    """Draw the pieces and their places in the list."""
    items = "".join(
        f"<li><span>{escape(word)}</span><b>{place}</b></li>"
        for word, place in zip(sentence.words, sentence.source, strict=True)
    )
    return f'<ol class="way-pieces">{items}</ol>'


def all_rows(name: str, alt: str, sentence: Sentence) -> str:
    """Draw one row for each English piece."""
    rows = zip(sentence.words, sentence.trace[name], strict=True)
    return strip(list(rows), alt)


def place(sentence: Sentence) -> str:
    """Draw a piece that stands twice, before and after; or one piece."""
    words = sentence.words
    twins = [i for i, word in enumerate(words) if word == twice(words)]
    shown = [twins[0], twins[-1]] if twins else [sentence.follow]
    rows = [
        (f"{label}{i + 1} {words[i]}", sentence.trace[f"encoder:{name}"][i])
        for name, label in PLACED.items()
        for i in shown
    ]
    return strip(rows, "A piece, the pattern of its position, and their sum.")


PLACED = {"embedding": "", "position": "pos. ", "in": "sum "}


def twice(words: Sequence[str]) -> str | None:
    """Return the first word that stands in a sentence more than once."""
    return next((word for word in words if words.count(word) > 1), None)


def head(sentence: Sentence) -> str:
    """Draw scores and shares of one head, for the followed piece."""
    attention = f"{LAYER}.self_attention"
    query = sentence.heads(f"{attention}.q_proj")[sentence.follow]
    keys = sentence.heads(f"{attention}.k_proj")[:, sentence.head]
    products = keys @ query[sentence.head]
    root = keys.shape[-1] ** 0.5
    shares = sentence.trace[attention][sentence.head, sentence.follow]
    return bars(
        [
            (
                word,
                float(share),
                f"{number(product)} ÷ {root:g} = {number(product / root)} → "
                f"{percent(share)}",
            )
            for word, product, share in zip(
                sentence.words, products, shares, strict=True
            )
        ],
        f"The query of “{sentence.word}” times the key of each piece, divided "
        f"by {root:g}, and its attention weight, in head {sentence.head + 1}.",
    )


def heads(sentence: Sentence) -> str:
    """Draw the largest shares' values, their mixture, and the answer."""
    attention = f"{LAYER}.self_attention"
    shares = sentence.trace[attention][sentence.head, sentence.follow]
    values = sentence.heads(f"{attention}.v_proj")[:, sentence.head]
    mixed = sentence.heads(f"{attention}.out_proj:in")[sentence.follow]
    rows = [
        (f"{percent(shares[i])} {sentence.words[i]}", values[i])
        for i in shares.argsort(descending=True)[:4].tolist()
    ]
    return strip(
        [*rows, ("mixed", mixed[sentence.head])],
        f"The values with the largest weights and what head "
        f"{sentence.head + 1} mixes of all of them for “{sentence.word}”.",
    ) + strip(
        [
            ("all heads", sentence.of(f"{attention}.out_proj:in")),
            ("answer", sentence.of(f"{attention}.out_proj")),
        ],
        "The mixtures of all heads side by side, and their answer.",
    )


def add(sentence: Sentence) -> str:
    """Draw a row, the answer, their sum, and the sum normalized."""
    return strip(
        [
            (sentence.word, sentence.of(f"{LAYER}.norm1:in")),
            ("+ answer", sentence.of(f"{LAYER}.self_attention.out_proj")),
            ("= sum", sentence.of(f"{LAYER}.norm2:in")),
        ],
        f"The row of “{sentence.word}”, the answer of the heads, their sum.",
    ) + strip(
        [("normalized", sentence.of(f"{LAYER}.norm2"))],
        "The sum, normalized and stretched.",
    )


def forward(sentence: Sentence) -> str:
    """Draw what goes into the feed-forward network, its inside, its end."""
    network = f"{LAYER}.feed_forward"
    inner = sentence.of(f"{network}.linear2:in")
    left = int((inner > 0).sum())
    lines = inner.unflatten(0, (-1, sentence.of(f"{LAYER}.norm2").numel()))
    return "".join(
        strip(rows, alt)
        for rows, alt in (
            ([("in", sentence.of(f"{LAYER}.norm2"))], "What goes in."),
            (
                [("inside" if i == 0 else "", x) for i, x in enumerate(lines)],
                f"The {inner.numel()} numbers inside for “{sentence.word}”: "
                f"{left} of them are above zero.",
            ),
            ([("out", sentence.of(f"{network}.linear2"))], "What comes out."),
        )
    )


def masked(sentence: Sentence) -> str:
    """Draw where the last piece that is written looks, all heads together."""
    shares = sentence.trace["decoder.layers.0.self_attention"].mean(dim=0)
    labels = ["start", *map(korean, sentence.korean)][: STEP + 1]
    return looks(
        labels,
        shares[STEP, : STEP + 1],
        f"Where {labels[-1]}, the last piece so far, looks: mean of the heads "
        "of the first layer.",
    )


def cross(sentence: Sentence) -> str:
    """Draw where the decoder looks for its next piece, all heads together."""
    last = sentence.translator.model.config.n_layers - 1
    name = f"decoder.layers.{last}.cross_attention"
    return looks(
        sentence.words,
        sentence.trace[name].mean(dim=0)[STEP],
        f"Where the decoder looks for {korean(sentence.korean[STEP])}: mean "
        "of the heads of the last layer.",
    )


def following(sentence: Sentence) -> str:
    """Draw the most probable next pieces."""
    best = sentence.trace["logits"][STEP].softmax(dim=-1).topk(MOST)
    written = {sentence.target[STEP]: sentence.korean[STEP]}
    token = sentence.translator.tokenizer.token
    labels = [
        korean(written.get(i, (token(i), romanize(token(i)), "")))
        for i in best.indices.tolist()
    ]
    return looks(
        labels,
        best.values,
        f"The most probable pieces after {korean(sentence.korean[STEP - 1])}.",
    )


def again(sentence: Sentence) -> str:
    """Draw each round: the piece and its probability."""
    shares = sentence.trace["logits"].softmax(dim=-1)
    chosen = [shares[n, i] for n, i in enumerate(sentence.target)]
    return looks(
        [korean(piece) for piece in sentence.korean],
        chosen,
        "The pieces in the order in which they were written, each with its "
        "probability.",
    )


STATIONS: dict[str, Callable[[Sentence], str]] = {
    "pieces": pieces,
    "embedding": partial(
        all_rows,
        "encoder:embedding",
        "The numbers of all pieces, one row each.",
    ),
    "place": place,
    "head": head,
    "heads": heads,
    "add": add,
    "forward": forward,
    "layers": partial(
        all_rows,
        "encoder.norm",
        "What leaves the encoder: the memory, one row for each piece.",
    ),
    "masked": masked,
    "cross": cross,
    "next": following,
    "again": again,
}
