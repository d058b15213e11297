"""An explorer's live face: widgets for the inputs, the picture below them."""

from collections.abc import Callable, Sequence
from typing import Any

from transformer_course.explorers.inputs import Choice, Number, Words
from transformer_lib.extras import install_hint


def panel(
    inputs: Sequence[Number | Choice | Words], view: Callable[[list], str]
) -> Any:
    """Build the widgets of an explorer and connect them to its drawing.

    Args:
        inputs: what the reader may change.
        view: gives the picture for their values, as HTML.

    Returns:
        An ipywidgets.VBox; works with ipywidgets 7 and 8.

    Raises:
        ImportError: ipywidgets is missing.
    """
    try:
        with install_hint():
            import ipywidgets
    except ImportError as error:
        raise ImportError(
            f"{error}. The plain display of the explorer needs nothing."
        ) from error
    controls = [_widget(ipywidgets, entry) for entry in inputs]
    picture = ipywidgets.HTML()

    def update(_change: Any = None) -> None:
        picture.value = view([c.value for c in controls])

    for control in controls:
        control.observe(update, names="value")
    update()
    return ipywidgets.VBox([*controls, picture])


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
