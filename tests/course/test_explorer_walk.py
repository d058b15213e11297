"""The walk through the model, against the library's own model."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from transformer_course import explorers
from transformer_course.explorers.walk import BASE, SIZES, SMALL
from transformer_course.explorers.walk_facts import FACTS
from transformer_course.plots.whole_model import BLOCKS
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.multi_head import record_attention
from transformer_lib.translator import Translator


def model_of(sizes, device="meta"):
    config = TransformerConfig(
        sizes.vocabulary,
        d_model=sizes.d,
        n_heads=sizes.heads,
        d_ff=sizes.d_ff,
        n_layers=sizes.layers,
        dropout=0.0,
    )
    with torch.device(device):
        return Transformer(config)


def count(*modules):
    return sum(p.numel() for module in modules for p in module.parameters())


def fact(key):
    (found,) = (fact for fact in FACTS if fact.key == key)
    return found


def test_the_facts_follow_the_drawing():
    assert [fact.key for fact in FACTS] == [block.key for block in BLOCKS]
    assert [p.vocab_size for p in [TransformerConfig.base(37_000)]] == [
        BASE.vocabulary
    ]
    shipped = Translator.shipped().model.config
    assert (shipped.vocab_size, shipped.d_model, shipped.n_layers) == (
        SMALL.vocabulary,
        SMALL.d,
        SMALL.layers,
    )


@pytest.mark.parametrize("sizes", SIZES, ids=lambda sizes: sizes.name)
def test_every_block_trains_what_the_library_trains(sizes):
    model = model_of(sizes)
    encoder, decoder = model.encoder.layers[0], model.decoder.layers[0]
    want = {
        "source_embedding": count(model.source_embedding),
        "target_embedding": count(model.target_embedding),
        "output": count(model.output_embedding),
        "source_positions": count(model.positions),
        "target_positions": count(model.positions),
        "encoder_attention": count(encoder.self_attention),
        "encoder_feed": count(encoder.feed_forward),
        "decoder_attention": count(decoder.self_attention),
        "cross_attention": count(decoder.cross_attention),
        "decoder_feed": count(decoder.feed_forward),
    }
    for stack, layer in (("encoder", encoder), ("decoder", decoder)):
        for i in range(2 if stack == "encoder" else 3):
            norm = getattr(layer, f"norm{i + 1}")
            want[f"{stack}_norm_{i + 1}"] = count(norm)
    for one in FACTS:
        assert one.trains(sizes)[0] == want.get(one.key, 0), one.key
    assert sizes.total == count(model)
    in_layers = sum(
        trained * sizes.layers
        for trained, where in (one.trains(sizes) for one in FACTS)
        if where == "layer"
    )
    assert in_layers + sizes.table == count(model)


def test_the_shapes_are_those_of_a_run():
    sizes, model = SMALL, model_of(SMALL, "cpu")
    source = torch.arange(4, 4 + sizes.n)[None]
    target = torch.arange(4, 4 + sizes.m)[None]
    seen = {}
    decoder = model.decoder.layers[0]
    decoder.feed_forward.linear1.register_forward_hook(
        lambda module, inputs, output: seen.update(inner=output.shape[1:])
    )
    with record_attention(model) as maps:
        logits = model(source, target)
    memory = model.start(source).memory[0]
    n, m, h, d = sizes.n, sizes.m, sizes.heads, sizes.d
    assert fact("memory").shape(sizes) == f"({n}, {d})"
    assert memory.keys.shape == (1, h, n, d // h)
    assert fact("output").shape(sizes) == f"({m}, {logits.shape[-1]:,})"
    rows, inner = seen["inner"]
    assert fact("decoder_feed").shape(sizes).endswith(f"({rows}, {inner})")
    wanted = {
        "encoder_attention": (n, n),
        "decoder_attention": (m, m),
        "cross_attention": (m, n),
    }
    shapes = {tuple(a.shape[-2:]) for a in maps.values()}
    assert shapes == set(wanted.values())
    for key, (queries, keys) in wanted.items():
        words = fact(key).shape(sizes)
        assert words == f"({queries}, {d}), weights {h} × ({queries}, {keys})"


def test_each_frame_says_its_block_and_marks_it():
    explorer = explorers.model_walk()
    assert len(explorer.frames) == 2 * len(BLOCKS)
    for place, frame in enumerate(explorer.frames):
        block, which = divmod(place, 2)
        one, sizes = FACTS[block], SIZES[which]
        assert one.says in frame.readout and sizes.name in frame.readout
        assert f"{sizes.total:,}" in frame.readout
        assert one.code in frame.drawing
        trained = one.trains(sizes)[0]
        words = f"trains {trained:,}" if trained else "trains nothing"
        assert words in frame.drawing and words in frame.readout


def test_the_outline_lies_around_the_block_that_is_meant():
    for place, frame in enumerate(explorers.model_walk().frames):
        root = ElementTree.fromstring(f"<svg>{frame.drawing}</svg>")
        (halo,) = (r for r in root.iter("rect") if "x-halo" in r.get("class"))
        (group,) = (
            g for g in root.iter("g") if g.get("data-place") == str(place // 2)
        )
        box = group.find("rect")
        corner = [float(halo.get(k)) - float(box.get(k)) for k in ("x", "y")]
        np.testing.assert_allclose(corner, [-2, -2], atol=0.11)


def test_a_click_names_every_place_once():
    explorer = explorers.model_walk()
    for frame in explorer.frames:
        places = re.findall(r'data-place="(\d+)"', frame.drawing)
        assert places == [str(k) for k in range(len(BLOCKS))]
        assert frame.drawing.count("onclick=") == 1
