"""The Explorer: precomputed pictures of one idea, and sliders to walk them.

In a page, with or without a kernel, an explorer shows one inline SVG of many
and changes it by sliders and buttons; no script file, no network, no ids. In
a terminal it says what there is to see. `live()` gives the same picture with
free inputs, where a kernel runs.
"""

import html
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from transformer_course.explorers.inputs import Choice
from transformer_course.explorers.live import panel
from transformer_course.explorers.style import ON_CLICK, ON_INPUT, STYLE
from transformer_course.explorers.svg import element, short

__all__ = ["Explorer", "Frame", "Slider", "card"]

# On a control, this keeps JupyterLab from taking its arrow and enter keys.
_KEYS = {"data_lm_suppress_shortcuts": "true"}


@dataclass(frozen=True)
class Slider:
    """One slider.

    Attributes:
        name: what it changes.
        labels: what each position is called.
        start: where it stands at first, from 0.
        listed: whether the positions have no order, so that a page shows all
            their names as a list.
    """

    name: str
    labels: tuple[str, ...]
    start: int = 0
    listed: bool = False


@dataclass(frozen=True)
class Frame:
    """One picture: its size, its SVG markup, and the same in words."""

    width: Real
    height: Real
    drawing: str
    readout: str

    def svg(self, title: str, shown: bool) -> str:
        """Give the whole `<svg>` element, hidden unless `shown`."""
        return element(
            "svg",
            element("title", html.escape(title, quote=False))
            + element("desc", html.escape(self.readout, quote=False))
            + self.drawing,
            class_="explorer-frame" + " explorer-shown" * shown,
            role="img",
            viewBox=f"0 0 {short(self.width)} {short(self.height)}",
        )


class Explorer:
    """One idea as a walk through precomputed frames.

    Args:
        title: what the explorer shows, one line.
        sliders: one or two; the frames are their grid, last slider fastest.
        draw: gives the Frame for one position of each slider, from 0.
        inputs: what `live()` lets the reader change; none: the sliders.
        redraw: gives the Frame for the values of `inputs`.

    Attributes:
        frames: the precomputed frames.
        start: the index of the frame shown first.

    Raises:
        ValueError: a slider without positions, or frames of unequal size.
    """

    def __init__(
        self,
        title: str,
        sliders: Sequence[Slider],
        draw: Callable[..., Frame],
        inputs: Sequence[Any] = (),
        redraw: Callable[..., Frame] | None = None,
    ) -> None:
        for slider in sliders:
            if not 0 <= slider.start < len(slider.labels):
                raise ValueError(
                    f"slider {slider.name!r} starts at {slider.start}, but "
                    f"has {len(slider.labels)} positions; count from 0"
                )
        self.title = title
        self.sliders = tuple(sliders)
        places = [range(len(slider.labels)) for slider in sliders]
        self.frames = [draw(*place) for place in itertools.product(*places)]
        sizes = {(frame.width, frame.height) for frame in self.frames}
        if len(sizes) != 1:
            raise ValueError(
                f"frames of {len(sizes)} sizes came; draw all in one size, "
                "so that the page does not jump"
            )
        self.start = sum(
            slider.start * stride
            for slider, stride in zip(sliders, self._strides(), strict=True)
        )
        self.inputs = tuple(inputs) or tuple(
            Choice(s.name, s.labels, s.start) for s in sliders
        )
        self.redraw = redraw or draw

    def _strides(self) -> list[int]:
        """How many frames one step of each slider skips."""
        counts = [len(slider.labels) for slider in self.sliders]
        return [math.prod(counts[i + 1 :]) for i in range(len(counts))]

    @property
    def html(self) -> str:
        """The explorer as HTML that needs nothing else."""
        frames = "".join(
            frame.svg(self.title, shown=place == self.start)
            for place, frame in enumerate(self.frames)
        )
        controls = "".join(
            _control(slider, stride)
            for slider, stride in zip(
                self.sliders, self._strides(), strict=True
            )
        )
        return card(
            self.title,
            frames,
            self.frames[self.start].readout,
            element("div", controls, class_="explorer-controls"),
        )

    def __repr__(self) -> str:
        return (
            f"Interactive figure: {self.title}\n"
            f"{self.frames[self.start].readout}\n"
            f"({len(self.frames)} frames. A notebook or the book shows them, "
            "with sliders.)"
        )

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": repr(self)}

    def live(self) -> Any:
        """Give widgets that change the inputs themselves.

        Works where a kernel runs and ipywidgets is installed; the plain
        display works everywhere.

        Returns:
            An ipywidgets box: show it as the last line of a cell.

        Raises:
            ImportError: ipywidgets is missing.
        """
        return panel(self.inputs, self.view)

    def view(self, values: Sequence[Any]) -> str:
        """Give the picture for these values of the inputs, as HTML.

        Args:
            values: one for each of `inputs`.

        Returns:
            The picture in its card, or what is wrong with the values.
        """
        try:
            frame = self.redraw(*values)
        except ValueError as error:
            return f"<p>{html.escape(str(error))}</p>"
        drawing = frame.svg(self.title, shown=True)
        return card(self.title, drawing, frame.readout)


def card(title: str, frames: str, readout: str, controls: str = "") -> str:
    """Wrap frames, readout and controls into one self-contained box."""
    return element(
        "div",
        element("style", STYLE)
        + element("p", html.escape(title), class_="explorer-title")
        + frames
        + controls
        + element(
            "p",
            html.escape(readout, quote=False),
            class_="explorer-readout",
            aria_live="polite",
        ),
        class_="explorer tex2jax_ignore mathjax_ignore",
        role="group",
        aria_label=title,
        oninput=ON_INPUT if controls else None,
        onclick=ON_CLICK if controls else None,
    )


def _control(slider: Slider, stride: int) -> str:
    """One slider between its two buttons, under its name and value."""
    last = len(slider.labels) - 1
    value = slider.labels[slider.start]
    name = element(
        "span",
        f"{html.escape(slider.name)}: "
        + element("output", html.escape(value, quote=False)),
        class_="explorer-name",
    )
    bar = element(
        "input",
        type="range",
        min=0,
        max=str(last),
        step=1,
        value=str(slider.start),
        autocomplete="off",
        aria_label=slider.name,
        aria_valuetext=value,
        data_stride=stride,
        data_labels="|".join(part.replace("|", "¦") for part in slider.labels),
        data_list="true" if slider.listed else None,
        **_KEYS,
    )
    return element(
        "div",
        name
        + _button("previous", slider, -1, slider.start == 0)
        + bar
        + _button("next", slider, 1, slider.start == last),
        class_="explorer-control",
    )


def _button(word: str, slider: Slider, step: int, ended: bool) -> str:
    return element(
        "button",
        "‹" if step < 0 else "›",
        type="button",
        value=step,
        aria_label=f"{slider.name}: {word}",
        aria_disabled=str(ended).lower(),
        **_KEYS,
    )
