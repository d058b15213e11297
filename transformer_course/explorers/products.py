"""Which matrix products exist: the shapes of attention."""

from dataclasses import dataclass
from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import element, label, short

# what is special: n_q, n_k, d_k, d_v
SIZES = {
    "all differ": (3, 5, 4, 2),
    "as many queries as keys": (4, 4, 3, 2),
    "one query": (1, 5, 4, 2),
    "values as wide as keys": (3, 5, 4, 4),
    "as many keys as components": (2, 4, 4, 3),
    "all equal": (4, 4, 4, 4),
}
LENGTHS = {
    "n_q": "number of queries",
    "n_k": "number of keys",
    "d_k": "width of a key",
    "d_v": "width of a value",
}
LARGEST = 6
WIDTH, HEIGHT = 360.0, 216.0
_CELL = 16.0
_MIDDLES = (58.0, 178.0, 302.0)  # of the three matrices
_LEVEL = 74.0

# Name: left factor, right factor, and what the product is worth.
_MATRICES = {
    "Q": ("n_q", "d_k"),
    "K": ("n_k", "d_k"),
    "V": ("n_k", "d_v"),
    "A": ("n_q", "n_k"),
    "Qᵀ": ("d_k", "n_q"),
    "Kᵀ": ("d_k", "n_k"),
    "Vᵀ": ("d_v", "n_k"),
}
GOOD, TURNED, NOTHING = "good", "turned", "nothing"
PRODUCTS = (
    (
        "Q",
        "Kᵀ",
        GOOD,
        "The scores: queries down, keys across.",
    ),
    ("A", "V", GOOD, "The result: queries down, components of a value across."),
    (
        "K",
        "Qᵀ",
        TURNED,
        "The scores, transposed: keys down.",
    ),
    ("Q", "K", NOTHING, ""),
    ("Q", "Vᵀ", NOTHING, ""),
    ("V", "A", NOTHING, ""),
    ("Kᵀ", "V", NOTHING, ""),
)
NAMES = tuple(f"{left} {right}" for left, right, *_ in PRODUCTS)


@dataclass(frozen=True)
class _Product:
    """One of the products at given sizes."""

    sizes: tuple[int, int, int, int]
    place: int

    def shape(self, name: str) -> tuple[int, int]:
        rows, columns = _MATRICES[name]
        size = dict(zip(LENGTHS, self.sizes, strict=True))
        return size[rows], size[columns]

    @property
    def factors(self) -> tuple[str, str]:
        return PRODUCTS[self.place][:2]

    @property
    def inner(self) -> tuple[tuple[str, int], tuple[str, int]]:
        """Name and length of the two axes that have to agree."""
        left, right = self.factors
        return (
            (_MATRICES[left][1], self.shape(left)[1]),
            (_MATRICES[right][0], self.shape(right)[0]),
        )

    @property
    def exists(self) -> bool:
        (_, first), (_, second) = self.inner
        return first == second

    @property
    def result(self) -> tuple[int, int]:
        left, right = self.factors
        return self.shape(left)[0], self.shape(right)[1]

    @property
    def axes(self) -> tuple[str, str]:
        left, right = self.factors
        return _MATRICES[left][0], _MATRICES[right][1]


def attention_shapes() -> Explorer:
    """Multiply two of the matrices of attention, if they fit.

    A product of (a, b) and (c, d) exists if b = c and has the shape (a, d).
    Some products exist by accident, when two sizes happen to be equal.

    Returns:
        An Explorer with sliders for the sizes and the product; `live()`
        changes each size from 1 to 6.

    Chapter 3.
    """
    sizes = Slider("sizes", tuple(SIZES), listed=True)
    examples = tuple(SIZES.values())
    product = Slider("product", NAMES)
    return Explorer(
        "Which products exist",
        [sizes, product],
        lambda size, place: _frame(_Product(examples[size], place)),
        [
            *(
                Number(name, 1, LARGEST, 1, start)
                for name, start in zip(
                    LENGTHS.values(), examples[0], strict=True
                )
            ),
            Choice("product", NAMES),
        ],
        _redraw,
    )


