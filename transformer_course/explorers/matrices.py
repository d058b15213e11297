"""One attention head as matrices, each with its size."""

from dataclasses import dataclass
from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import box, element, label, short

QUERIES, KEYS, WIDTH = 3, 5, 8
# Heads, width of their queries and keys, width of their values.
SIZES = ((1, 8, 6), (2, 4, 3), (3, 2, 2))
STEPS = ("all", "queries", "keys", "values", "scores", "weights", "head",
         "all heads", "result")  # fmt: skip
MOST = 6  # tokens
_ROW = 1  # the query that is followed
_CELL = 7.0
_WIDE = 360.0
_COLUMNS = (56.0, 172.0, 288.0)
_BLUE, _ORANGE, _GREEN, _PLAIN = "blue", "orange", "green", "soft"


@dataclass(frozen=True)
class _Matrix:
    """A matrix of the drawing.

    `column` and `line` are its place, `steps` the steps that it takes part
    in; the rows of some matrices belong to the querying tokens.
    """

    name: str
    size: tuple[int, int]
    column: int
    line: int
    color: str
    steps: tuple[int, ...]
    queries: bool = False


def head_matrices(place: int = 0) -> Explorer:
    """Follow one attention head from Q, K and V to the result, by sizes.

    Args:
        place: the step shown first, from 0; 0 shows the whole head.

    Returns:
        An Explorer with sliders for the step and the number of heads;
        `live()` changes the numbers of tokens, too.

    Raises:
        ValueError: place is not from 0 to 8.

    Chapter 7.
    """
    if place not in range(len(STEPS)):
        raise ValueError(f"place={place}; choose a step from 0 to 8")
    heads = tuple(str(size[0]) for size in SIZES)

    def redraw(n_q: Real, n_k: Real, step: int, which: int) -> Frame:
        return _frame(round(n_q), round(n_k), SIZES[which], step)

    return Explorer(
        "One head as matrices",
        [Slider("step", STEPS, place), Slider("heads", heads, 1)],
        lambda step, which: _frame(QUERIES, KEYS, SIZES[which], step),
        [
            Number("tokens that query", 2, MOST, 1, QUERIES),
            Number("tokens that are read", 2, MOST, 1, KEYS),
            Choice("step", STEPS, place),
            Choice("heads", heads, 1),
        ],
        redraw,
    )


def _matrices(n_q: int, n_k: int, sizes: tuple) -> list[_Matrix]:
    h, d_k, d_v = sizes
    return [
        _Matrix("Q", (n_q, WIDTH), 0, 0, _BLUE, (1,), True),
        _Matrix("K", (n_k, WIDTH), 1, 0, _ORANGE, (2,)),
        _Matrix("V", (n_k, WIDTH), 2, 0, _GREEN, (3,)),
        _Matrix("queries", (n_q, d_k), 0, 1, _BLUE, (1, 4), True),
        _Matrix("keys", (n_k, d_k), 1, 1, _ORANGE, (2, 4)),
        _Matrix("values", (n_k, d_v), 2, 1, _GREEN, (3, 6)),
        _Matrix("scores", (n_q, n_k), 0, 2, _PLAIN, (4, 5), True),
        _Matrix("weights", (n_q, n_k), 1, 2, _PLAIN, (5, 6), True),
        _Matrix("head 1", (n_q, d_v), 2, 2, _GREEN, (6, 7), True),
        _Matrix("result", (n_q, WIDTH), 0, 3, _PLAIN, (8,), True),
        _Matrix("all heads", (n_q, h * d_v), 2, 3, _GREEN, (7, 8), True),
    ]


def _frame(n_q: int, n_k: int, sizes: tuple, step: int) -> Frame:
    most = _CELL * max(n_q, n_k)
    # Upper edges of the four lines of matrices.
    tops = [18.0, 18 + most + 50]
    tops += [tops[1] + most + 36, tops[1] + most + 36 + _CELL * n_q + 50]
    parts = [_arrows(tops, n_q, n_k, sizes, step)]
    for matrix in _matrices(n_q, n_k, sizes):
        lit = step == 0 or step in matrix.steps
        parts.append(_draw(matrix, tops[matrix.line], lit))
    height = tops[3] + _CELL * n_q + 20
    return Frame(_WIDE, height, "".join(parts), _words(n_q, n_k, sizes, step))


def _draw(matrix: _Matrix, top: float, lit: bool) -> str:
    """The cells, with the name above and the size below."""
    rows, columns = matrix.size
    wide, high = _CELL * columns, _CELL * rows
    middle = _COLUMNS[matrix.column]
    left = middle - wide / 2
    shades = box(left, top, wide, high, f"x-fill x-{matrix.color}",
                 opacity="0.35" if lit else "0.1")  # fmt: skip
    if matrix.queries and lit:
        y = top + _CELL * _ROW
        shades += box(left, y, wide, _CELL, f"x-fill x-{matrix.color}",
                      opacity="0.75")  # fmt: skip
    net = "".join(
        f"M{short(left)} {short(top + _CELL * i)}h{short(wide)}"
        for i in range(rows + 1)
    ) + "".join(
        f"M{short(left + _CELL * j)} {short(top)}v{short(high)}"
        for j in range(columns + 1)
    )
    if lit:
        shades += element("path", d=net, class_=f"x-line x-{matrix.color}")
    look = "x-mid x-strong" if lit else "x-mid x-dim"
    size = f"({rows}, {columns})"
    return (
        shades
        + label(middle, top - 5, matrix.name, look)
        + label(middle, top + high + 14, size, "x-mid" if lit else look)
    )


