"""Decoding: from a trained model's scores to sentences."""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from transformer_lib.model import Transformer
from transformer_lib.precision import finest
from transformer_lib.special_tokens import BOS, EOS, PAD
from transformer_lib.validation import check_int, check_positive

__all__ = [
    "Beams",
    "Hypothesis",
    "beam_search",
    "greedy",
    "length_penalty",
    "sample",
    "sampling_probabilities",
]

Choose = Callable[[Float[Tensor, "R V"], Int[Tensor, " R"]], Int[Tensor, " R"]]


class Hypothesis(NamedTuple):
    """A translation and how probable the model finds it.

    Attributes:
        tokens: the ids generated, without the last <eos>.
        log_probability: sum over its tokens and <eos>, in nats.
        finished: True if it ends with <eos>, False if max_length cut it.
    """

    tokens: list[int]
    log_probability: float
    finished: bool


def length_penalty(
    length: int | Tensor, alpha: float, normalization: str = "gnmt"
) -> float | Tensor:
    r"""Return what a log-probability is divided by, to be fair to long ones.

    $$lp(Y) = \left(\frac{5 + |Y|}{6}\right)^\alpha
    \quad\text{or}\quad lp(Y) = |Y|^\alpha$$

    Args:
        length: tokens generated, <eos> counted and <bos> not; a number or a
            tensor of them.
        alpha: 0 divides by 1, and larger values favor longer sentences.
        normalization: "gnmt", the first formula, or "length", the second;
            with alpha = 1 it ranks by the mean log-probability of a token.

    Returns:
        1 for a single token; larger for longer sentences if alpha > 0.

    Raises:
        ValueError: alpha is negative or not a number, or so large that no
            number can hold the penalty; or another normalization.

    Source: Wu et al. 2016 (GNMT), section 7 (equation 14, and before it the
    length itself).
    """
    if normalization not in ("gnmt", "length"):
        raise ValueError(
            f"normalization={normalization!r}; choose 'gnmt' or 'length'"
        )
    if not 0 <= alpha < math.inf:
        raise ValueError(f"alpha={alpha}; choose 0 or a larger number")
    if isinstance(length, Tensor):
        length = length.to(finest(length.device))  # 32 bits end at 3e38
    try:
        if normalization == "length":
            return (length / 1) ** alpha
        return ((5 + length) / 6) ** alpha
    except OverflowError:
        raise ValueError(
            f"alpha={alpha} makes the penalty of {length} tokens larger than "
            "any number; choose a smaller one, such as 0.6"
        ) from None


def _longest(model: Transformer, max_length: int | None) -> int:
    limit = model.config.max_length
    if max_length is None:
        return limit
    check_int("max_length", max_length)
    if max_length > limit:
        raise ValueError(
            f"max_length={max_length}; this model generates 1 to {limit}"
        )
    return max_length


def _log_p(logits: Float[Tensor, "B T V"]) -> Float[Tensor, "B V"]:
    """Score what follows the last token, in float32 or better.

    <pad> and <bos> never follow, whatever the model says of them.
    """
    last = logits[:, -1]
    exact = torch.promote_types(last.dtype, torch.float32)
    log_p = last.to(exact).log_softmax(dim=-1)
    log_p[:, [PAD, BOS]] = -math.inf
    return log_p


def _hypothesis(ids: list[int], log_p: float, finished: bool) -> Hypothesis:
    end = ids.index(EOS) if finished else len(ids)
    return Hypothesis(ids[:end], log_p, finished)


