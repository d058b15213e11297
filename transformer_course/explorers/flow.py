"""Who can reach whom: information flowing up through two masked layers."""

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Words
from transformer_course.explorers.svg import box, label, line

SENTENCE = ("나는", "내일", "여행을", "간다")
LAYERS = 2
WIDTH = 360.0
_STEP, _HALF = 72.0, 31.0
_ANSWER, _UP = 34.0, 66.0  # the top line, and the way from layer to layer
MASKS = ("up to i", "up to i + 1", "before i", "first two open", "no mask")


def information_flow(sentence: tuple[str, ...] = SENTENCE) -> Explorer:
    """Choose a mask and an output; see which inputs reach it.

    A decoder of two layers reads <bos> and the words, and predicts at each
    position the next word. Each position attends to what the mask allows;
    the skip connection carries its own input along.

    Args:
        sentence: the words, one to four.

    Returns:
        An Explorer with sliders for the mask and the output; `live()` takes
        other words.

    Raises:
        ValueError: no word, or more than four.

    Chapter 8.
    """
    words = _fitting(list(sentence))
    inputs = ("<bos>", *words)
    below = Slider("output above", inputs, min(2, len(words)))

    def redraw(typed: str, mask: int, place: int) -> Frame:
        words = _fitting(typed.split())
        return _frame(words, mask, min(place, len(words)))

    return Explorer(
        "Which inputs reach an output?",
        [Slider("each position sees", MASKS), below],
        lambda mask, place: _frame(words, mask, place),
        [
            Words("words", " ".join(words)),
            Choice("each position sees", MASKS),
            Choice(below.name, inputs, below.start),
        ],
        redraw,
    )


def _fitting(words: list[str]) -> list[str]:
    if not 1 <= len(words) <= 4:
        raise ValueError(
            f"{len(words)} words came; the picture holds one to four"
        )
    return words


def allowed(mask: int, n: int) -> np.ndarray:
    """(n, n), True where query i may look at key j."""
    if mask == 3:
        open_part = np.zeros((n, n), dtype=bool)
        open_part[:, :2] = True
        return np.tri(n, dtype=bool) | open_part
    return np.tri(n, k=(0, 1, -1, 0, n)[mask], dtype=bool)


def reached(mask: int, n: int, layers: int = LAYERS) -> np.ndarray:
    """(n, n), True where input j reaches output i, by attention or a skip."""
    one = (allowed(mask, n) | np.eye(n, dtype=bool)).astype(int)
    return np.linalg.matrix_power(one, layers) > 0


def _frame(words: list[str], mask: int, place: int) -> Frame:
    inputs, answers = ["<bos>", *words], [*words, "<eos>"]
    n = len(inputs)
    reaches = [reached(mask, n, layers) for layers in range(LAYERS + 1)]
    top = reaches[LAYERS][place]  # which inputs reach the output
    leaks = place + 1 < n and bool(top[place + 1])
    height = _ANSWER + LAYERS * _UP + 84
    parts = _edges(mask, n, place, reaches)
    for level in range(LAYERS + 1):
        y = _level(level)
        for j in range(n):
            used = _used(level, j, place, reaches)
            parts.append(_node(j, y, used, level == 0 and j == place + 1))
    for j in range(n):
        x = _middle(j)
        style = "x-mid x-strong" if top[j] else "x-mid x-dim"
        parts.append(label(x, height - 28, inputs[j], style))
    parts.append(label(0, 14, "has to predict", "x-dim"))
    color = "x-orange" if leaks else "x-blue"
    parts.append(
        label(
            _middle(place), _ANSWER + 4, answers[place], f"x-mid x-tip {color}"
        )
    )
    parts.append(label(0, height - 6, _short(leaks, place, n), "x-strong"))
    return Frame(
        WIDTH,
        height,
        "".join(parts),
        _words(inputs, answers[place], mask, place, top, leaks),
    )


def _middle(j: int) -> float:
    return _HALF + 5 + j * _STEP


def _level(level: int) -> float:
    """The height of the inputs (level 0) and of each layer's outputs."""
    return _ANSWER + 22 + (LAYERS - level) * _UP


def _used(level: int, j: int, place: int, reaches: list) -> bool:
    """Does position j of this level flow into the chosen output?"""
    return bool(reaches[LAYERS - level][place, j])


def _edges(mask: int, n: int, place: int, reaches: list) -> list[str]:
    """The lines of attention and the skips; those that are used on top."""
    behind, front = [], []
    one = reached(mask, n, 1)
    for level in range(1, LAYERS + 1):
        for i, j in np.ndindex(n, n):
            if not one[i, j]:
                continue
            used = _used(level, i, place, reaches)
            answer = (
                reaches[level - 1][j, place + 1] if place + 1 < n else False
            )
            color = "x-orange" if used and answer else "x-blue"
            ends = (_middle(j), _level(level - 1) - 10)
            ends += (_middle(i), _level(level) + 10)
            if used:
                front.append(line(*ends, f"x-line x-thin {color}"))
            else:
                behind.append(line(*ends, "x-line x-grid"))
    return behind + front


def _node(j: int, y: float, used: bool, answer: bool) -> str:
    color = "x-track"
    if used:
        color = "x-fill x-orange" if answer else "x-fill x-blue"
    return box(_middle(j) - 13, y - 9, 26, 18, color, rx=5)


def _short(leaks: bool, place: int, n: int) -> str:
    if leaks:
        return "its answer stands among the inputs that reach it"
    if place + 1 == n:
        return "its answer is no input, so it cannot leak"
    return "its answer does not reach it"


def _words(
    inputs: list[str],
    answer: str,
    mask: int,
    place: int,
    top: np.ndarray,
    leaks: bool,
) -> str:
    """The frame in words."""
    read = [word for word, there in zip(inputs, top, strict=True) if there]
    judged = _short(leaks, place, len(inputs))
    if mask == 2:
        judged += f"; the skip connection still brings {inputs[place]}"
    return (
        f"Each position sees: {MASKS[mask]}. Position {place + 1}, above "
        f"{inputs[place]}, has to predict {answer}. Through {LAYERS} layers "
        f"these inputs reach it: {', '.join(read)}. "
        f"{judged[0].upper()}{judged[1:]}."
    )
