"""The still figures: every cell where it belongs, every SVG the same."""

import re
import subprocess
import sys
import warnings
import xml.etree.ElementTree as ElementTree

import matplotlib as mpl
import numpy as np
import pytest

from transformer_course import plots
from transformer_course.plots.style import as_array

SVG = "{http://www.w3.org/2000/svg}"
ROWS = ["고양이", "+는", "건너"]
COLUMNS = ["the", "cat", "crossed", "it", "."]
WEIGHTS = np.random.default_rng(3).dirichlet(np.ones(5), 3)


@pytest.fixture(autouse=True)
def no_warning_and_no_trace():
    """No figure warns, and none leaves matplotlib's settings changed."""
    before = dict(mpl.rcParams)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    assert dict(mpl.rcParams) == before


def curve():
    steps = np.arange(1, 9)
    return plots.learning_curve(
        steps, 4 / steps, bands=(3 / steps, 5 / steps), name="train"
    )


def drawings():
    return {
        "heat": plots.heat_map(
            WEIGHTS, ROWS, COLUMNS, title="표", marks=[(2, 4)]
        ),
        "shares": plots.share_bars([0.25, 0.75], ["a < b", "c"], title="x"),
        "vectors": plots.vectors_2d([[1, 0], [0, 0], [-1, 2]], "abc"),
        "curve": curve(),
    }


@pytest.mark.parametrize("which", ["heat", "shares", "vectors", "curve"])
def test_picture_is_the_same_twice_and_well_formed(which):
    first = plots.picture(drawings()[which], alt="A & <b>")
    second = plots.picture(drawings()[which], alt="A & <b>")
    assert first.svg == second.svg
    root = ElementTree.fromstring(first.svg)
    assert root.tag == SVG + "svg" and root.get("role") == "img"
    assert root[0].tag == SVG + "title" and root[0].text == "A & <b>"
    assert not re.search(r"20\d\d-\d\d|Matplotlib|<!DOCTYPE", first.svg)
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", first.svg)


def test_without_matplotlib_a_figure_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    others = {"interlinear", "table"}  # HTML needs no matplotlib
    how = r"matplotlib: pip install 'transformer-lib\[course\]'$"
    for name in {x for x in plots.__all__ if x.islower()} - others:
        with pytest.raises(ImportError, match=how):
            getattr(plots, name)()


def test_picture_shows_svg_and_says_alt():
    shown = plots.picture(curve(), alt="  The loss falls. ")
    bundle = shown._repr_mimebundle_()
    assert set(bundle) == {"image/svg+xml", "text/plain"}
    assert bundle["text/plain"] == "Picture: The loss falls."


def test_ids_are_only_those_in_use():
    svg = plots.picture(drawings()["heat"], alt="x").svg
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert set(ids) == set(re.findall(r'(?:href="|url\()#([^")]+)', svg))


def test_two_pictures_share_no_id_of_unlike_content():
    def parts(which):
        root = ElementTree.fromstring(
            plots.picture(drawings()[which], alt="x").svg
        )
        return {
            e.get("id"): ElementTree.tostring(e).strip()
            for e in root.iter()
            if e.get("id")
        }

    heat, curves = parts("heat"), parts("curve")
    for name in heat.keys() & curves.keys():
        assert heat[name] == curves[name]


@pytest.mark.parametrize("row_axis", ["", "query"])
def test_hangul_stays_text_and_inside_the_picture(row_axis):
    name = "가나다라마바사아자차카타"
    ax = plots.heat_map(WEIGHTS, [name] * 3, COLUMNS, row_axis=row_axis)
    root = ElementTree.fromstring(plots.picture(ax, alt="x").svg)
    texts = list(root.iter(SVG + "text"))
    names = [text for text in texts if text.text == name]
    axis = [float(t.get("x")) for t in texts if t.text == row_axis]
    assert len(names) == 3
    for text in names:
        assert "text-anchor: end" in text.get("style")
        # A syllable is at most one font size (10) wide; the axis' name
        # stands to the left of that.
        left = float(text.get("x")) - 10 * len(name)
        assert left >= max(axis, default=0.0)


def test_heat_map_puts_entry_i_j_in_row_i_from_the_top_and_column_j():
    ax = plots.heat_map(WEIGHTS, ROWS, COLUMNS)
    at = {t.get_position(): t.get_text() for t in ax.texts}
    for (i, j), value in np.ndenumerate(WEIGHTS):
        assert at[(j, i)] == f"{value:.2f}"
    (mesh,) = ax.collections
    np.testing.assert_array_equal(
        np.asarray(mesh.get_array()).reshape(3, 5), WEIGHTS
    )
    assert mesh.get_clim() == (0.0, 1.0)
    assert ax.yaxis_inverted() and not ax.xaxis_inverted()
    assert [t.get_text() for t in ax.get_yticklabels()] == ROWS
    assert [t.get_text() for t in ax.get_xticklabels()] == COLUMNS
    assert ax.get_ylabel().startswith("query")
    assert ax.get_xlabel().startswith("key")


