"""An explorer's live face: widgets for the inputs, the picture below them."""

import html
from typing import Any

from transformer_lib.explorers.frame import (
    Choice,
    Explorer,
    Number,
    Words,
    card,
)


def panel(explorer: Explorer) -> Any:
    """Build the widgets of `explorer` and connect them to its drawing.

    Args:
        explorer: gives `inputs` and `redraw`.
    Returns:
        An ipywidgets.VBox; works with ipywidgets 7 and 8.
    Raises:
        ImportError: ipywidgets is missing.
    """
    try:
        import ipywidgets
    except ImportError as error:
        raise ImportError(
            "live() needs ipywidgets: pip install ipywidgets. The plain "
            "display of the explorer needs nothing."
        ) from error
    controls = [_widget(ipywidgets, entry) for entry in explorer.inputs]
    picture = ipywidgets.HTML()

    def update(_change: Any = None) -> None:
        picture.value = view(explorer, [c.value for c in controls])

    for control in controls:
        control.observe(update, names="value")
    update()
    return ipywidgets.VBox([*controls, picture])


def view(explorer: Explorer, values: list[Any]) -> str:
    """Give the picture for these input values, or what is wrong with them."""
    try:
        frame = explorer.redraw(*values)
    except ValueError as error:
        return f"<p>{html.escape(str(error))}</p>"
    return card(
        explorer.title, frame.svg(explorer.title, shown=True), frame.readout
    )


def _widget(ipywidgets: Any, entry: Number | Choice | Words) -> Any:
    looks = {
        "description": entry.name,
        "style": {"description_width": "initial"},
        "layout": {"width": "22rem", "max_width": "95%"},
    }
    if isinstance(entry, Number):
        return ipywidgets.FloatSlider(
            value=entry.start,
            min=entry.low,
            max=entry.high,
            step=entry.step,
            **looks,
        )
    if isinstance(entry, Choice):
        options = [(words, place) for place, words in enumerate(entry.options)]
        return ipywidgets.Dropdown(options=options, value=entry.start, **looks)
    return ipywidgets.Text(value=entry.start, continuous_update=False, **looks)
