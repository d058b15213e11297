"""A sentence in another language, word by word: form, sound, meaning."""

import html
from collections.abc import Iterable, Sequence

_WORD = (
    "display: inline-block; margin: 0.15em 1.1em 0.35em 0; line-height: 1.35; "
    "vertical-align: top"
)
_SMALL = "font-size: 0.85em; opacity: 0.85"


class Interlinear:
    """A sentence with romanization and gloss under each word.

    Notebooks and the book show columns that wrap to the width of the page;
    the terminal gets three lines.

    Attributes:
        words: for each printed word (form, romanization, gloss); the parts
            of a word are joined by hyphens.
        above, below: lines around it, such as source and translation.
    """

    def __init__(
        self, words: list[tuple[str, str, str]], above: str, below: str
    ) -> None:
        self.words = words
        self.above = above
        self.below = below

    def __repr__(self) -> str:
        columns = [" ".join(line) for line in zip(*self.words, strict=True)]
        return "\n".join(filter(None, [self.above, *columns, self.below]))

    def _repr_html_(self) -> str:
        parts = [
            f'<span style="{_WORD}"><span lang="ko">{form}</span><br>'
            f"<i>{sound}</i><br>"
            f'<span style="{_SMALL}">{meaning}</span></span>'
            for form, sound, meaning in (
                map(html.escape, word) for word in self.words
            )
        ]
        lines = [f"<div>{''.join(parts)}</div>"]
        if self.above:
            lines.insert(0, f"<div><b>{html.escape(self.above)}</b></div>")
        if self.below:
            lines.append(f"<div>{html.escape(self.below)}</div>")
        return (
            '<div class="interlinear" style="margin: 0.3em 0">'
            f"{''.join(lines)}</div>"
        )


def interlinear(
    glossed: Iterable[Sequence[str]],
    above: str = "",
    below: str = "",
    joiner: str = "+",
) -> Interlinear:
    """Set a glossed sentence in columns, one a printed word.

    Args:
        glossed: (morpheme, romanization, gloss) for each token, such as
            `corpus.gloss` returns. One whose morpheme starts with `joiner`
            belongs to the word before it and follows it with a hyphen;
            punctuation follows without one.
        above: a line on top, for instance the English sentence.
        below: a line beneath, for instance the printed translation.
        joiner: the mark of a morpheme that is glued on.

    Returns:
        An Interlinear, which a notebook shows as a table without lines.

    Raises:
        ValueError: there is no token, or one is no triple.

    Chapters 15 and 17.
    """
    words: list[list[str]] = []
    for token in glossed:
        if len(token) != 3:
            raise ValueError(
                f"{token!r} came; give (morpheme, romanization, gloss)"
            )
        bare = [part.removeprefix(joiner) for part in token]
        if words and token[0].startswith(joiner):
            link = "-" if bare[0][:1].isalnum() else ""
            words[-1] = [
                old + link + new
                for old, new in zip(words[-1], bare, strict=True)
            ]
        else:
            words.append(bare)
    if not words:
        raise ValueError("the sentence has no token; give at least one")
    return Interlinear([(w[0], w[1], w[2]) for w in words], above, below)
