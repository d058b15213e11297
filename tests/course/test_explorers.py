"""The explorers: well-formed, self-contained, and their numbers are true."""

import ast
import itertools
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from readouts import numbers

from toy_language import corpus
from transformer_course import explorers
from transformer_course.explorers.ablation import Runs
from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import fixed, plain, short

SOURCE = ["the", "<b>", "river", "&", "."]
TARGET = ["고양이", "+는", "건너"]
LATIN = ["goyangi", "neun", "geonneo"]
MEANING = ["cat", "(topic)", "cross"]
VECTORS = np.array([[1, 0], [1, 1], [0, 1], [-1, 0]], dtype=float)
SCORES = {"test": [97.0, 99.0, 98.0], "a & b": [0.0]}
SENTENCES = {
    "test": [("<b> slept .", "고양이는 잤다.", "고양이는 잤다.")],
    "a & b": [("the cat " * 20, "고양이는 강을 건넜다.", "고양이를 건넜다.")],
}
WHOLE = Runs([[60, 98], [70, 99]], {"test": [98, 99], "role": [60, 90]})
BROKEN = Runs([[10, 97], [20, 96]], {"test": [96, 97], "role": [70, 80]})
RIVER = "강 +이 너무 깊 +어서 고양이 +는 강 +을 건너 +지 못 +했 +다 +."
DEEP = "the cat did not cross the river because it was too deep ."


def answer(step: int, korean: str, who: str, ended: bool) -> SimpleNamespace:
    return SimpleNamespace(
        step=step,
        loss=None if step < 2 else 1.25,
        english=DEEP,
        pieces=tuple(corpus.gloss(korean, "?")),
        korean=corpus.join_morphemes(korean),
        who=who,
        ended=ended,
    )


ANSWERS = [
    answer(1, "", "", True),
    answer(2, "<unk> " + "+은 " * 60, "", False),
    answer(3, RIVER, "river", True),
]
GUESSES = np.array([[0.1, 0.6, 0.3], [0.7, 0.2, 0.1]])


def random_maps(heads: int = 2) -> np.ndarray:
    random = np.random.default_rng(7)
    return random.dirichlet(np.full(len(SOURCE), 0.5), (heads, len(TARGET)))


# Drawn when a test needs one: all of them take a second.
ALL: list[Callable[[], Explorer]] = [
    explorers.softmax_weights,
    explorers.score_spread,
    explorers.two_cures,
    explorers.shifted_rows,
    explorers.smoothing_cost,
    explorers.one_step_downhill,
    explorers.deep_signals,
    explorers.useless_layer,
    explorers.residual_stream,
    explorers.information_flow,
    explorers.masked_scores,
    explorers.norm_influence,
    explorers.batch_companions,
    explorers.positional_waves,
    explorers.clock_hands,
    explorers.sum_of_bends,
    explorers.parameter_budget,
    explorers.rate_schedule,
    explorers.two_walkers,
    explorers.fading_signal,
    explorers.model_walk,
    explorers.ripple,
    lambda: explorers.softmax_weights(
        (3, -2, 0.5), base=2, names=("a", "b", "<")
    ),
    explorers.self_attention_row,
    lambda: explorers.self_attention_row([[2, 0.5], [0, -1]], ["a & b", "<i>"]),
    explorers.one_query,
    explorers.attention_shapes,
    explorers.beam_tree,
    explorers.cache_filling,
    explorers.model_families,
    explorers.two_orders,
    lambda: explorers.gap_guesses(
        ["b", "c"], GUESSES, GUESSES[::-1], list("abc")
    ),
    explorers.word_pieces,
    explorers.bleu_pieces,
    lambda: explorers.five_splits(SCORES, SENTENCES, str.upper),
    lambda: explorers.take_away([50, 100], WHOLE, {"no <b>": BROKEN}),
    explorers.threshold_links,
    explorers.heads_in_memory,
    explorers.head_matrices,
    explorers.head_opinions,
    lambda: explorers.attention_steps(
        SOURCE, TARGET, random_maps(), LATIN, MEANING, start=1
    ),
    lambda: explorers.attention_steps(SOURCE, TARGET, random_maps()[0]),
    lambda: explorers.learning([]),
    lambda: explorers.learning(ANSWERS),
]


@pytest.fixture(params=ALL, scope="module")
def explorer(request) -> Explorer:
    return request.param()


@pytest.fixture
def tree(explorer) -> ElementTree.Element:
    """The whole HTML read as XML: every tag closed, all text escaped."""
    return ElementTree.fromstring(explorer.html)


def by_class(tree: ElementTree.Element, name: str) -> list:
    return [e for e in tree.iter() if name in e.get("class", "").split()]


