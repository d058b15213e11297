"""Decoding: from a trained model's scores to sentences."""

import math
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.arguments import check_whole
from transformer_lib.model import Transformer
from transformer_lib.tokenizer import BOS, EOS, PAD

__all__ = ["Hypothesis", "beam_search", "greedy", "length_penalty"]


class Hypothesis(NamedTuple):
    """A translation and how probable the model finds it.

    Attributes:
        tokens: the ids written, without the last <eos>.
        log_probability: sum over its tokens and <eos>, in nats.
        finished: True if it ends with <eos>, False if max_length cut it.

    Chapter 14.
    """

    tokens: list[int]
    log_probability: float
    finished: bool

    def score(self, alpha: float) -> float:
        """Return the log-probability over `length_penalty`."""
        length = len(self.tokens) + self.finished
        return self.log_probability / length_penalty(length, alpha)


def length_penalty(length: int | Tensor, alpha: float) -> float | Tensor:
    r"""Return what a log-probability is divided by, to be fair to long ones.

    $$lp(Y) = \left(\frac{5 + |Y|}{6}\right)^\alpha$$

    Args:
        length: tokens written, <eos> counted and <bos> not; a number or a
            tensor of them.
        alpha: 0 divides by 1, and larger values favor longer sentences.

    Returns:
        1 for a single token; larger for longer sentences if alpha > 0.

    Raises:
        ValueError: alpha is negative or not a number.

    Source: Wu et al. 2016 (GNMT), section 7, equation 14. Chapter 14.
    """
    if not 0 <= alpha < math.inf:
        raise ValueError(f"alpha={alpha}; choose 0 or a larger number")
    return ((5 + length) / 6) ** alpha


def _longest(model: Transformer, max_length: int | None) -> int:
    limit = model.config.max_length
    if max_length is None:
        return limit
    check_whole("max_length", max_length)
    if max_length > limit:
        raise ValueError(
            f"max_length={max_length}; this model writes 1 to {limit} tokens"
        )
    return max_length


def _log_p(logits: Float[Tensor, "B T V"]) -> Float[Tensor, "B V"]:
    """Score what follows the last token, in float32 or better."""
    last = logits[:, -1]
    exact = torch.promote_types(last.dtype, torch.float32)
    return last.to(exact).log_softmax(dim=-1)


def _hypothesis(ids: list[int], log_p: float, finished: bool) -> Hypothesis:
    end = ids.index(EOS) if finished else len(ids)
    return Hypothesis(ids[:end], log_p, finished)


@torch.inference_mode()
def greedy(
    model: Transformer,
    source: Int[Tensor, "B S"],
    max_length: int | None = None,
) -> list[Hypothesis]:
    """Write the most probable next token, again and again, until <eos>.

    All sentences of the batch are decoded together over the key/value
    cache; those that are finished leave it.

    Args:
        model: put it in eval() mode first, or dropout will disturb it.
        source: (B, S), ids with <pad> on the right.
        max_length: most tokens to write; the model's own limit when None.

    Returns:
        One hypothesis for each sentence.

    Raises:
        TypeError: ids or max_length are not whole numbers.
        ValueError: an empty batch, an id outside the vocabulary, or
            max_length outside the model's limit.

    Chapter 14.
    """
    max_length = _longest(model, max_length)
    state = model.begin(source)
    n = len(source)
    written = torch.full((n, max_length), PAD, device=source.device)
    score = torch.zeros(n, dtype=torch.float64, device=source.device)
    finished = torch.zeros(n, dtype=torch.bool, device=source.device)
    rows = torch.arange(n, device=source.device)  # those still writing
    token = torch.full((n, 1), BOS, device=source.device)
    for position in range(max_length):
        logits, state = model.extend(state, token)
        best, token = _log_p(logits).max(dim=-1)
        score[rows] += best
        written[rows, position] = token
        finished[rows] = token == EOS
        writing = (token != EOS).nonzero().squeeze(1)
        if len(writing) == 0:
            break
        if len(writing) < len(rows):
            rows, token = rows[writing], token[writing]
            state = state.select(writing)
        token = token.unsqueeze(1)
    found = (written.tolist(), score.tolist(), finished.tolist())
    return [_hypothesis(*one) for one in zip(*found, strict=True)]


