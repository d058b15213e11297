"""Who may look at whom in the three families of models, and who is asked."""

from __future__ import annotations

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import box, label

FAMILIES = ("encoder only", "decoder only", "encoder-decoder")
GAP = "<mask>"
# What is read at each place, and what is to be said there ("" for nothing).
READ = (
    ("<bos>", "the", GAP, "chased", "a", GAP, "<eos>"),
    ("<bos>", "the", "dog", "chased", "a", "cat", "."),
    ("the", "dog", "slept", "<bos>", "개", "+는", "잤"),
)
SAY = (
    ("", "", "dog", "", "", "cat", ""),
    ("the", "dog", "chased", "a", "cat", ".", "<eos>"),
    ("", "", "", "개", "+는", "잤", "+다"),
)
N_SOURCE = 3  # tokens of the third family that the encoder reads
WIDTH, HEIGHT = 360.0, 344.0
_LEFT, _TOP, _CELL = 66.0, 78.0, 29.0
_ASKED = 288.0  # where the column of answers begins


def sees(family: int, row: int, column: int) -> bool:
    """Tell whether the token of a row may look at that of a column.

    Args:
        family: 0 encoder only, 1 decoder only, 2 encoder-decoder.
        row: the query, from 0.
        column: the key, from 0.

    Returns:
        True for all tokens (0), for those up to its own place (1), or for
        the whole source and the target up to its own place (2).
    """
    if family == 0:
        return True
    if family == 1:
        return column <= row
    return column < N_SOURCE or N_SOURCE <= column <= row


def model_families(start: int = 2) -> Explorer:
    """Compare three families: what each token sees, and what is asked.

    Encoder only (BERT): everything is seen, hidden words are asked for.
    Decoder only (GPT): the past is seen, the next word is asked for, at every
    place. Encoder-decoder (Vaswani et al.): the source is seen whole, the
    target up to now.

    Args:
        start: the token shown first, 0 to 6.

    Returns:
        An Explorer with sliders for the family and the token.

    Raises:
        ValueError: there is no such token.

    Source: Vaswani et al. 2017; Radford et al. 2018; Devlin et al. 2019.
    Chapter 19.
    """
    n = len(READ[0])
    if start not in range(n):
        raise ValueError(f"start={start}; choose a token from 0 to {n - 1}")
    places = tuple(f"{place + 1} of {n}" for place in range(n))
    return Explorer(
        "Who sees what, and what is predicted",
        [Slider("family", FAMILIES, 0), Slider("token", places, start)],
        _frame,
    )


def _frame(family: int, row: int) -> Frame:
    read, say = READ[family], SAY[family]
    parts = [
        label(_LEFT, 14, "may look at", "x-dim"),
        label(_ASKED, 14, "must say", "x-dim"),
    ]
    for column, token in enumerate(read):
        x = _LEFT + _CELL * column + _CELL / 2
        y = 34 + 17 * (column % 3)
        strong = "x-mid x-strong" if sees(family, row, column) else "x-mid"
        parts.append(label(x, y, token, strong))
    for place, token in enumerate(read):
        parts += _row(family, place, token, say[place], place == row)
    if family == 2:
        words = "1 to 3: the encoder's; 4 to 7: the decoder's"
    else:
        words = "all in one stack"
    parts.append(label(0, HEIGHT - 42, words, "x-dim"))
    parts.append(box(0, HEIGHT - 26, 12, 12, "x-fill x-blue"))
    parts.append(label(18, HEIGHT - 15, "seen"))
    parts.append(box(80, HEIGHT - 26, 12, 12, "x-track"))
    parts.append(label(98, HEIGHT - 15, "hidden"))
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(family, row))


def _row(
    family: int, place: int, token: str, answer: str, chosen: bool
) -> list[str]:
    """One query: its cells, and what it must say."""
    y = _TOP + _CELL * place
    strong = "x-strong" if chosen else "x-dim"
    parts = [label(0, y + 17, token, strong)]
    for column in range(len(READ[family])):
        color = "x-track"
        if sees(family, place, column):
            color = "x-fill x-blue" if chosen else "x-fill x-soft"
        x = _LEFT + _CELL * column
        parts.append(box(x, y, _CELL - 4, _CELL - 4, color, rx=3))
    if answer:
        parts.append(label(_ASKED, y + 17, answer, strong))
    if chosen:
        parts.append(
            box(_LEFT - 3, y - 3, 7 * _CELL + 2, _CELL + 2, "x-halo", rx=5)
        )
    return parts


def _words(family: int, row: int) -> str:
    """The frame in words."""
    read, answer = READ[family], SAY[family][row]
    seen = [t for c, t in enumerate(read) if sees(family, row, c)]
    asked = f"It predicts “{answer}”." if answer else "It predicts nothing."
    total = sum(map(bool, SAY[family]))
    return (
        f"{FAMILIES[family].capitalize()}, token {row + 1} (“{read[row]}”) "
        f"sees {len(seen)} ({' '.join(seen)}). {asked} In all, {total} of "
        f"{len(read)} positions predict a word."
    )