def test_heat_map_numbers_have_contrast_and_stop_at_ten_columns():
    ax = plots.heat_map([[0.0, 1.0]], ["q"], ["a", "b"])
    light, dark = (t.get_color() for t in ax.texts)
    assert light == plots.PALETTE["ink"] and dark == plots.PALETTE["paper"]
    wide = plots.heat_map(np.full((2, 11), 1 / 11), "ab", "abcdefghijk")
    assert not wide.texts


def test_heat_map_frames_the_marked_cell():
    (mark,) = drawings()["heat"].patches
    assert mark.get_xy() == (3.5, 1.5)


def test_share_bars_are_as_long_as_the_shares():
    ax = plots.share_bars([0.1, 0.6, 0.3], "abc")
    assert [bar.get_width() for bar in ax.patches] == [0.1, 0.6, 0.3]
    assert ax.yaxis_inverted()


def test_vectors_start_at_the_origin_and_share_one_scale():
    ax = plots.vectors_2d([[1, 0], [-1, 2]], "ab")
    arrows = [t for t in ax.texts if not t.get_text()]
    assert [a.xy for a in arrows] == [(1, 0), (-1, 2)] or np.allclose(
        [a.xy for a in arrows], [[1, 0], [-1, 2]]
    )
    assert all(a.get_position() == (0, 0) for a in arrows)
    assert ax.get_aspect() == 1.0
    plots.vectors_2d([[5, 0]], "c", ax)
    assert ax.get_xlim()[1] >= 5 and ax.get_ylim()[1] >= 2


def test_learning_curve_draws_the_numbers_and_the_band():
    ax = curve()
    (line,) = ax.lines
    np.testing.assert_allclose(line.get_ydata(), 4 / np.arange(1, 9))
    assert len(ax.collections) == 1
    plots.learning_curve([1, 2], [1, 2], ax, name="valid")
    one, two = ax.lines
    assert one.get_color() != two.get_color()
    assert one.get_linestyle() != two.get_linestyle()


def test_pyplot_shows_nothing_by_itself():
    import matplotlib.pyplot as plt

    drawings()
    assert plt.get_fignums() == []
    figure, ax = plt.subplots()
    plots.share_bars([1.0], "a", ax)
    plots.picture(figure, alt="x")
    assert plt.get_fignums() == []


def test_width_keeps_the_shape():
    root = ElementTree.fromstring(
        plots.picture(curve(), alt="x", width=500).svg
    )
    _, _, w, h = map(float, root.get("viewBox").split())
    assert root.get("width") == "500"
    assert abs(float(root.get("height")) - 500 * h / w) <= 0.5
    assert "max-width: 100%" in root.get("style")


def test_panels_without_room_are_refused():
    figure, axes = plots.canvas(1, 3, width=0.6, height=0.5)
    for ax in axes:
        ax.set_ylabel("a long label for a small panel")
    with pytest.raises(ValueError, match="larger width"):
        plots.picture(figure, alt="x")


@pytest.mark.parametrize("alt", ["", "  "])
def test_alt_is_wanted(alt):
    with pytest.raises(ValueError, match="alt is empty"):
        plots.picture(curve(), alt=alt)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: plots.heat_map(WEIGHTS.T, ROWS, COLUMNS), "transposed"),
        (lambda: plots.heat_map(WEIGHTS, ROWS, ROWS), "shape"),
        (lambda: plots.heat_map(WEIGHTS * 9, ROWS, COLUMNS), "not scores"),
        (lambda: plots.heat_map([1.0], ["a"], ["b"]), "2 axes"),
        (
            lambda: plots.heat_map(WEIGHTS, ROWS, COLUMNS, marks=[(4, 2)]),
            "outside",
        ),
        (lambda: plots.share_bars([0.5, 0.6], "ab"), "sum to 1.1"),
        (lambda: plots.share_bars([0.5, 0.5], "abc"), "3 labels"),
        (lambda: plots.share_bars([np.nan, 1.0], "ab"), "NaN"),
        (lambda: plots.vectors_2d(np.eye(3), "abc"), "two columns"),
        (lambda: plots.learning_curve([1, 2], [1]), "one value a step"),
        (lambda: plots.learning_curve([2, 1], [1, 1]), "sort"),
    ],
)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_picture_wants_axes_or_a_figure():
    with pytest.raises(TypeError, match="ndarray"):
        plots.picture(np.zeros(3), alt="x")


def test_tensors_and_lists_become_arrays():
    torch = pytest.importorskip("torch")
    tensor = torch.tensor([[0.25, 0.75]], requires_grad=True)
    np.testing.assert_array_equal(
        as_array(tensor, "x", 2), as_array([[0.25, 0.75]], "x", 2)
    )


def test_import_does_not_load_matplotlib():
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, transformer_course.plots;"
            "print('matplotlib' in sys.modules)",
        ],
        capture_output=True,
        text=True,
    )
    assert run.stdout.strip() == "False", run.stderr
