"""A device other than the processor: what a GPU allows, and what it refuses."""

import pytest
import torch

from transformer_course.checks.parts.elsewhere import THERE, call_elsewhere


def _fill(x):
    made = torch.empty(2, 3, device=x.device)
    made[:, 1:] = x[:, 1:]  # what a view writes, the whole sees
    made.T[0] = 5.0
    return made.unsqueeze_(0).squeeze(0)


ELSEWHERE = {  # what a GPU allows
    "moved": lambda x, _: x + torch.arange(3).to(x.device),
    "named": lambda x, _: x + torch.zeros(3, device=x.device),
    "like": lambda x, _: x.clone().mul_(2) + torch.zeros_like(x),
    "number": lambda x, _: x + torch.tensor(1.0) + x.max().item(),
    "list": lambda x, _: x + torch.tensor([1.0, 2, 3], device=x.device),
    "as list": lambda x, _: x @ torch.as_tensor(x.tolist(), device=x.device).T,
    "new": lambda x, _: x.new_tensor([[7.0]]) + x,
    "indices": lambda x, place: x[torch.arange(2), place],
    "lists": lambda x, _: x[[1, 0]] + x[range(2), [2, 1]].sum(),
    "array": lambda x, place: x[:, place.cpu().numpy()],
    "looks": lambda x, _: x[x > 2] if (x > 2).any() else x,
    "sum": lambda x, _: torch.tensor(0.0) + x.sum(),
    "parts": lambda x, _: torch.unsafe_split(x, 1)[1],
    "views": lambda x, _: _fill(x),
}


STOPS = {
    "row": lambda x, _: x + torch.arange(3),
    "view": lambda x, _: x + torch.arange(3).float().unsqueeze(0),
    "cat": lambda x, _: torch.cat([x, torch.ones(1, 3)]),
    "table": lambda _, place: torch.eye(3)[place],
    "scatter": lambda _, p: torch.zeros(2, 3).scatter_(1, p[:, None], 1.0),
}


@pytest.mark.parametrize("call", ELSEWHERE.values(), ids=ELSEWHERE)
def test_elsewhere_the_numbers_are_those_of_the_processor(call):
    inputs = torch.arange(6.0).view(2, 3), torch.tensor([0, 1])
    there = []
    got = call_elsewhere(lambda *x: there.extend(x) or call(*x), *inputs)
    assert {x.device.type for x in there} == {THERE}
    assert torch.equal(got, call(*inputs))
    with torch.inference_mode():
        assert torch.equal(got, call_elsewhere(call, *inputs))


@pytest.mark.parametrize("call", STOPS.values(), ids=STOPS)
def test_what_is_made_without_a_device_stays_on_the_processor(call):
    with pytest.raises(RuntimeError, match="same device"):
        call_elsewhere(call, torch.ones(2, 3), torch.tensor([0, 1]))
    with pytest.raises(RuntimeError, match="lies on the processor"):
        call_elsewhere(lambda x: torch.ones(3), torch.ones(3))
