"""Charts of measured results: each mark stands where its number says."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "benchmarks" / "results"

import result_charts  # noqa: E402
from charts import Axis, Group, Row, chart, row_svg  # noqa: E402

HALF_A_PIXEL = 0.05  # in per cent of a row of 1,000


def stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


def ladder_values(result):
    systems = [v for v in result["systems"].values() if v["runs"]]
    for split in systems[0]["runs"][0]["splits"]:
        for system in systems:
            yield [r["splits"][split]["exact_match"] for r in system["runs"]]


def length_values(result):
    runs = result["runs"]
    yield [run["splits"]["test"]["exact_match"] for run in runs]
    for kind in result["baselines"]["length"]:
        yield [run["length"][kind]["exact_match"] for run in runs]


def ablation_values(result):
    for variant in result["variants"].values():
        yield [run["exact_match"]["test"] for run in variant["runs"]]


def ratio_values(result):
    for rival in result["cells"][0]["ratios"]:
        for cell in result["cells"]:
            yield [cell["ratios"][rival]["ratio"]]


VALUES = {
    "ladder": ladder_values,
    "toy_translator_full": length_values,
    "toy_translator_small": length_values,
    "ablations": ablation_values,
    "throughput": ratio_values,
}


def drawings(html):
    return re.findall(r"<svg.*?</svg>", html)


def scale_of(html):
    """Return what the numbers below the rows make of a place in per cent."""
    text = next(svg for svg in drawings(html) if "<text" in svg)
    ticks = re.findall(r'<text x="([\d.]+)%" y="17">([\d.]+)<', text)
    (left, low), (right, high) = (map(float, ticks[i]) for i in (0, -1))
    return lambda place: low + (place - left) * (high - low) / (right - left)


def places(html, attribute):
    """Return the values of an attribute in each row, in per cent."""
    return [
        [float(x) for x in re.findall(rf'{attribute}="([\d.]+)%"', svg)]
        for svg in drawings(html)
        if "<circle" in svg
    ]


@pytest.mark.parametrize("name", result_charts.CHARTS)
def test_each_mark_stands_at_a_value_of_the_file(name):
    result = stored(name)
    html = result_charts.CHARTS[name](result)
    value_at = scale_of(html)
    unit = value_at(HALF_A_PIXEL) - value_at(0)
    drawn = [list(map(value_at, row)) for row in places(html, "cx")]
    wanted = list(VALUES[name](result))
    if name == "ablations":  # these stand in order of their medians
        drawn, wanted = sorted(drawn), sorted(wanted)
    assert len(drawn) == len(wanted)
    for one, other in zip(drawn, wanted, strict=True):
        assert one == pytest.approx(other, abs=unit)


def test_an_interval_reaches_from_its_low_end_to_its_high_end():
    result = stored("throughput")
    html = result_charts.throughput(result)
    value_at = scale_of(html)
    drawn = [
        tuple(map(value_at, map(float, ends)))
        for ends in re.findall(
            r'"chart-reach" x1="([\d.]+)%" x2="([\d.]+)%"', html
        )
    ]
    wanted = [
        cell["ratios"][rival]["interval"]
        for rival in ("nn.Transformer", "textbook")
        for cell in result["cells"]
    ]
    for one, other in zip(drawn, wanted, strict=True):
        assert one == pytest.approx(other, abs=0.001)


def test_without_an_interval_the_line_spans_the_marks():
    svg = row_svg(Row("", [3.0, 1.0, 2.0]), Axis("", (0, 4)))
    assert '"chart-reach" x1="25.00%" x2="75.00%"' in svg


def test_a_variant_stands_above_those_with_fewer_right():
    html = result_charts.ablations(stored("ablations"))
    middles = [sorted(row)[1] for row in places(html, "cx")[1:]]
    assert middles == sorted(middles, reverse=True)


def test_the_reference_is_shaded_in_each_row():
    html = result_charts.ablations(stored("ablations"))
    reference = places(html, "cx")[0]
    bands = set(re.findall(r'-band" x="([\d.]+)%" width="([\d.]+)%"', html))
    ((left, width),) = bands
    assert float(left) == min(reference)
    assert float(left) + float(width) == pytest.approx(max(reference))
    assert html.count("chart-band") == len(places(html, "cx"))


def run_of(exact):
    return {"splits": {"test": {"exact_match": exact}}}


def test_a_caption_says_ahead_only_of_what_is_apart():
    def says(attention):
        scores = {"gru_fixed": (1, 5), "gru_attention": attention}
        systems = {
            name: {"text": name, "runs": [run_of(s) for s in of]}
            for name, of in scores.items()
        }
        return result_charts.ladder({"systems": systems})

    assert "on 1 split all seeds are higher." in says((6, 9))
    assert "on 1 split all are lower." in says((0, 0.5))
    assert "on 1 split the seeds overlap." in says((4, 9))


def race(low, high):
    ratio = {"ratio": (low + high) / 2, "interval": [low, high]}
    cell = {"d_model": 8, "length": 4, "ratios": {"textbook": ratio}}
    return result_charts.throughput({"cells": [cell]})


def test_an_interval_that_holds_1_is_on_no_side():
    assert "1 of 1 intervals lie to the right" in race(1.1, 1.3)
    assert "and 1 to the left" in race(0.7, 0.9)
    assert "0 of 1 intervals" in race(0.9, 1.1)
    assert "and 0 to the left; 1 hold 1" in race(0.9, 1.1)


def test_a_chart_is_one_picture_with_words():
    rows = [Group("", [Row("`x` & *y*", [1.0])])]
    html = chart(rows, Axis("$x$", (0, 2)), 'a "row" of <dots>', "*Look.*")
    assert 'role="img" aria-label="a &quot;row&quot; of &lt;dots&gt;"' in html
    assert "<code>x</code> &amp; <em>y</em>" in html
    assert "<figcaption><em>Look.</em></figcaption>" in html