class _Pools(NamedTuple):
    """The k best hypotheses of each sentence, finished or not.

    A hypothesis that is finished stands in its place with its score, and
    meets its rivals again at every step.
    """

    tokens: Int[Tensor, "B k L"]
    log_p: Float[Tensor, "B k"]
    length: Int[Tensor, "B k"]
    finished: Tensor  # boolean, (B, k)

    @classmethod
    def start(cls, n: int, k: int, device: torch.device) -> "_Pools":
        """One hypothesis that says nothing, and k - 1 impossible ones."""
        log_p = torch.full((n, k), -math.inf, device=device)
        log_p[:, 0] = 0.0
        none = torch.zeros(n, k, dtype=torch.long, device=device)
        return cls(none.new_empty(n, k, 0), log_p, none, none.bool())

    def select(self, rows: Tensor) -> "_Pools":
        """Return the pools of some sentences."""
        return _Pools(*(field[rows] for field in self))

    def step(
        self, log_p: Float[Tensor, "B k V"], alpha: float
    ) -> tuple["_Pools", Int[Tensor, "B k"]]:
        """Let every hypothesis go on in every way; keep the k best.

        Args:
            log_p: of each next token, given each hypothesis.
            alpha: see `length_penalty`.

        Returns:
            The new pools, and which hypothesis each one goes on from.
        """
        n_tokens = log_p.shape[-1]
        # A finished one goes on in one way: by <pad>, which costs nothing.
        stay = torch.full_like(log_p[0, 0], -math.inf)
        stay[PAD] = 0.0
        log_p = torch.where(self.finished.unsqueeze(-1), stay, log_p)
        total = self.log_p.unsqueeze(-1) + log_p
        length = self.length + ~self.finished
        ranked = total / length_penalty(length, alpha).unsqueeze(-1)
        best = ranked.flatten(1).topk(self.log_p.shape[1]).indices
        parent, token = best // n_tokens, best % n_tokens
        written = self.tokens.take_along_dim(parent.unsqueeze(-1), dim=1)
        was_finished = self.finished.take_along_dim(parent, dim=1)
        pools = _Pools(
            torch.cat([written, token.unsqueeze(-1)], dim=-1),
            total.flatten(1).take_along_dim(best, dim=1),
            length.take_along_dim(parent, dim=1),
            was_finished | (token == EOS),
        )
        return pools, parent

    def hypotheses(self, row: int) -> list[Hypothesis]:
        """Return one sentence's hypotheses, the impossible ones left out."""
        fields = (self.tokens[row], self.log_p[row], self.finished[row])
        found = zip(*(field.tolist() for field in fields), strict=True)
        every = [_hypothesis(*one) for one in found]
        return [one for one in every if one.log_probability != -math.inf]

    def done(self) -> Tensor:
        """Return (B,), True where no hypothesis can go on."""
        return (self.finished | self.log_p.isneginf()).all(dim=1)


@torch.inference_mode()
def beam_search(
    model: Transformer,
    source: Int[Tensor, "B S"],
    beam_size: int = 4,
    alpha: float = 0.6,
    max_length: int | None = None,
) -> list[list[Hypothesis]]:
    r"""Keep the k best beginnings at each step, not only the best one.

    $$s(Y) = \log P(Y \mid X) / lp(Y)$$

    ranks all hypotheses at each step, finished or not, in one pool of k. A
    finished one keeps its place and its score until k better ones come. The
    search of a sentence ends when all k are finished, or at max_length.

    Args:
        model: put it in eval() mode first, or dropout will disturb it.
        source: (B, S), ids with <pad> on the right.
        beam_size: k.
        alpha: see `length_penalty`.
        max_length: most tokens to write; the model's own limit when None.

    Returns:
        For each sentence up to k hypotheses, the best one first.

    Raises:
        TypeError: ids, beam_size or max_length are not whole numbers.
        ValueError: an empty batch, beam_size below 1, a negative alpha, or
            max_length outside the model's limit.

    Source: Wu et al. 2016 (GNMT), section 7. Chapter 14.
    """
    check_whole("beam_size", beam_size)
    length_penalty(1, alpha)  # refuse a bad alpha before the work begins
    max_length = _longest(model, max_length)
    state = model.begin(source)
    n, device = len(source), source.device
    found: list[list[Hypothesis]] = [[] for _ in range(n)]
    pools = _Pools.start(n, beam_size, device)
    rows = torch.arange(n, device=device)  # the sentences still searched
    state = state.select(rows.repeat_interleave(beam_size))
    token = torch.full((n * beam_size, 1), BOS, device=device)
    for position in range(1, max_length + 1):
        logits, state = model.extend(state, token)
        log_p = _log_p(logits).unflatten(0, (len(rows), beam_size))
        pools, parent = pools.step(log_p, alpha)
        done = pools.done() | (position == max_length)
        for i in done.nonzero().flatten().tolist():
            found[rows[i]] = pools.hypotheses(i)
        going = (~done).nonzero().flatten()
        if len(going) == 0:
            break
        origin = parent + beam_size * torch.arange(
            len(rows), device=device
        ).unsqueeze(1)
        state = state.select(origin[going].flatten())
        rows, pools = rows[going], pools.select(going)
        token = pools.tokens[:, :, -1].reshape(-1, 1)
    return found