def test_sliders_reach_every_frame_and_no_other(explorer, tree):
    sliders = [e for e in tree.iter() if e.tag == "input"]
    frames = by_class(tree, "explorer-frame")
    reached = {
        sum(
            value * int(slider.get("data-stride"))
            for value, slider in zip(values, sliders, strict=True)
        )
        for values in itertools.product(
            *(range(int(s.get("max")) + 1) for s in sliders)
        )
    }
    assert reached == set(range(len(frames)))
    for slider in sliders:
        labels = slider.get("data-labels").split("|")
        assert len(labels) == int(slider.get("max")) + 1
        assert slider.get("aria-valuetext") == labels[int(slider.get("value"))]


def test_one_frame_shows_without_script_and_the_readout_says_it(tree):
    frames = by_class(tree, "explorer-frame")
    shown = by_class(tree, "explorer-shown")
    sliders = [e for e in tree.iter() if e.tag == "input"]
    place = sum(
        int(s.get("value")) * int(s.get("data-stride")) for s in sliders
    )
    (readout,) = by_class(tree, "explorer-readout")
    assert shown == [frames[place]]
    assert readout.get("aria-live") == "polite"
    assert readout.text == shown[0].find("desc").text


def test_every_frame_has_role_title_and_its_own_words(explorer, tree):
    frames = by_class(tree, "explorer-frame")
    for frame in frames:
        assert frame.tag == "svg" and frame.get("role") == "img"
        assert frame.find("title").text == explorer.title
        assert frame.find("desc").text.strip()
    assert len({frame.get("viewBox") for frame in frames}) == 1
    assert frames[0].get("viewBox").startswith("0 0 360 ")
    assert len({frame.find("desc").text for frame in frames}) == len(frames)


def test_buttons_and_sliders_are_named(tree):
    for control in by_class(tree, "explorer-control"):
        before, after = (e for e in control if e.tag == "button")
        slider = control.find("input")
        name = slider.get("aria-label")
        assert before.get("aria-label") == f"{name}: previous"
        assert after.get("aria-label") == f"{name}: next"
        assert (before.get("value"), after.get("value")) == ("-1", "1")
        at_end = slider.get("value") == slider.get("max")
        assert after.get("aria-disabled") == str(at_end).lower()
        for part in (before, slider, after):
            assert part.get("data-lm-suppress-shortcuts") == "true"


def test_html_needs_nothing_else(explorer):
    page = explorer.html
    assert len(page.encode()) < 300_000
    for unwanted in ("<script", " id=", "http:", "https:", "url(", "@import"):
        assert unwanted not in page
    for rule in re.findall(r"<style>(.*?)</style>", page):
        selectors = re.findall(r"(?:^|[{}])([^{}@]+)\{", rule)
        assert selectors
        assert all(".explorer" in selector for selector in selectors)


def test_nothing_is_drawn_outside(explorer, tree):
    for frame in by_class(tree, "explorer-frame"):
        width, height = map(float, frame.get("viewBox").split()[2:])
        for part in frame.iter("rect"):
            x, w = float(part.get("x")), float(part.get("width"))
            y, h = float(part.get("y")), float(part.get("height"))
            assert w > 0 and x >= 0 and x + w <= width + 0.2
            assert h > 0 and y >= 0 and y + h <= height + 0.2
        for part in frame.iter("text"):
            assert 0 <= float(part.get("x")) <= width
            assert 0 <= float(part.get("y")) <= height


def test_two_runs_are_identical():
    for draw in ALL:
        assert draw().html == draw().html


def test_mimebundle_is_html_and_words_with_no_widget(explorer):
    bundle = explorer._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == repr(explorer)
    readout = explorer.frames[explorer.start].readout
    assert explorer.title in repr(explorer) and readout in repr(explorer)


def test_live_view_draws_the_start_frame(explorer):
    start = [entry.start for entry in explorer.inputs]
    card = ElementTree.fromstring(explorer.view(start))
    (shown,) = by_class(card, "explorer-frame")
    readout = explorer.frames[explorer.start].readout
    if explorer.title == "One row of self-attention":
        assert shown.find("desc").text[:9] == readout[:9]
    else:
        assert shown.find("desc").text == readout
    assert not [e for e in card.iter() if e.tag in ("input", "button")]


def test_without_widgets_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    how = r"ipywidgets: pip install 'transformer-lib\[course\]'\. The plain"
    with pytest.raises(ImportError, match=how):
        explorers.softmax_weights().live()


