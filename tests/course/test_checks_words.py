"""The checks on paper of chapter 10: two tokens, and the budget."""

import numpy as np

from transformer_course.checks.paper import paper_of
from transformer_lib import feed_forward
from transformer_lib import numpy_reference as reference
from transformer_lib.model import Transformer, TransformerConfig


def test_the_budget_is_that_of_the_library():
    sizes = {"d_model": 4, "n_heads": 2, "d_ff": 8, "n_layers": 1}
    whole = [
        Transformer(TransformerConfig(10, **sizes, tie_embeddings=tied))
        for tied in (True, False)
    ]
    layer = whole[0].encoder.layers[0]
    (network,) = (
        m for m in layer.modules() if isinstance(m, feed_forward.FeedForward)
    )
    counted = [
        sum(p.numel() for p in part.parameters())
        for part in (whole[0].output_embedding, network, layer, *whole)
    ]
    assert counted == list(paper_of("budget_by_hand").answer)


def test_the_tokens_on_paper_are_those_of_the_reference():
    paper = paper_of("two_tokens_by_hand")
    givens = [given.value for given in paper.givens.values()]
    want = reference.feed_forward(*givens)
    np.testing.assert_array_equal(paper.answer, want)
