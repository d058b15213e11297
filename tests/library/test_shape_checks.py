"""Each signature of the library that states a shape is checked in the tests.

tests/conftest.py switches the checks on. Here they are proved to be on, for
every function, and every field of a record, whose annotation says a shape.
"""

import ast
import importlib
import inspect
import re
import sys

import jaxtyping
import pytest
import torch
from public_names import NAMES, path_of, short, tree_of

HOOK = next(f for f in sys.meta_path if "jaxtyping" in str(type(f)))
SHAPES = {"Float", "Int", "Bool", "Shaped", "Num", "Complex", "UInt", "Inexact"}
STATED = re.compile(rf"\b({'|'.join(SHAPES)})\[")


def states_a_shape(annotation):
    return annotation is not None and any(
        isinstance(node, ast.Subscript) and ast.unparse(node.value) in SHAPES
        for node in ast.walk(annotation)
    )


def shaped(path):
    """Return the dotted names of functions and fields that state shapes."""
    functions, fields = [], []

    def visit(node, inside):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                given = [a.annotation for a in ast.walk(child.args)
                         if isinstance(a, ast.arg)]  # fmt: skip
                if any(map(states_a_shape, [*given, child.returns])):
                    functions.append((*inside, child.name))
                visit(child, (*inside, child.name, "<locals>"))
            elif isinstance(child, ast.ClassDef):
                visit(child, (*inside, child.name))
            elif isinstance(child, ast.AnnAssign):
                if states_a_shape(child.annotation):
                    fields.append((*inside, ast.unparse(child.target)))
            else:
                visit(child, inside)

    visit(tree_of(path), ())
    return functions, fields


def is_checked(function):
    """Tell whether jaxtyping stands before a function, or behind a wrapper."""
    function = getattr(function, "__func__", function)
    function = getattr(function, "fget", function)
    while function is not None:
        where = getattr(function, "__globals__", {}).get("__name__", "")
        if where == "jaxtyping._decorator":
            return True
        function = getattr(function, "__wrapped__", None)
    return False


def find(module, parts):
    for part in parts:
        module = inspect.getattr_static(module, part)
    return module


STATE_SHAPES = [
    name
    for name in NAMES
    if STATED.search(path_of(name).read_text(encoding="utf-8"))  # few are read
    and any(shaped(path_of(name)))
]


@pytest.mark.parametrize("name", STATE_SHAPES)
def test_every_signature_with_a_shape_is_checked(name):
    module = importlib.import_module(name)
    assert HOOK.should_instrument(name), "tests/conftest.py passes it over"
    functions, _ = shaped(path_of(name))
    for parts in functions:
        assert "<locals>" not in parts, f"{parts}: cannot be looked at"
        assert is_checked(find(module, parts)), ".".join(parts)


@pytest.mark.parametrize("name", STATE_SHAPES)
def test_every_field_with_a_shape_is_checked(name):
    # The hook checks the fields of a dataclass, tests/conftest.py those of
    # a NamedTuple.
    module = importlib.import_module(name)
    _, fields = shaped(path_of(name))
    for *parts, field in fields:
        made = find(module, parts)
        maker = made.__init__
        if issubclass(made, tuple):
            maker = inspect.getattr_static(made, "__new__")
        assert is_checked(maker), f"{'.'.join(parts)}.{field}"


def wrong_shapes():
    """For each module that states shapes: a call that breaks one of them."""
    from transformer_lib import (
        attention,
        batching,
        confidence,
        decoding,
        embedding,
        feed_forward,
        label_smoothing,
        layers,
        masks,
        model,
        model_config,
        multi_head,
        normalization,
        pieces,
        positional,
        published,
        search,
        training,
    )

    x, ids = torch.zeros(2, 5, 6), torch.ones(2, 5, dtype=torch.long)
    flat, words = torch.zeros(6), torch.ones(5, dtype=torch.long)
    attend = multi_head.MultiHeadAttention(6, 3)
    small = model_config.TransformerConfig(
        vocab_size=7, d_model=6, n_heads=3, d_ff=4, n_layers=1, max_length=8
    )
    layer = layers.EncoderLayer(small)
    return {
        attention: lambda: attention.attention_weights(x, flat),
        batching: lambda: batching.Batch(ids, ids, ids[:, 1:]),
        confidence: lambda: confidence.fit(x[0], words > 0, flat),
        decoding: lambda: decoding.greedy(model.Transformer(small), words),
        embedding: lambda: embedding.TokenEmbedding(7, 6)(x),
        feed_forward: lambda: feed_forward.FeedForward(6, 4)(ids),
        label_smoothing: lambda: label_smoothing.token_loss(x, words),
        layers: lambda: layer(x, torch.ones(2, 4, dtype=torch.bool)),
        masks: lambda: masks.padding_mask(words),
        model: lambda: model.Transformer(small)(ids, ids[:1]),
        multi_head: lambda: attend.keys_values(flat),
        normalization: lambda: normalization.layer_norm(x, flat, flat[1:]),
        pieces: lambda: pieces.PieceTokenizer(None, None, x, []),
        positional: lambda: positional.PositionalEncoding(6, 8, 0.0)(flat),
        published: lambda: published.SwishFeedForward(6, 4)(ids),
        search: lambda: search.GREEDY(model.Transformer(small), words),
        training: lambda: training.StepStats(1, 0.1, 5, flat, flat[0]),
    }


WRONG = wrong_shapes()


def test_each_module_that_states_shapes_is_tried_with_a_wrong_one():
    assert sorted(m.__name__ for m in WRONG) == STATE_SHAPES


@pytest.mark.parametrize("module", WRONG, ids=lambda m: short(m.__name__))
def test_a_wrong_shape_is_noticed(module):
    with pytest.raises(jaxtyping.TypeCheckError):
        WRONG[module]()