def test_live_widgets_follow_their_inputs():
    pytest.importorskip("ipywidgets")
    panel = explorers.softmax_weights().live()
    first, *_, picture = panel.children
    first.value = -1.0
    assert "Scores −1, 0, 1: weights 0.090, 0.245, 0.665." in picture.value
    panel = explorers.self_attention_row().live()
    vectors, *_, picture = panel.children
    vectors.value = "1, 0; 2, x"
    assert "&#x27;2, x&#x27; is no vector" in picture.value
    vectors.value = "1, 0; 0, 2"
    assert "c₁ = (0.7311, 0.5379)" in picture.value


@pytest.mark.parametrize("base", [2.0, np.e, 10.0])
def test_softmax_readouts_equal_numpy(base):
    steps = range(-2, 4)
    explorer = explorers.softmax_weights((2, 0, 1), base=base)
    pairs = itertools.product(steps, steps)
    for (a, b), frame in zip(pairs, explorer.frames, strict=True):
        votes = base ** np.array([a, b, 1.0])
        shares = votes / votes.sum()
        said, _ = frame.readout.split(" The votes ")
        scores, said = said.removeprefix("Scores ").split(": weights ")
        assert numbers(scores) == [a, b, 1]
        decimals = [part.split("= ")[-1] for part in said[:-1].split(", ")]
        np.testing.assert_allclose(
            [float(d) for d in decimals], shares, atol=5.1e-4
        )


def test_softmax_says_the_fractions_of_base_two():
    readout = explorers.softmax_weights(base=2).frames[4 * 6 + 2].readout
    assert "4/7 = 0.571, 1/7 = 0.143, 2/7 = 0.286" in readout
    assert "votes 4, 1, 2 sum to 7" in readout


def test_share_bar_is_as_long_as_the_shares():
    explorer = explorers.softmax_weights((2, 0, 1))
    tree = ElementTree.fromstring(explorer.html)
    (shown,) = by_class(tree, "explorer-shown")
    bars = [r for r in shown.iter("rect") if r.get("y") == "174"]
    lengths = [float(bar.get("width")) for bar in bars]
    shares = np.exp([2, 0, 1]) / np.exp([2, 0, 1]).sum()
    np.testing.assert_allclose(lengths, 360 * shares, atol=1.6)


def test_self_attention_readouts_equal_numpy():
    explorer = explorers.self_attention_row(VECTORS)
    scores = VECTORS @ VECTORS.T
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    context = shares @ VECTORS
    for i in range(4):
        said = [frame.readout for frame in explorer.frames[4 * i : 4 * i + 4]]
        assert numbers(said[0])[2:] == list(scores[i])
        close = {"atol": 5.1e-5, "rtol": 0}
        np.testing.assert_allclose(numbers(said[1])[2:6], shares[i], **close)
        np.testing.assert_allclose(numbers(said[2])[2:6], shares[i], **close)
        np.testing.assert_allclose(numbers(said[3])[2:], context[i], **close)
    assert "c₁ = (0.7449, 0.5464)" in explorer.frames[3].readout


def test_attention_steps_reads_row_t_of_head_h():
    maps = random_maps()
    explorer = explorers.attention_steps(SOURCE, TARGET, maps, LATIN, MEANING)
    places = itertools.product(range(len(TARGET)), range(len(maps)))
    for (t, h), frame in zip(places, explorer.frames, strict=True):
        best = int(np.argmax(maps[h, t]))
        start = f"To write {TARGET[t]} ({LATIN[t]}, {MEANING[t]}), "
        most = f"looks at “{SOURCE[best]}” {maps[h, t, best]:.2f}"
        assert frame.readout.startswith(start)
        assert most in frame.readout
        bars = re.findall(r'width="([\d.]+)" height="15"', frame.drawing)
        seen = maps[h, t][maps[h, t] >= 0.005]
        np.testing.assert_allclose(
            [float(bar) for bar in bars], 200 * seen, atol=0.06
        )


def test_attention_steps_hides_the_words_not_yet_written():
    explorer = explorers.attention_steps(SOURCE, TARGET, random_maps()[0])
    drawings = [frame.drawing for frame in explorer.frames]
    assert [TARGET[2] in drawing for drawing in drawings] == [0, 0, 1]
    assert all('lang="ko">고양이' in drawing for drawing in drawings)


def test_a_toy_sentence_with_four_heads_stays_small():
    random = np.random.default_rng(0)
    source = ["because"] * 13
    target = ["고양이"] * 15
    maps = random.dirichlet(np.full(13, 0.2), (4, 15))
    explorer = explorers.attention_steps(source, target, maps, target, target)
    assert len(explorer.html.encode()) < 300_000


