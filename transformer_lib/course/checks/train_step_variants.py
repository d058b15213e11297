"""The reference for the exercise `train_step`, and its wrong variants."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from transformer_lib.course.checks.train_step_drill import (
    Drill,
    Ids,
    Optimizer,
    play,
)

__all__ = ["step_variant", "trained"]

_RIGHT = {
    "zero": "before",
    "mode": "train",
    "optimizer": "given",
    "feeds": "target_in",
    "asks": "target_out",
    "logits": "raw",
    "divide": "tokens",
    "back": "once",
    "clip": "together",
    "rate": "before",
    "step": "once",
    "result": "loss",
}


def trained(batches: Drill, **knobs: Any) -> Any:
    """The reference put through a drill, or a wrong variant."""
    chosen = _RIGHT | knobs

    def function(*args: Any) -> Any:
        return step_variant(*args, chosen)

    return play(function, batches)


def step_variant(
    model: nn.Module,
    optimizer: Optimizer,
    batch: Ids,
    loss_fn: Any,
    clip: float,
    rate: float,
    chosen: dict[str, str],
) -> Any:
    """One update in this variant's way."""
    if chosen["mode"] != "as it came":
        model.train(chosen["mode"] == "train")
    if chosen["optimizer"] != "given":
        adam = chosen["optimizer"] == "new Adam"
        optimizer = Optimizer([list(model.parameters())], rate, adam)
    if chosen["step"] == "before":
        optimizer.step()
    if chosen["zero"] == "before":
        optimizer.zero_grad()
    if chosen["clip"] == "before backward":
        nn.utils.clip_grad_norm_(model.parameters(), clip)
    loss, total, count = _loss(model, batch, loss_fn, chosen)
    if chosen["back"] != "never":
        up = {"uphill": -loss, "the total": total}.get(chosen["back"], loss)
        up.backward(retain_graph=chosen["back"] == "twice")
    if chosen["back"] == "twice":
        loss.backward()
    if chosen["zero"] == "after backward":
        optimizer.zero_grad()
    length = _clip(model, clip, chosen["clip"])
    if chosen["rate"] != "after the step":
        _set_rate(optimizer, rate, chosen["rate"])
    if chosen["step"] in ("once", "twice"):
        optimizer.step()
    if chosen["step"] == "twice":
        optimizer.step()
    if chosen["rate"] == "after the step":
        _set_rate(optimizer, rate, "before")
    if chosen["result"] == "after":
        return _loss(model, batch, loss_fn, chosen)[0].detach()
    return {
        "loss": loss,
        "total": total,
        "count": count,
        "length": length,
        "rate": rate,
        "perplexity": loss.exp(),
    }[chosen["result"]]


def _loss(
    model: nn.Module, batch: Ids, loss_fn: Any, chosen: dict
) -> tuple[Any, Any, Any]:
    """The loss to learn from, the total and the number of tokens."""
    asked = getattr(batch, chosen["asks"])
    logits = model(batch.source, getattr(batch, chosen["feeds"]))
    if chosen["logits"] == "softmax":
        logits = logits.softmax(dim=-1)
    total, count = loss_fn(logits, asked)
    below = {
        "tokens": count,
        "nothing": 1,
        "cells": asked.numel(),
        "sentences": len(asked),
        "length": asked.shape[1],
        "twice": count**2,
    }
    if chosen["divide"] == "upside down":
        return count / total, total, count
    if chosen["divide"] == "mean of sentences":
        sums = [
            loss_fn(x[None], y[None])
            for x, y in zip(logits, asked, strict=True)
        ]
        return sum(t / n for t, n in sums) / len(sums), total, count
    return total / below[chosen["divide"]], total, count


def _clip(model: nn.Module, clip: float, how: str) -> Any:
    """Shorten the gradient in this variant's way; return its length."""
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    if not gradients:
        return torch.tensor(0.0)
    length = torch.sqrt(sum((g**2).sum() for g in gradients))
    if how == "each by itself":
        for p in model.parameters():
            nn.utils.clip_grad_norm_([p], clip)
    elif how == "each group":
        nn.utils.clip_grad_norm_([model.table], clip)
        nn.utils.clip_grad_norm_([model.out, model.bias], clip)
    elif how in ("sum of sizes", "largest number"):
        kind = 1.0 if how == "sum of sizes" else float("inf")
        nn.utils.clip_grad_norm_(model.parameters(), clip, norm_type=kind)
    elif how == "each number":
        nn.utils.clip_grad_value_(model.parameters(), clip)
    elif how in ("together", "always to this length", "one", "inverse"):
        longest = 1.0 if how == "one" else clip
        factor = longest / (length + 1e-6)
        if how != "always to this length":
            factor = min(1.0, float(factor))
        if how == "inverse":
            factor = max(1.0, longest / (float(length) + 1e-6))
        for g in gradients:
            g.mul_(factor)
    return length


def _set_rate(optimizer: Optimizer, rate: float, how: str) -> None:
    """Write the rate into the optimizer in this variant's way."""
    if how == "never":
        return
    groups = optimizer.param_groups
    chosen = {"first group": groups[:1], "last group": groups[-1:]}
    for group in chosen.get(how, groups):
        old = group["lr"]
        group["lr"] = {"times the old": old * rate, "added": old + rate}.get(
            how, rate
        )