@torch.inference_mode()
def _generate(
    model: Transformer,
    source: Int[Tensor, "B S"],
    max_length: int | None,
    choose: Choose,
) -> list[Hypothesis]:
    """Let `choose` pick each next token; finished sentences leave.

    `choose` gets the log-probabilities of the sentences that are still
    growing, and their rows in the batch.
    """
    max_length = _longest(model, max_length)
    state = model.start(source)
    n = len(source)
    generated = torch.full((n, max_length), PAD, device=source.device)
    score = torch.zeros(n, dtype=finest(source.device), device=source.device)
    finished = torch.zeros(n, dtype=torch.bool, device=source.device)
    rows = torch.arange(n, device=source.device)  # those still unfinished
    token = torch.full((n, 1), BOS, device=source.device)
    for position in range(max_length):
        logits, state = model.decode(token, state)
        log_p = _log_p(logits)
        token = choose(log_p, rows)
        score[rows] += log_p.take_along_dim(token.unsqueeze(1), 1).squeeze(1)
        generated[rows, position] = token
        finished[rows] = token == EOS
        unfinished = (token != EOS).nonzero().squeeze(1)
        if len(unfinished) == 0:
            break
        if len(unfinished) < len(rows):
            rows, token = rows[unfinished], token[unfinished]
            state = state.select(unfinished)
        token = token.unsqueeze(1)
    found = (generated.tolist(), score.tolist(), finished.tolist())
    return [_hypothesis(*one) for one in zip(*found, strict=True)]


def greedy(
    model: Transformer,
    source: Int[Tensor, "B S"],
    max_length: int | None = None,
) -> list[Hypothesis]:
    """Take the most probable next token, again and again, until <eos>.

    All sentences of the batch are decoded together over the key/value
    cache; those that are finished leave it.

    Args:
        model: put it in eval() mode first, or dropout will disturb it.
        source: ids with <pad> on the right.
        max_length: most tokens to generate; the model's own limit when None.

    Returns:
        One hypothesis for each sentence.

    Raises:
        TypeError: ids or max_length are not whole numbers.
        ValueError: an empty batch, an id outside the vocabulary, or
            max_length outside the model's limit.
    """
    return _generate(
        model, source, max_length, lambda log_p, rows: log_p.argmax(dim=-1)
    )


def sampling_probabilities(
    logits: Float[Tensor, "*B V"],
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float = 1.0,
) -> Float[Tensor, "*B V"]:
    r"""Return the probabilities from which the next token is drawn.

    $$p_i \propto e^{z_i / T}$$

    for the tokens that are kept, and 0 for the others. The k most probable
    are kept, and of these the fewest that together have the probability p
    or more.

    Args:
        logits: z, of any shape; log-probabilities will do. -inf forbids a
            token.
        temperature: T; below 1 the probable tokens gain, above 1 the
            others do.
        top_k: tokens to keep; all when None.
        top_p: the probability to keep; 1 keeps all.

    Returns:
        Probabilities of the same shape, in float64 (on Apple's GPUs, which
        have none, in float32).

    Raises:
        TypeError: a value is not a number, or top_k not a whole one.
        ValueError: temperature is not above 0, top_k below 1, or top_p not
            above 0 and at most 1.

    Source: Fan et al. 2018 (top-k), section 5; Holtzman et al. 2020 (top-p),
    section 3.
    """
    check_positive("temperature", temperature)
    check_positive("top_p", top_p)
    if top_p > 1:
        raise ValueError(f"top_p={top_p}; choose 0 < top_p <= 1")
    if top_k is not None:
        check_int("top_k", top_k)
    logits = logits.to(finest(logits.device))
    logits = logits - logits.amax(dim=-1, keepdim=True)  # e^0 is the largest
    p = (logits / temperature).softmax(dim=-1)
    p, order = p.sort(dim=-1, descending=True, stable=True)
    if top_k is not None:
        p[..., top_k:] = 0.0
        p = p / p.sum(dim=-1, keepdim=True)
    if top_p < 1:
        before = p.cumsum(dim=-1) - p  # what the more probable ones have
        p = p.masked_fill(before >= top_p, 0.0)
        p = p / p.sum(dim=-1, keepdim=True)
    return torch.zeros_like(p).scatter(-1, order, p)


