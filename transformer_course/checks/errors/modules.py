"""A class of `torch.nn` that is used as if it were a function."""

from __future__ import annotations

import sys
from types import TracebackType

__all__ = ["made_from_a_tensor", "of_a_module"]

FUNCTIONS = {
    "GELU": "F.gelu(x)",
    "LogSoftmax": "torch.log_softmax(x, dim=-1)",
    "ReLU": "torch.relu(x)",
    "Sigmoid": "torch.sigmoid(x)",
    "Softmax": "torch.softmax(x, dim=-1)",
    "Tanh": "torch.tanh(x)",
}


def of_a_module(name: str) -> str:
    """Say that a class of `torch.nn` makes a module and computes nothing.

    Args:
        name: of a class.

    Returns:
        Sentences; empty for a class that `torch.nn` does not have.
    """
    nn = getattr(sys.modules.get("torch"), "nn", None)
    kind = getattr(nn, name, None)
    if not (isinstance(kind, type) and issubclass(kind, nn.Module)):
        return ""
    said = f"`nn.{name}(...)` makes a module and computes nothing yet."
    if name in FUNCTIONS:
        return f"{said} The function is `{FUNCTIONS[name]}`."
    return f"{said} Make it in `__init__`, and call what you made: `self.m(x)`."


def made_from_a_tensor(step: TracebackType | None) -> str:
    """The class of `torch.nn` whose `__init__` got a tensor and stopped."""
    torch = sys.modules.get("torch")
    while torch and step is not None:
        frame, step = step.tb_frame, step.tb_next
        if frame.f_code.co_name != "__init__":
            continue  # its locals stay unread: a frame keeps what was read
        made = type(frame.f_locals.get("self"))
        if _is_of_torch(made):
            inputs = frame.f_code.co_varnames[: frame.f_code.co_argcount]
            if any(torch.is_tensor(frame.f_locals.get(n)) for n in inputs):
                return made.__name__
    return ""


def _is_of_torch(kind: type) -> bool:
    return str(kind.__module__).startswith("torch.nn.modules")
