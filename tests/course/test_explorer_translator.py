"""The explorers `five_splits` and `take_away`: their numbers are true."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from transformer_course import explorers
from transformer_course.explorers import ablation, splits
from transformer_course.explorers.ablation import Runs

SCORES = {"test": [97.0, 99.5, 98.0], "role": [60.0], "length": [0.0, 0.0]}
WANTED = "도둑이 찾은 소는 걸었다."
SENTENCES = {
    "test": [("the dog slept .", "개는 잤다.", "개는 잤다."), ("x", "a", "b")],
    "role": [
        ("the cow that the thief found walked .", WANTED, "도둑을 찾은 소는"),
        ("x", "a b", "b"),
    ],
    "length": [("word " * 30, "낱말 " * 30, "낱말"), ("x", "a", "a")],
}
STEPS = [250, 500, 1000]
WHOLE = Runs(
    [[60, 90, 98], [70, 92, 99], [65, 95, 97]],
    {"test": [98, 99, 97], "role": [60, 90, 75], "contrast": [90, 91, 92]},
)
SLOW = Runs(
    [[10, 50, 96], [20, 60, 95]],
    {"test": [96, 95], "role": [70, 85], "contrast": [93, 95]},
)


def walk():
    return explorers.five_splits(SCORES, SENTENCES, str.upper, start=1)


def shown(frame):
    return ElementTree.fromstring(f"<svg>{frame.drawing}</svg>")


# ------------------------------------------------------------- five_splits


def test_every_split_has_its_sentences_and_its_numbers():
    explorer = walk()
    assert [s.labels for s in explorer.sliders] == [("test", "role", "length")]
    first = explorer.frames[0].readout
    assert first.startswith(
        "test: 98.0 % of the sentences are right (3 seeds: 97.0 to 99.5)."
    )
    assert "the dog slept . Right: 개는 잤다. x Wanted: A Written: B" in first
    role = explorer.frames[explorer.start].readout
    assert role.startswith("role: 60.0 % of the sentences are right. ")
    assert f"Wanted: {WANTED} Written: 도둑을 찾은 소는" in role


def test_the_sound_is_written_with_the_function_given():
    explorer = explorers.five_splits(
        {"a": [50.0]}, {"a": [("x", "one two", "one")]}, str.upper
    )
    assert explorer.frames[0].readout.endswith("Wanted: ONE TWO Written: ONE")


def test_bars_are_as_long_as_the_medians_and_whiskers_as_the_spread():
    for place in range(3):
        tree = shown(walk().frames[place])
        bars = [
            float(e.get("width"))
            for e in tree.iter("rect")
            if "x-fill" in e.get("class")
        ]
        assert bars == pytest.approx(
            [212 * 0.98, 212 * 0.6], abs=0.1
        )  # none for the split with 0
        blue = [e.get("y") for e in tree.iter("rect") if "x-blue" in
                e.get("class")]  # fmt: skip
        assert blue == ([str(24 * place + 2)] if place < 2 else [])
        path = tree.find("g/path").get("d")
        ends = [splits.short(92 + 212 * share) for share in (0.97, 0.995)]
        assert path == f"M{ends[0]} 10L{ends[1]} 10"


def test_only_words_that_differ_are_orange():
    explorer = walk()
    marked = [e.text for e in shown(explorer.frames[1]).iter("tspan")]
    assert marked == ["도둑이", "걸었다.", "도둑을", "a"]
    marked = [e.text for e in shown(explorer.frames[0]).iter("tspan")]
    assert marked == ["a", "b"], "of the sentence that is right, none"


def test_long_sentences_are_cut_into_lines_that_fit():
    for frame in walk().frames:
        for text in shown(frame).iter("text"):
            words = "".join(text.itertext())
            right = float(text.get("x")) + splits.text_width(words)
            assert text.get("class") or right <= splits.WIDTH
            assert float(text.get("y")) <= frame.height
    drawn = "".join(shown(walk().frames[2]).itertext())
    assert drawn.count("word") == 30 and drawn.count("낱말") == 31


def test_a_bar_leads_to_its_split():
    bars = shown(walk().frames[0]).findall("g[@data-place]")
    assert [bar.find("text").text for bar in bars] == list(SCORES)
    assert [bar.get("data-place") for bar in bars] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("scores", "sentences", "says"),
    [
        ({"a": [1.0], "b": [2.0]}, {"a": [("x", "y", "z")]}, "same number"),
        ({"a": []}, {"a": [("x", "y", "z")]}, "at least one score"),
        ({"a": [1.0]}, {"a": []}, "same number"),
        ({"a": [101.0]}, {"a": [("x", "y", "z")]}, "from 0 to 100"),
        ({"a": [-1.0]}, {"a": [("x", "y", "z")]}, "from 0 to 100"),
    ],
)
def test_splits_that_do_not_fit_are_refused(scores, sentences, says):
    with pytest.raises(ValueError, match=says):
        explorers.five_splits(scores, sentences, str.upper)


# --------------------------------------------------------------- take_away


def compare():
    return explorers.take_away(STEPS, WHOLE, {"slow": SLOW, "same": WHOLE})


def test_the_words_say_what_lies_outside_the_spread():
    slow, same = (frame.readout for frame in compare().frames)
    assert slow == (
        "Changed: slow. After 250 steps 10.0 to 20.0 % of the test sentences "
        "are right (all parts: 60.0 to 70.0). At the end: test 95.0 to 96.0, "
        "role 70.0 to 85.0, contrast 93.0 to 95.0. Below every seed of the "
        "reference on test; above every seed of it on contrast."
    )
    assert same.endswith("Overlapping with the reference everywhere.")


@pytest.mark.parametrize(
    ("one", "other", "sign"),
    [([1, 3], [2, 4], 0), ([1, 2], [3], 1), ([3], [1, 2], -1), ([1], [1], 0)],
)
def test_seeds_are_apart_only_without_overlap(one, other, sign):
    assert ablation.apart(one, other) == sign


def test_a_line_and_a_dot_for_each_seed_at_its_height():
    tree = shown(compare().frames[0])
    lines = [e for e in tree.iter("path") if "x-orange" in e.get("class")]
    assert len(lines) == len(SLOW.curves)
    for element, curve in zip(lines, SLOW.curves, strict=True):
        points = re.findall(r"([\d.]+) ([\d.]+)", element.get("d"))[1:]
        heights = [(172 - float(y)) / (172 - 26) * 100 for _, y in points]
        assert heights == pytest.approx(curve, abs=0.1)
    dots = [e for e in tree.iter("circle") if float(e.get("cy")) > 200]
    for look, runs in (("x-blue", WHOLE), ("x-orange", SLOW)):
        across = [float(e.get("cx")) for e in dots if look in e.get("class")]
        want = [92 + 254 * v / 100 for row in runs.scores.values() for v in row]
        assert across == pytest.approx(want, abs=0.1)


def test_the_band_is_the_spread_of_the_reference():
    (band,) = shown(compare().frames[0]).iter("polygon")
    points = [tuple(map(float, p.split(","))) for p in
              band.get("points").split()]  # fmt: skip
    heights = [round((172 - y) / (172 - 26) * 100) for _, y in points]
    assert heights == [0, 70, 95, 99, 97, 90, 60]


def test_what_does_not_fit_is_refused():
    short = Runs([[1, 2]], SLOW.scores)
    with pytest.raises(ValueError, match="one a step"):
        explorers.take_away(STEPS, WHOLE, {"short": short})
    with pytest.raises(ValueError, match="the reference: curves"):
        explorers.take_away(STEPS, short, {"slow": SLOW})
    other = Runs(SLOW.curves, {"test": [1, 2]})
    with pytest.raises(ValueError, match="wanted are those"):
        explorers.take_away(STEPS, WHOLE, {"other": other})


def test_no_two_steps_print_over_each_other():
    steps = [250, 500, 750, 800]
    runs = Runs([[1, 2, 3, 4]], {"test": [4]})
    explorer = explorers.take_away(steps, runs, {"slow": runs})
    written = {e.text: e for e in shown(explorer.frames[0]).iter("text")}
    assert "500" in written and "800" in written and "750" not in written
    assert {"250", "500", "1000"} <= {
        e.text for e in shown(compare().frames[0]).iter("text")
    }