def test_torch_tensors_are_taken():
    torch = pytest.importorskip("torch")
    maps = random_maps()
    tensor = torch.tensor(maps, requires_grad=True)
    explorer = explorers.attention_steps(SOURCE, TARGET, tensor)
    assert explorer.html == explorers.attention_steps(SOURCE, TARGET, maps).html


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: explorers.softmax_weights((1, 2)), "give three"),
        (lambda: explorers.softmax_weights((4, 0, 1)), "from -2 to 3"),
        (lambda: explorers.softmax_weights((0.5, 0, 1)), "whole numbers"),
        (lambda: explorers.softmax_weights(base=1), "above 1"),
        (lambda: explorers.self_attention_row(np.eye(3)), "two numbers"),
        (lambda: explorers.self_attention_row(VECTORS, ["a"]), "1 names"),
        (
            lambda: explorers.attention_steps(
                SOURCE, TARGET, random_maps()[0].T
            ),
            "swapped",
        ),
        (
            lambda: explorers.attention_steps(
                SOURCE, TARGET, random_maps() * 0.5
            ),
            "sum to 1",
        ),
        (
            lambda: explorers.attention_steps(
                SOURCE, TARGET, random_maps(), LATIN[:2]
            ),
            "romanization has 2",
        ),
        (
            lambda: explorers.attention_steps(
                SOURCE, TARGET, random_maps(), start=3
            ),
            "3 positions",
        ),
    ],
)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_frames_of_unequal_size_are_refused():
    with pytest.raises(ValueError, match="one size"):
        Explorer(
            "x",
            [Slider("s", ("a", "b"))],
            lambda i: Frame(10, 10 + i, "", "words"),
        )


def test_numbers_are_written_with_a_true_minus_and_no_minus_zero():
    assert [short(v) for v in (2.0, -0.04, 1.25, -3.14)] == [
        "2", "0", "1.2", "-3.1",
    ]  # fmt: skip
    assert (fixed(-0.00001, 2), fixed(-1, 1)) == ("0.00", "−1.0")
    assert (plain(2.0), plain(-0.5), plain(-0.0)) == ("2", "−0.5", "0")


def test_a_figure_is_loaded_when_it_is_asked_for():
    code = (
        "import sys; from transformer_course import explorers;"
        "assert 'numpy' not in sys.modules;"
        "explorers.softmax_weights;"
        "assert explorers.__name__ + '.softmax' in sys.modules;"
        "assert explorers.__name__ + '.walk' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_editors_and_dir_see_every_figure():
    path = Path(explorers.__file__)
    stub = ast.parse(path.with_suffix(".pyi").read_text(encoding="utf-8"))
    seen = {  # in a stub, only what is imported `as` itself is public
        alias.asname: node.module for node in stub.body for alias in node.names
    }
    assert set(seen) == set(explorers.__all__) <= set(dir(explorers))
    for name, module in seen.items():
        home = f"{explorers.__name__}.{module}"
        assert getattr(explorers, name).__module__ == home
    modules = {module.stem for module in path.parent.glob("*.py")}
    assert not modules & set(seen), "importing the module hides the figure"


def test_an_unknown_figure_names_the_known_ones():
    with pytest.raises(AttributeError, match="softmax_weights"):
        explorers.softmax_weight  # noqa: B018


def test_import_loads_neither_matplotlib_nor_widgets_nor_torch():
    code = (
        "import sys; from transformer_course import explorers, plots;"
        "explorers.softmax_weights().html;"
        "print([m for m in ('matplotlib', 'ipywidgets', 'torch')"
        " if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert run.stdout.strip() == "[]", run.stderr


def test_learning_says_what_was_written_and_who_is_too_deep():
    explorer = explorers.learning(ANSWERS)
    nothing, endless, right = (frame.readout for frame in explorer.frames)
    assert nothing == "After 1 updates. Too deep: nobody. It writes nothing."
    assert endless.endswith("It has not come to an end.")
    assert "loss 1.25. Too deep: the river. It writes 강이 너무" in right
    assert "(gang-i neomu gip-eoseo" in right
    assert explorer.start == 2 and len(explorer.html) < 60_000


def test_learning_wraps_its_columns_within_the_drawing():
    (frame,) = explorers.learning([ANSWERS[2]]).frames
    places = re.findall(r'<text x="([\d.]+)"', frame.drawing)
    assert min(map(float, places)) >= 0 and max(map(float, places)) < 330
    assert len(set(re.findall(r' y="([\d.]+)"', frame.drawing))) >= 8


def test_each_story_that_the_page_plays_is_a_slider():
    folder = Path(explorers.__file__).parent
    named = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and ast.unparse(node.func) == "Slider"
            ):
                named.add(ast.unparse(node.args[0]).strip("'"))
    script = folder.parents[1] / "book" / "_static" / "explorers_motion.js"
    [listed] = re.findall(
        r"STORIES = \[(.*?)\]", script.read_text(encoding="utf-8"), re.S
    )
    stories = re.findall(r'"([^"]+)"', listed)
    assert len(stories) > 3 and set(stories) <= named
