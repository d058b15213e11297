"""Decoder input and labels of one sentence: the shift by one."""

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import box, label, line

__all__ = ["shifted_rows"]

WORDS = ("<bos>", "나는", "내일", "여행을", "간다", "<eos>")
GLOSSES = ("begin", "I", "tomorrow", "trip", "go", "end")
SHIFTS = (-1, 0, 1, 2)
NAMES = ("back by one", "none", "by one", "by two")
PLACES = len(WORDS) - 1
WIDTH, HEIGHT = 360.0, 186.0
_CELL = WIDTH / PLACES
_TOPS = (30.0, 116.0)  # of the two rows
_HIGH = 44.0


def shifted_rows() -> Explorer:
    """Walk along a sentence and see what is read and what is the label.

    Returns:
        An Explorer with a slider for the position and one for the shift;
        it says where the label can be copied.

    Chapter 12.
    """
    places = tuple(f"{t + 1} of {PLACES}" for t in range(PLACES))
    return Explorer(
        "Decoder input and labels",
        [Slider("position", places, 1), Slider("shift", NAMES, 2)],
        lambda place, shift: _frame(place, SHIFTS[shift]),
    )


def asked(place: int, shift: int) -> int | None:
    """The index in WORDS of the label; None for padding."""
    wanted = place + shift
    return wanted if 0 <= wanted < len(WORDS) else None


def _frame(place: int, shift: int) -> Frame:
    parts = [
        label(0, 16, "decoder input", "x-dim"),
        label(0, 102, "label", "x-dim"),
    ]
    for t in range(PLACES):
        parts += _cell(t, 0, t, "x-track" if t <= place else "")
        parts += _cell(t, 1, asked(t, shift), "")
    x = place * _CELL
    parts += [
        box(x + 2, _TOPS[1], _CELL - 4, _HIGH, "x-halo", rx=6),
        line(x + _CELL / 2, 80, x + _CELL / 2, 112, "x-line x-thin x-blue"),
    ]
    wanted = asked(place, shift)
    if wanted is not None and wanted <= place:
        left = wanted * _CELL
        parts.append(
            box(left + 2, _TOPS[0], _CELL - 4, _HIGH, "x-line x-bold x-orange")
        )
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(place, shift))


def _cell(column: int, row: int, word: int | None, shade: str) -> list[str]:
    """One word over its meaning; padding is a dash."""
    x, y = column * _CELL, _TOPS[row]
    middle = x + _CELL / 2
    parts = [box(x + 2, y, _CELL - 4, _HIGH, shade, rx=6)] if shade else []
    if word is None:
        return [*parts, label(middle, y + 26, "–", "x-mid x-dim")]
    return [
        *parts,
        label(middle, y + 19, WORDS[word], "x-mid x-strong"),
        label(middle, y + 36, GLOSSES[word], "x-mid x-dim"),
    ]


def _words(place: int, shift: int) -> str:
    read = " ".join(WORDS[: place + 1])
    name = NAMES[SHIFTS.index(shift)]
    start = f"Shift: {name}. Position {place + 1}: read so far {read}; label "
    wanted = asked(place, shift)
    if wanted is None:
        return f"{start}<pad>: this position does not count."
    if wanted <= place:
        where = "the newest word read" if wanted == place else "read before"
        return f"{start}{WORDS[wanted]}, {where}. It can be copied."
    if wanted == place + 1:
        return f"{start}{WORDS[wanted]}, the next one. It has to be predicted."
    return (
        f"{start}{WORDS[wanted]}, the next but one. {WORDS[place + 1]} is "
        "never a label here."
    )
