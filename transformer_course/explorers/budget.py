"""Where the parameters are: embeddings, feed-forward networks, attention."""

from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import box, label

WORDS = (1000, 8000, 37000, 250_000)
WIDTHS = (64, 256, 512, 1024)
LAYERS = (2, 6, 12)
MATRICES = ("1, tied", "3, untied")
WIDTH, HEIGHT = 360.0, 178.0
_PARTS = (
    ("embeddings", "blue"),
    ("feed-forward", "orange"),
    ("attention", "green"),
    ("norms", "soft"),
)


def parameter_budget() -> Explorer:
    """Count the parameters of a Transformer, part by part.

    Encoder and decoder of N layers each, post-norm, biases in every linear
    map but the output, sinusoids (which are no parameters). The inner width
    is 4 d_model, as in the paper.

    Returns:
        An Explorer with sliders for V, d_model, N and the number of
        embedding matrices;
        `live()` also takes the inner width.

    Source: Vaswani et al. 2017, Table 3. Chapter 11.
    """
    return Explorer(
        "Where the parameters are",
        [
            Slider("words V", tuple(f"{v:,}" for v in WORDS), 2),
            Slider("width d_model", tuple(map(str, WIDTHS)), 2),
            Slider("layers N", tuple(map(str, LAYERS)), 1),
            Slider("matrices", MATRICES),
        ],
        lambda v, d, n, t: _frame(
            WORDS[v], WIDTHS[d], 4 * WIDTHS[d], LAYERS[n], (1, 3)[t]
        ),
        [
            Number("words V", 10, 300_000, 10, 37000),
            Number("width d_model", 2, 2048, 2, 512),
            Number("inner width d_ff", 1, 8192, 1, 2048),
            Number("layers N", 1, 48, 1, 6),
            Choice("matrices", MATRICES),
        ],
        _redraw,
    )


def counts(words: int, d: int, d_ff: int, layers: int, matrices: int) -> tuple:
    """Parameters of the embeddings, the networks, attention and the norms.

    Args:
        words: V, rows of each embedding matrix.
        d: width of the model.
        d_ff: inner width.
        layers: N, of the encoder and of the decoder.
        matrices: 1 if source, target and output share one, else 3.

    Returns:
        Four whole numbers.
    """
    network = 2 * d * d_ff + d_ff + d
    attention = 4 * (d * d + d)
    return (
        matrices * words * d,
        2 * layers * network,
        3 * layers * attention,
        5 * layers * 2 * d,
    )


def _redraw(words: Real, d: Real, d_ff: Real, layers: Real, tied: int) -> Frame:
    sizes = (int(size) for size in (words, d, d_ff, layers))
    return _frame(*sizes, (1, 3)[tied])


def _frame(words: int, d: int, d_ff: int, layers: int, matrices: int) -> Frame:
    each = counts(words, d, d_ff, layers, matrices)
    total = sum(each)
    parts = [
        label(0, 14, f"{_short(total)} parameters", "x-strong"),
        box(0, 24, WIDTH, 26, "x-track"),
    ]
    left = 0.0
    for row, ((name, color), count) in enumerate(
        zip(_PARTS, each, strict=True)
    ):
        share = count / total
        wide = round(left + WIDTH * share, 1) - round(left, 1)
        parts.append(box(round(left, 1), 24, wide, 26, f"x-fill x-{color}"))
        left += WIDTH * share
        y = 78 + 28 * row
        parts += [
            box(0, y - 11, 14, 14, f"x-fill x-{color}"),
            label(22, y, name),
            label(250, y, f"{count:,}", "x-end"),
            label(WIDTH, y, _percent(share), "x-end x-dim"),
        ]
    return Frame(
        WIDTH,
        HEIGHT,
        "".join(parts),
        _words(words, d, d_ff, layers, matrices, each),
    )


def _short(count: int) -> str:
    return f"{count / 1e6:.1f} million" if count >= 1e6 else f"{count:,}"


def _percent(share: float) -> str:
    return "less than 1 %" if share < 0.01 else f"{100 * share:.0f} %"


def _words(
    words: int, d: int, d_ff: int, layers: int, matrices: int, each: tuple
) -> str:
    total = sum(each)
    said = "one embedding matrix"
    if matrices == 3:
        said = "three embedding matrices"
    shares = ", ".join(
        f"{name} {_percent(count / total)}"
        for (name, _), count in zip(_PARTS, each, strict=True)
    )
    return (
        f"{words:,} words, width {d}, inner width {d_ff}, {layers} layers on "
        f"each side, {said}: {total:,} parameters. Shares: {shares}."
    )