def sample(
    model: Transformer,
    source: Int[Tensor, "B S"],
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float = 1.0,
    max_length: int | None = None,
    generator: torch.Generator | None = None,
) -> list[Hypothesis]:
    """Draw each next token at random, by its probability, until <eos>.

    What a sentence draws does not depend on the others of its batch.

    Args:
        model: put it in eval() mode first, or dropout will disturb it.
        source: ids with <pad> on the right.
        temperature, top_k, top_p: see `sampling_probabilities`.
        max_length: most tokens to generate; the model's own limit when None.
        generator: where the random numbers come from, so that a seed gives
            the same sentences again; torch's own when None.

    Returns:
        One hypothesis for each sentence, with the log-probability that the
        model itself gives it, at temperature 1 and with all tokens kept.

    Raises:
        TypeError: ids or max_length are not whole numbers, or see
            `sampling_probabilities`.
        ValueError: an empty batch, an id outside the vocabulary, max_length
            outside the model's limit, or see `sampling_probabilities`.

    Source: Holtzman et al. 2020, section 3.
    """
    # Refuse bad values before the work begins.
    sampling_probabilities(torch.zeros(1), temperature, top_k, top_p)
    device = "cpu" if generator is None else generator.device

    def choose(log_p: Tensor, rows: Tensor) -> Tensor:
        p = sampling_probabilities(log_p, temperature, top_k, top_p)
        # One number a sentence of the batch, whether or not it still grows.
        draw = torch.rand(
            len(source), 1, dtype=p.dtype, generator=generator, device=device
        )
        below = p.cumsum(dim=-1)
        return (below / below[:, -1:] <= draw.to(p.device)[rows]).sum(dim=-1)

    return _generate(model, source, max_length, choose)


def _check_penalty(
    length: int, alpha: float, normalization: str, device: torch.device
) -> None:
    """Refuse what would be infinite on a device of 32 bits."""
    largest = torch.finfo(finest(device)).max
    if length_penalty(length, alpha, normalization) > largest:
        raise ValueError(
            f"alpha={alpha} makes the penalty of {length} tokens larger than "
            f"{largest:.0e}, where the numbers of {device} end; choose a "
            "smaller one, such as 0.6"
        )


class Beams(NamedTuple):
    """The k best hypotheses of each sentence, finished or not.

    A hypothesis that is finished keeps its place and its score, and competes
    with the others at every step.

    Attributes:
        tokens: what each one says so far, <eos> and <pad> included.
        log_p: sum over its tokens, in nats.
        length: tokens generated, <eos> counted.
        finished: True where it ended with <eos>.

    Source: Wu et al. 2016 (GNMT), section 7.
    """

    tokens: Int[Tensor, "B k L"]
    log_p: Float[Tensor, "B k"]
    length: Int[Tensor, "B k"]
    finished: Bool[Tensor, "B k"]

    @classmethod
    def start(cls, n: int, k: int, device: torch.device) -> "Beams":
        """Return one empty hypothesis each, and k - 1 impossible ones.

        Args:
            n: number of sentences.
            k: hypotheses of each.
            device: where to search.
        """
        log_p = torch.full((n, k), -math.inf, device=device)
        log_p[:, 0] = 0.0
        none = torch.zeros(n, k, dtype=torch.long, device=device)
        return cls(none.new_empty(n, k, 0), log_p, none, none.bool())

    def select(self, rows: Int[Tensor, " R"]) -> "Beams":
        """Return the beams of some sentences."""
        return Beams(*(field[rows] for field in self))

    def step(
        self,
        log_p: Float[Tensor, "B k V"],
        alpha: float,
        normalization: str = "gnmt",
    ) -> tuple["Beams", Int[Tensor, "B k"]]:
        """Let every hypothesis go on in every way; keep the k best.

        Args:
            log_p: of each next token, given each hypothesis.
            alpha, normalization: see `length_penalty`.

        Returns:
            The new beams, and which hypothesis each one goes on from.
        """
        vocab_size = log_p.shape[-1]
        # A finished one goes on in one way: by <pad>, which costs nothing.
        stay = torch.full_like(log_p[0, 0], -math.inf)
        stay[PAD] = 0.0
        log_p = torch.where(self.finished.unsqueeze(-1), stay, log_p)
        total = self.log_p.unsqueeze(-1) + log_p
        length = self.length + ~self.finished
        penalty = length_penalty(length.unsqueeze(-1), alpha, normalization)
        ranked = total / penalty
        best = ranked.flatten(1).topk(self.log_p.shape[1]).indices
        parent, token = best // vocab_size, best % vocab_size
        generated = self.tokens.take_along_dim(parent.unsqueeze(-1), dim=1)
        was_finished = self.finished.take_along_dim(parent, dim=1)
        beams = Beams(
            torch.cat([generated, token.unsqueeze(-1)], dim=-1),
            total.flatten(1).take_along_dim(best, dim=1),
            length.take_along_dim(parent, dim=1),
            was_finished | (token == EOS),
        )
        return beams, parent

    def hypotheses(self, row: int) -> list[Hypothesis]:
        """Return one sentence's hypotheses, the impossible ones left out."""
        fields = (self.tokens[row], self.log_p[row], self.finished[row])
        found = zip(*(field.tolist() for field in fields), strict=True)
        every = [_hypothesis(*one) for one in found]
        return [one for one in every if one.log_probability != -math.inf]

    def done(self) -> Bool[Tensor, " B"]:
        """Return where no hypothesis can go on."""
        return (self.finished | self.log_p.isneginf()).all(dim=1)