def _redraw(n_q: Real, n_k: Real, d_k: Real, d_v: Real, place: int) -> Frame:
    sizes = tuple(round(size) for size in (n_q, n_k, d_k, d_v))
    if not all(1 <= size <= LARGEST for size in sizes):
        raise ValueError(f"sizes {sizes} came; give numbers from 1 to 6")
    return _frame(_Product(sizes, place))


def _frame(product: _Product) -> Frame:
    parts = [
        _matrix(name, product.shape(name), _MATRICES[name], middle, "blue")
        for name, middle in zip(product.factors, _MIDDLES, strict=False)
    ]
    parts.append(label(118, _LEVEL + 5, "·", "x-strong x-mid"))
    if product.exists:
        good = PRODUCTS[product.place][2] != NOTHING
        color = "green" if good else "orange"
        name = NAMES[product.place]
        parts.append(label(240, _LEVEL + 5, "=", "x-strong x-mid"))
        parts.append(
            _matrix(name, product.result, product.axes, _MIDDLES[2], color)
        )
    else:
        parts.append(label(_MIDDLES[2], _LEVEL + 5, "no product", "x-mid"))
    parts.append(_symbols(0, HEIGHT - 25, _inner(product), "x-dim"))
    parts.append(label(0, HEIGHT - 6, _verdict(product)))
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(product))


def _matrix(
    name: str,
    shape: tuple[int, int],
    axes: tuple[str, str],
    middle: float,
    color: str,
) -> str:
    """A grid of cells with its name above and its shape below."""
    rows, columns = shape
    wide, high = _CELL * columns, _CELL * rows
    left, top = middle - wide / 2, _LEVEL - high / 2
    lines = "".join(
        f"M{short(left)} {short(top + _CELL * i)}h{short(wide)}"
        for i in range(rows + 1)
    ) + "".join(
        f"M{short(left + _CELL * j)} {short(top)}v{short(high)}"
        for j in range(columns + 1)
    )
    return (
        label(middle, 14, name, "x-strong x-mid")
        + element(
            "g",
            element(
                "rect",
                x=left,
                y=top,
                width=wide,
                height=high,
                class_=f"x-fill x-{color}",
            ),
            opacity="0.28",
        )
        + element("path", d=lines, class_=f"x-line x-{color}")
        + label(middle, 142, f"({rows}, {columns})", "x-mid")
        + _symbols(middle, 160, f"({axes[0]}, {axes[1]})", "x-dim x-mid")
    )


def _symbols(x: float, y: float, words: str, class_: str) -> str:
    """Write words in which "d_k" is a d with a small k at its foot."""
    first, *others = words.split("_")
    spans = [first]
    for part in others:
        spans.append(element("tspan", part[0], dy=3, class_="x-sup"))
        spans.append(element("tspan", part[1:], dy=-3))
    text = "".join(spans)
    return element("text", text, x=short(x), y=short(y), class_=class_)


def _inner(product: _Product) -> str:
    """The inner lengths, which have to agree."""
    (one, first), (two, second) = product.inner
    if one == two:
        return f"inner lengths: {one} and {one}, both {first}"
    return f"inner lengths: {one} = {first} and {two} = {second}"


def _verdict(product: _Product) -> str:
    (one, _), (two, _) = product.inner
    if not product.exists:
        return "They differ: the computer refuses."
    if PRODUCTS[product.place][2] != NOTHING:
        return PRODUCTS[product.place][3]
    if one == two:
        return "It exists for any sizes, but is no step."
    return f"An accident: {LENGTHS[one]} = {LENGTHS[two]}."


def _words(product: _Product) -> str:
    """The frame in words."""
    left, right = product.factors
    a, b = product.shape(left), product.shape(right)
    sizes = ", ".join(map(str, product.sizes))
    start = f"Sizes {sizes}. {left} has the shape {a}, {right} the shape {b}. "
    if not product.exists:
        return start + f"{a[1]} is not {b[0]}: there is no product."
    return (
        start
        + f"The product has the shape {product.result}. "
        + (_verdict(product))
    )