def _arrows(
    tops: list[float], n_q: int, n_k: int, sizes: tuple, step: int
) -> str:
    """What happens between the matrices: arrows and their names."""
    h, d_k, d_v = sizes
    first, second, third = _COLUMNS
    parts, arrows = [], []
    for place, (letter, n, d) in enumerate(
        (("Q", n_q, d_k), ("K", n_k, d_k), ("V", n_k, d_v))
    ):
        x, low = _COLUMNS[place], tops[0] + _CELL * n + 17
        arrows.append(_tip(x, low, x, tops[1] - 17))
        parts.append(
            _learned(letter, WIDTH, d, x + 6, low + 13, step in (0, place + 1))
        )
    middle = tops[2] + _CELL * n_q / 2
    side = _CELL * n_k / 2 + 5
    last = tops[3] + _CELL * n_q / 2
    arrows += [
        _tip(first + side, middle, second - side, middle),
        _tip(second + side, middle, third - _CELL * d_v / 2 - 5, middle),
        _tip(third, tops[2] + _CELL * n_q + 17, third, tops[3] - 17),
        _tip(third - _CELL * h * d_v / 2 - 5, last,
             first + _CELL * WIDTH / 2 + 5, last),
    ]  # fmt: skip
    for x, y, words, own in (
        ((first + second) / 2, middle - 5, f"÷ √{d_k}", 5),
        ((first + second) / 2, middle + 14, "softmax", 5),
        ((second + third) / 2, middle - 5, "· values", 6),
    ):
        dim = "" if step in (0, own) else " x-dim"
        parts.append(label(x, y, words, "x-mid" + dim))
    parts.append(
        _learned("O", h * d_v, WIDTH, second, last - 6, step in (0, 8), "x-mid")
    )
    lines = element("path", d="".join(arrows), class_="x-line x-soft")
    return lines + "".join(parts)


def _learned(
    letter: str,
    rows: int,
    columns: int,
    x: float,
    y: float,
    lit: bool,
    look: str = "",
) -> str:
    """The name of a learned matrix, W with a letter above, and its size."""
    sign = element("tspan", letter, dy=-4, class_="x-sup")
    sign += element("tspan", f" ({rows}, {columns})", dy=4)
    class_ = look if lit else f"{look} x-dim".strip()
    return element("text", "W" + sign, x=short(x), y=short(y), class_=class_)


def _tip(x1: float, y1: float, x2: float, y2: float) -> str:
    """The path of a thin arrow, along or across."""
    if y1 == y2:
        back = -5 if x2 > x1 else 5
        head = f"m{back} -3l{-back} 3l{back} 3"
    else:
        head = "m-3 -5l3 5l3 -5"
    return f"M{short(x1)} {short(y1)}L{short(x2)} {short(y2)}{head}"


def _words(n_q: int, n_k: int, sizes: tuple, step: int) -> str:
    """The step in words, with all sizes."""
    h, d_k, d_v = sizes
    one = "The only head" if h == 1 else f"One of {h} heads"
    beside = "alone" if h == 1 else f"beside {h - 1} more"
    said = (
        f"{one}: from {n_q} queries and {n_k} keys, "
        f"each {WIDTH} wide, to a result of the size ({n_q}, {WIDTH}).",
        f"Q ({n_q}, {WIDTH}) times its matrix ({WIDTH}, {d_k}) gives "
        f"({n_q}, {d_k}): a query for each querying token.",
        f"K ({n_k}, {WIDTH}) times its matrix ({WIDTH}, {d_k}) gives "
        f"({n_k}, {d_k}): a key for each token that is read.",
        f"V ({n_k}, {WIDTH}) times its matrix ({WIDTH}, {d_v}) gives "
        f"({n_k}, {d_v}): a value for each token that is read.",
        f"Queries ({n_q}, {d_k}) times keys, transposed ({d_k}, {n_k}), give "
        f"({n_q}, {n_k}): a score for each query and key.",
        f"Divided by the root of {d_k}, then softmax: each row of "
        f"({n_q}, {n_k}) adds up to 1.",
        f"Weights ({n_q}, {n_k}) times values ({n_k}, {d_v}) give "
        f"({n_q}, {d_v}): a context vector for each query.",
        f"Head 1 {beside}: {h} times {d_v} columns, ({n_q}, {h * d_v}).",
        f"{h} × {d_v} columns, ({n_q}, {h * d_v}), times the last matrix "
        f"({h * d_v}, {WIDTH}): the result ({n_q}, {WIDTH}), as wide as Q.",
    )
    return said[step]