@torch.inference_mode()
def beam_search(
    model: Transformer,
    source: Int[Tensor, "B S"],
    beam_size: int = 4,
    alpha: float = 0.6,
    max_length: int | None = None,
    normalization: str = "gnmt",
) -> list[list[Hypothesis]]:
    r"""Keep the k best beginnings at each step, not only the best one.

    $$s(Y) = \log P(Y \mid X) / lp(Y)$$

    ranks all hypotheses at each step, finished or not, in one beam of k. A
    finished one keeps its place and its score until k better ones come. The
    search of a sentence ends when all k are finished, or at max_length.

    Args:
        model: put it in eval() mode first, or dropout will disturb it.
        source: ids with <pad> on the right.
        beam_size: k.
        alpha, normalization: see `length_penalty`.
        max_length: most tokens to generate; the model's own limit when None.

    Returns:
        For each sentence up to k hypotheses, the best one first.

    Raises:
        TypeError: ids, beam_size or max_length are not whole numbers.
        ValueError: an empty batch, beam_size below 1, max_length outside
            the model's limit, or an alpha or a normalization that
            `length_penalty` refuses at this length.

    Source: Wu et al. 2016 (GNMT), section 7.
    """
    check_int("beam_size", beam_size)
    max_length = _longest(model, max_length)
    # refuse a bad one before the work
    length_penalty(max_length, alpha, normalization)
    state = model.start(source)
    n, device = len(source), source.device
    _check_penalty(max_length, alpha, normalization, device)
    found: list[list[Hypothesis]] = [[] for _ in range(n)]
    beams = Beams.start(n, beam_size, device)
    rows = torch.arange(n, device=device)  # the sentences still searched
    state = state.select(rows.repeat_interleave(beam_size))
    token = torch.full((n * beam_size, 1), BOS, device=device)
    for position in range(1, max_length + 1):
        logits, state = model.decode(token, state)
        log_p = _log_p(logits).unflatten(0, (len(rows), beam_size))
        beams, parent = beams.step(log_p, alpha, normalization)
        done = beams.done() | (position == max_length)
        for i in done.nonzero().flatten().tolist():
            found[rows[i]] = beams.hypotheses(i)
        going = (~done).nonzero().flatten()
        if len(going) == 0:
            break
        origin = parent + beam_size * torch.arange(
            len(rows), device=device
        ).unsqueeze(1)
        state = state.select(origin[going].flatten())
        rows, beams = rows[going], beams.select(going)
        token = beams.tokens[:, :, -1].reshape(-1, 1)
    return found
