"""What an error means, in words: from its text and from the line it ends.

Each sentence holds for every program that stops with this error at this line.
What is not certain is not said; then the error stands alone.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import dis
import inspect
import itertools
import linecache
import re
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from types import (
    FrameType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    TracebackType,
)
from typing import Any

import numpy as np

__all__ = ["cause_of", "of_a_module"]

IMPORTS = {
    "F": "from torch.nn import functional as F",
    "Tensor": "from torch import Tensor",
    "clip_grad_norm_": "from torch.nn.utils import clip_grad_norm_",
    "math": "import math",
    "nn": "from torch import nn",
    "np": "import numpy as np",
    "reference": "from transformer_lib import numpy_reference as reference",
    "torch": "import torch",
} | {
    name: f"from transformer_lib.special_tokens import {name}"
    for name in ("PAD", "BOS", "EOS", "UNK")
}
FUNCTIONS = {
    "GELU": "F.gelu(x)",
    "LogSoftmax": "torch.log_softmax(x, dim=-1)",
    "ReLU": "torch.relu(x)",
    "Sigmoid": "torch.sigmoid(x)",
    "Softmax": "torch.softmax(x, dim=-1)",
    "Tanh": "torch.tanh(x)",
}
_ELSEWHERE = {  # names that other libraries have for it
    "Dense": "nn.Linear",
    "expand_dims": "torch.unsqueeze",
    "reduce_mean": "torch.mean",
    "reduce_sum": "torch.sum",
    "tri": "torch.ones(n, n).tril()",
}
_ARRAYS = ("Tensor", "Parameter", "ndarray")
_MOST = 4  # names of a line that are described
_LONGEST = 1000  # characters of an error that are read


def cause_of(error: BaseException, step: TracebackType | None) -> str:
    """Say what an error means; for use under guard.

    Args:
        error: that ended the student's program.
        step: the student's own line in its traceback, None if there is none.

    Returns:
        Sentences; empty if nothing is certain.
    """
    if isinstance(error, RecursionError | MemoryError):
        return ""  # too many frames to walk along
    line = _Line(error, step)
    made = _made_from_a_tensor(error.__traceback__)
    if made:
        return of_a_module(made)
    if isinstance(error, NameError):
        return _name(error, line)
    text = str(error)[:_LONGEST]
    for pattern, say in _KNOWN:
        found = re.search(pattern, text, re.DOTALL)
        if found:
            said = say(found, line) if callable(say) else found.expand(say)
            if said:
                return said
    if isinstance(error, AttributeError):
        return _attribute(error, line)
    return ""


class _Line:
    """The part of the student's code that stopped, and the values in it."""

    def __init__(self, error: BaseException, step: TracebackType | None):
        self.error = error
        self.frame: FrameType | None = step.tb_frame if step else None
        self.tree, self.whole = _trees(step) if step else (None, None)

    def values(self, whole: bool = False) -> dict[str, Any]:
        """Names such as `x` and `self.weight` in the part, with values."""
        tree = self.whole if whole else self.tree
        return {
            ast.unparse(node): value
            for node in (ast.walk(tree) if tree else ())
            if isinstance(node, ast.Name | ast.Attribute)
            for value in self.value(node)
        }

    def value(self, node: ast.AST) -> list[Any]:
        """The value of a name in a list of one; empty if it has none."""
        if isinstance(node, ast.Name) and self.frame is not None:
            for names in (self.frame.f_locals, self.frame.f_globals):
                if node.id in names:
                    return [names[node.id]]
        if isinstance(node, ast.Attribute):
            for owner in self.value(node.value):
                inside = getattr(owner, "__dict__", {})
                for kind in ("", "_parameters", "_buffers", "_modules"):
                    names = inside.get(kind, {}) if kind else inside
                    if node.attr in names:
                        return [names[node.attr]]
                method = inspect.getattr_static(owner, node.attr, None)
                if inspect.isfunction(method):
                    return [MethodType(method, owner)]
                if isinstance(method, MethodDescriptorType):
                    return [method.__get__(owner)]
        return []

    def owner(self) -> Any:
        """The object whose method stopped, or None."""
        return self.frame.f_locals.get("self") if self.frame else None

    def ends_here(self) -> bool:
        """True if the line itself stopped, and nothing that it called."""
        step = self.error.__traceback__
        while step is not None and step.tb_next is not None:
            step = step.tb_next
        return step is not None and step.tb_frame is self.frame

    def calls(self) -> ast.Call | None:
        """The call that stopped, if it was one."""
        node = getattr(self.tree, "body", [None])[0]
        call = getattr(node, "value", None)
        return call if isinstance(call, ast.Call) else None

    def not_called(self, kind: str) -> str:
        """The one name of the part that stands there without brackets."""
        tree = self.tree or self.whole
        every = list(ast.walk(tree)) if tree else []
        run = [node.func for node in every if isinstance(node, ast.Call)]
        if kind == "type":  # `torch.Tensor.sum` reads a class
            run += [n.value for n in every if isinstance(n, ast.Attribute)]
        found = [
            ast.unparse(node)
            for node in every
            if node not in run
            and [type(v).__name__ for v in self.value(node)] == [kind]
        ]
        return found[0] if len(set(found)) == 1 else ""

    def arrays(self, what: str) -> str:
        """Say what the arrays of the part are: their shape, or their dtype."""
        told = []
        for name, value in (self.values() or self.values(whole=True)).items():
            if type(value).__name__ in _ARRAYS:
                found = getattr(value, what)
                found = tuple(found) if what == "shape" else found
                told.append(f"`{name}` has the {what} {found}")
        return f" Here {', '.join(told[:_MOST])}." if told else ""

    def called(self, name: str) -> str:
        """Say what the function of this name, called here, takes."""
        call = self.calls()
        for function in self.value(call.func) if call else ():
            inner = function
            if isinstance(function, type):
                inner = MethodType(function.__init__, function)
            elif hasattr(function, "forward"):
                inner = function.forward
            if inner.__name__ != name:
                return ""  # it calls another one, and that one stopped
            names = inspect.signature(inner).parameters
            takes = ", ".join(f"`{name}`" for name in names)
            return f" `{ast.unparse(call.func)}` takes {takes or 'no inputs'}."
        return ""


def _trees(
    step: TracebackType,
) -> tuple[ast.Module | None, ast.Module | None]:
    """The expression that stopped, and the lines it stands in."""
    code = step.tb_frame.f_code
    first, last, start, stop = list(code.co_positions())[step.tb_lasti // 2]
    first, last = first or step.tb_lineno, last or step.tb_lineno
    lines = linecache.getlines(code.co_filename)[first - 1 : last]
    part = [text.encode() for text in lines]
    if part and start is not None and stop is not None:
        part[-1] = part[-1][:stop]
        part[0] = part[0][start:]
    return _parsed(b"".join(part).decode()), _parsed("".join(lines))


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(textwrap.dedent(text).strip().rstrip(":"))
    except SyntaxError:
        return None


# ----------------------------------------------------------------- names


def _name(error: NameError, line: _Line) -> str:
    name = error.name or ""
    if isinstance(error, UnboundLocalError):
        return (
            "A name that gets a value anywhere in a function is the "
            "function's own, and here it is read before it has one."
        )
    if not name or line.frame is None:
        return ""
    said = f"No cell that ran has defined `{name}`."
    if name in IMPORTS:
        return (
            f"{said} Run the cell that imports it, or write "
            f"`{IMPORTS[name]}` above your code."
        )
    of_class = _of_the_class(name, line)
    if of_class:
        return of_class
    for home, module in _homes().items():
        if callable(getattr(module, name, None)):
            return f"{said} PyTorch's is `{home}.{name}`."
    known = {**vars(builtins), **line.frame.f_globals, **line.frame.f_locals}
    return said + _like(name, known)


def _homes() -> dict[str, ModuleType]:
    """PyTorch's modules, under their usual names."""
    torch = sys.modules.get("torch")
    if torch is None:
        return {}
    return {"torch": torch, "nn": torch.nn, "F": torch.nn.functional}


def _like(name: str, known: Any) -> str:
    """Offer a known name that is written nearly the same."""
    public = [other for other in known if not other.startswith("_")]
    near = difflib.get_close_matches(name, public, n=1, cutoff=0.7)
    return f" Did you mean `{near[0]}`?" if near else ""


def _of_the_class(name: str, line: _Line) -> str:
    """Say that the class has a name, which its methods do not see."""
    owner, code = line.owner(), line.frame.f_code if line.frame else None
    if owner is None:
        return ""
    if line.value(ast.parse(f"self.{name}", mode="eval").body):
        if inspect.isfunction(getattr(type(owner), name, None)):
            return f"It is a method of your class: `self.{name}(...)`."
        return f"Your module keeps it: write `self.{name}` here."
    homes = [m for m, inputs in _methods(owner) if name in inputs]
    if not homes and _is_a_variable(name, owner):
        return (
            "In `__init__` it is a variable, which is gone when `__init__` "
            f"ends: `self.{name} = ...` there, and `self.{name}` here."
        )
    if "__init__" in homes:
        return (
            f"It is an input of `__init__`: keep it there, `self.{name} = "
            f"{name}`, and write `self.{name}` here."
        )
    if homes and code:
        own = ", ".join(f"`{n}`" for n in code.co_varnames[: code.co_argcount])
        return (
            f"It is an input of `{homes[0]}`; this method, "
            f"`{code.co_name}`, has {own}."
        )
    return ""


def _methods(owner: Any) -> list[tuple[str, tuple[str, ...]]]:
    """The methods that the class of an object defines, and their inputs."""
    return [
        (name, tuple(inspect.signature(method).parameters)[1:])
        for name, method in vars(type(owner)).items()
        if inspect.isfunction(method)
    ]


def _attribute(error: AttributeError, line: _Line) -> str:
    name, owner = error.name, error.obj
    if not name or owner is None:
        return ""
    if isinstance(owner, ModuleType):
        return _of_a_library(name, owner)
    is_module = "forward" in dir(owner)
    if f"'{name}'" in str(error) and (is_module or owner is line.owner()):
        what = "module" if is_module else "object"
        said = f"Nothing has been kept as `{name}` in this {what}."
        why = _why_unkept(name, owner, line) if owner is line.owner() else ""
        own = _own_names(owner) if is_module else dir(owner)
        return said + (why or _like(name, own))
    return _like(name, dir(owner)).strip()


def _why_unkept(name: str, owner: Any, line: _Line) -> str:
    """Say where the class has a name that its object has not kept."""
    if name in dict(_methods(owner)).get("__init__", ()):
        return (
            " It is an input of `__init__`: keep it there, "
            f"`self.{name} = {name}`."
        )
    if _is_a_variable(name, owner):
        return (
            " In `__init__` it is a variable, which is gone when `__init__` "
            f"ends: `self.` has to stand before it, `self.{name} = ...`."
        )
    homes = {m for m, _ in _methods(owner) if _keeps(type(owner), m, name)}
    here = line.frame.f_code.co_name if line.frame else ""
    others = homes - {here}
    if len(others) == 1 and "__init__" not in homes:
        return (
            f" `{others.pop()}` keeps it, and has not done so by now. What "
            "every method reads is made in `__init__`."
        )
    if homes == {here} and not _like(name, vars(owner)):
        return f" `{here}` keeps it, but not before this line reads it."
    return ""


def _is_a_variable(name: str, owner: Any) -> bool:
    """True if `__init__` has a variable of this name."""
    init = vars(type(owner)).get("__init__")
    return inspect.isfunction(init) and name in init.__code__.co_varnames


def _keeps(kind: type, method: str, name: str) -> bool:
    """True if a method has a line `self.name = ...`."""
    code = vars(kind)[method].__code__
    steps = list(dis.get_instructions(code))
    own = code.co_varnames[:1]
    return any(
        step.opname == "STORE_ATTR"
        and step.argval == name
        and own in ((before.argval,), (before.argval or ())[-1:])
        for before, step in itertools.pairwise(steps)
    )


def _own_names(module: Any) -> list[str]:
    """What a module has beside that which every module has."""
    every = set(dir(sys.modules["torch"].nn.Module()))
    return [name for name in dir(module) if name not in every]


def _of_a_library(name: str, home: ModuleType) -> str:
    """Offer what is written nearly the same in torch, or in NumPy."""
    homes = {"np": np} | _homes()
    short = next((s for s, other in homes.items() if other is home), "")
    if not short:
        return _like(name, dir(home)).strip()
    if short != "np":
        if name in _ELSEWHERE:
            return f"In PyTorch it is `{_ELSEWHERE[name]}`."
        del homes["np"]
        for other in (short, *homes):
            for real in dir(homes[other]):
                if _bare(real) == _bare(name):
                    return f"Did you mean `{other}.{real}`?"
    said = _like(name, dir(home)).strip()
    return said.replace("mean `", f"mean `{short}.")


def _bare(name: str) -> str:
    return name.replace("_", "").lower()


def _none(found: re.Match, line: _Line) -> str:
    """Name what is None in the part that stopped."""
    empty = [name for name, v in line.values().items() if v is None]
    if not empty:
        return ""
    said = f"`{empty[0]}` is None here."
    code = line.frame.f_code if line.frame else None
    inputs = code.co_argcount + code.co_kwonlyargcount if code else 0
    if code and empty[0] in code.co_varnames[:inputs]:
        said += (
            " It is an input that may be left out; ask first: "
            f"`if {empty[0]} is not None:`."
        )
    return said


# --------------------------------------------------------------- modules


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


def _made_from_a_tensor(step: TracebackType | None) -> str:
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


# ---------------------------------------------------------------- shapes


def _product(left: int, right: int, found: re.Match, line: _Line) -> str:
    """A product of matrices whose inner axes differ."""
    sizes = f"({found[left]})", f"({found[right]})"
    return (
        f"In a product `A @ B` the last axis of A {sizes[0]} must be as long "
        f"as the last but one of B {sizes[1]}"
        f"{_linear(line.error, found[right])}.{line.arrays('shape')}"
    )


def _linear(error: BaseException, takes: str) -> str:
    """What B is, if the product is that of a linear layer."""
    step, last = error.__traceback__, ""
    while step is not None:
        last, step = step.tb_frame.f_code.co_filename, step.tb_next
    own = last.replace("\\", "/").endswith("torch/nn/modules/linear.py")
    return f"; this `nn.Linear` takes {takes} features" if own else ""


def _batched(found: re.Match, line: _Line) -> str:
    wanted, came = found[1].split(", "), found[2].split(", ")
    if wanted[0] == came[0]:
        pair = re.match("(.*) (.*)", f"{wanted[1]} {came[1]}")
        return _product(1, 2, pair, line)
    return _meet(f"{wanted[0]}", f"{came[0]}", "0", line)


def _meet(left: str, right: str, axis: str, line: _Line) -> str:
    return (
        f"Shapes are compared from their last axis on. On axis {axis} one has "
        f"the length {left} and the other {right}; only equal lengths, or a "
        f"length of 1, go together.{line.arrays('shape')}"
    )


def _numpy_shapes(found: re.Match, line: _Line) -> str:
    shapes = [
        [int(n) for n in text.split(",") if n] for text in found.group(1, 2)
    ]
    longest = max(map(len, shapes))
    pairs = zip(*([1] * (longest - len(s)) + s for s in shapes), strict=True)
    for axis, (left, right) in reversed(list(enumerate(pairs))):
        if left != right and 1 not in (left, right):
            return _meet(str(left), str(right), str(axis), line)
    return ""


def _count(found: re.Match, line: _Line) -> str:
    shape = found["shape"].replace("newaxis", "-1")  # as NumPy calls it
    sizes = [int(n) for n in re.findall(r"-?\d+", shape)]
    product = int(np.prod([n for n in sizes if n >= 0]))
    holds = f"A shape {tuple(sizes)} holds {product} numbers"
    if -1 in sizes:
        holds = f"The other axes of {tuple(sizes)} hold {product} numbers"
    many = "" if -1 not in sizes else ", which is no multiple of that"
    what = "array" if "reshape array" in found[0] else "tensor"
    return (
        f"{holds}, and the {what} has {found['size']}{many}."
        f"{line.arrays('shape')}"
    )


def _shapes(sentence: str, found: re.Match, line: _Line) -> str:
    """A sentence, with groups of the pattern in it, and the shapes."""
    return found.expand(sentence) + line.arrays("shape")


def _types(sentence: str, found: re.Match, line: _Line) -> str:
    return found.expand(sentence) + line.arrays("dtype")


def _dtypes(found: re.Match, line: _Line) -> str:
    """Two dtypes meet; the text of the error says which."""
    kinds = r"\b(bool|long|int|half|float|double)\d*\b"
    names = re.findall(kinds, found.string.lower())
    said = _BOTH_DTYPES
    if "bool" in names:
        said = _MASK_AND_NUMBERS
    elif {"long", "int"} & set(names):
        said = _WHOLE_AND_DECIMALS
    return said + line.arrays("dtype")


def _axis(found: re.Match, line: _Line) -> str:
    lowest, highest, axis = (int(n) for n in found.groups())
    count = highest + 1
    axes = f"0 to {highest}" if highest > 0 else "0 alone"
    return (
        f"There is no axis {axis}: this line may name {axes}, or from the "
        f"end -1 to {-count}.{line.arrays('shape')}"
        if lowest < -1
        else f"There is no axis {axis}.{line.arrays('shape')}"
    )


def _nothing(sentence: str, found: re.Match, line: _Line) -> str:
    """A sentence, and what is empty in the line."""
    told = []
    for name, value in (line.values() or line.values(whole=True)).items():
        if isinstance(value, list | tuple | str | dict) and not value:
            told.append(f"`{name}` is empty")
        elif type(value).__name__ in _ARRAYS and 0 in value.shape:
            told.append(f"`{name}` has the shape {tuple(value.shape)}")
    return sentence + (f" Here {', '.join(told[:_MOST])}." if told else "")


# ------------------------------------------------------------ the inputs


def _wrong_input(found: re.Match, line: _Line) -> str:
    function, name, wanted, came = found.groups()
    came = came.rpartition(".")[2]
    if wanted.startswith("tuple of Tensors"):
        return (
            f"`torch.{function}` takes its tensors in one list, as in "
            f"`torch.{function}([a, b], dim=-1)`."
        )
    if came == "NoneType":
        return _none(found, line)
    if wanted == "Tensor":
        said = _kept_class(came, line) or of_a_module(came)
        if said or came == "tuple":
            return said or _TUPLE
        if came in ("int", "float"):
            return (
                f"`torch.{function}` takes a tensor, and here comes a number: "
                "use `math`, or make a tensor of it."
            )
        if came == "ndarray":
            return (
                f"`torch.{function}` takes a tensor, and here comes a NumPy "
                "array: use NumPy's function, or `torch.from_numpy`."
            )
    return (
        f"The input `{name}` of `{function}` has to be of the type {wanted}; "
        f"here it is of the type {came}."
    )


def _kept_class(kind: str, line: _Line) -> str:
    """Say that the student's module keeps a class in place of a layer."""
    for name, value in getattr(line.owner(), "__dict__", {}).items():
        if isinstance(value, type) and value.__name__ == kind:
            return (
                f"`self.{name}` is the class `{kind}` itself, and calling it "
                f"makes a module. Keep a module: `nn.{kind}()`, with brackets."
            )
    return ""


def _missing_of_torch(found: re.Match, line: _Line) -> str:
    function, name = found.groups()
    if function in ("transpose", "swapaxes"):
        return (
            f"`{function}` exchanges two axes and needs both, as in "
            f"`x.{function}(-2, -1)`."
        )
    if name in ("dim", "axis"):
        return (
            f"`{function}` also needs `dim`, the axis along which it works, "
            "such as `dim=-1` for the last."
        )
    return f"`{function}` also needs `{name}`."


def _call(found: re.Match, line: _Line) -> str:
    name = found[1].rpartition(".")[2]
    method = "." in found[1] and "positional" in found[0] and "were" in found[0]
    own = " Of a method, Python counts `self`, too." if method else ""
    init = _like_init(line.error.__traceback__) if name == "__init__" else ""
    return init or f"{line.called(name)}{own}".strip()


def _like_init(step: TracebackType | None) -> str:
    """Say that a class has no `__init__`, but a method named nearly so."""
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    made = type(step.tb_frame.f_locals.get("self")) if step else object
    own = [name for name, value in vars(made).items() if callable(value)]
    near = difflib.get_close_matches("__init__", own, n=1, cutoff=0.8)
    if "__init__" in own or not near:
        return ""
    return (
        f"Your class has `{near[0]}`, an ordinary method, and no `__init__`: "
        "Python calls the one with two underscores on each side."
    )


def _operands(found: re.Match, line: _Line) -> str:
    kinds = found.groups()
    if "NoneType" in kinds:
        return _none(found, line)
    if set(_ROUTINES) & set(kinds):
        return _not_run(found, line)
    if "tuple" in kinds and {"Tensor", "numpy.ndarray"} & set(kinds):
        return _TUPLE
    return next(filter(None, map(of_a_module, kinds)), "")


def _of_kind(found: re.Match, line: _Line) -> str:
    """An attribute that a tuple, None or a module does not have."""
    kind = found[1]
    if kind == "NoneType":
        return _none(found, line)
    if kind in _ROUTINES:
        return _not_run(found, line)
    if kind == "dict":
        return _entry(found[2], line)
    if kind == "Tensor":
        return _NOT_OF_TENSORS.get(found[2], "")
    if not hasattr(np.ndarray, found[2]) and found[2] not in _OF_TENSORS:
        return ""
    said = {"tuple": _TUPLE, "list": _LIST}.get(kind, "")
    return said or of_a_module(kind)


def _not_a_function(found: re.Match, line: _Line) -> str:
    kind = found[1].rpartition(".")[2]
    if kind == "NoneType":
        return _none(found, line)
    call = line.calls()
    values = line.value(call.func) if call else []
    if not line.ends_here():
        return ""
    if not call or not values:
        return (
            f"Round brackets call what stands before them, and that is a "
            f"{kind}. Leave them away, or write square ones to take an entry."
        )
    name, value = ast.unparse(call.func), values[0]
    what = f" {value}" if kind in ("int", "float", "bool") else ""
    said = f"Round brackets call what stands before them, and `{name}` is "
    said += f"the number{what}." if what else f"a {kind}."
    layer = name.rpartition(".")[2].title()
    if what and of_a_module(layer):
        return f"{said} A layer is made in `__init__`, by `nn.{layer}(...)`."
    if hasattr(value, "__getitem__"):
        return f"{said} Square ones take an entry of it: `{name}[...]`."
    return said


def _not_run(found: re.Match, line: _Line) -> str:
    """A method, a function or a class where its result is wanted."""
    kind = next((k for k in _ROUTINES if re.search(rf"\b{k}\b", found[0])), "")
    name = line.not_called(kind)
    if not name:
        return _METHOD if kind in _ROUTINES[:2] else ""
    return (
        f"`{name}` without brackets names it and does not run it: "
        f"`{name}(...)` does."
    )


def _entry(name: str, line: _Line) -> str:
    """Say how an entry of a dictionary is read."""
    for node in ast.walk(line.whole) if line.whole else ():
        if isinstance(node, ast.Attribute) and node.attr == name:
            for value in line.value(node.value):
                if isinstance(value, dict) and name in value:
                    own = ast.unparse(node.value)
                    return f'`{own}` is a dictionary: `{own}["{name}"]`.'
    return ""


def _count_to(found: re.Match, line: _Line) -> str:
    """Say which number a loop was to go through."""
    for node in ast.walk(line.whole) if line.whole else ():
        walked = getattr(node, "iter", None)
        for value in line.value(walked) if walked else ():
            if type(value) is int:
                name = ast.unparse(walked)
                return (
                    f"`{name}` is the number {value}, and a loop wants what "
                    f"it can go through: `range({name})`."
                )
    return ""


def _one_number(found: re.Match, line: _Line) -> str:
    call, torch = line.calls(), sys.modules.get("torch")
    for function in line.value(call.func) if call else ():
        name = ast.unparse(call.func)
        if torch and function is torch.tensor:
            return (
                f"`{name}` copies plain numbers, and a list of tensors comes. "
                "`torch.stack` joins tensors of one shape and keeps their "
                "gradient."
            )
        if inspect.isbuiltin(function) or isinstance(function, type):
            return f"`{name}` wants one number, and here are many. {_EACH}"
    return f"One number is wanted here, and here are many. {_EACH}"


_TUPLE = (
    "A tuple stands where a tensor is wanted. What returns several things, as "
    "`nn.LSTM`, `nn.MultiheadAttention` and `x.max(dim=0)` do, returns a "
    "tuple: take the one that you need, `first, second = ...`."
)
_LIST = (
    "A list stands where a tensor or an array is wanted: `torch.stack` joins "
    "tensors of one shape, `np.array` numbers."
)
_OF_TENSORS = ("permute", "softmax", "unsqueeze", "view")
_METHOD = (
    "A method stands here that is not called: put round brackets behind its "
    "name."
)
_IN_PLACE = (
    "`+=`, `x[...] = ...` and methods whose name ends in `_` write into a "
    "tensor that is still needed as it was, for its gradient. Write the "
    "result into a new one, as in `x = x + y`."
)
_TRUTH = (
    "`if`, `and`, `or` and `not` want one True or False, and here are many. "
    "Entry by entry it is `&`, `|`, `~` and `torch.where`; whether something "
    "was handed over asks `is not None`."
)
_EACH = "The functions of torch and NumPy work entry by entry."
_NO_LARGEST = (
    "What has no entries has no largest, no smallest and no first one. A "
    "slice `x[:i]` ends before entry i, so it is empty where i is 0."
)
_NOTHING_TO_JOIN = "The list of what is to be joined is empty."
_ROUTINES = ("builtin_function_or_method", "method", "function", "type")
_RUN = "|".join(_ROUTINES)
_NOT_OF_TENSORS = {
    "append": "A tensor keeps its length: `torch.cat` joins several to a "
    "new one.",
    "astype": "`astype` is NumPy's; a tensor has `x.to(dtype)`.",
    "copy": "`copy` is NumPy's; a tensor has `x.clone()`.",
}
_DEVICES = (
    "Two devices meet. A tensor that your code makes lies on the processor "
    "unless it is told otherwise, as in `torch.zeros(3, device=x.device)`."
)
_WHOLE = (
    "This operation is not made for whole numbers: turn them into decimals "
    "first, `x.double()`."
)
_DECIMALS = (
    "Numbers that pick a row or an entry have to be whole, as `x.long()` "
    "makes them; these are decimals."
)
_BOTH_DTYPES = (
    "Two kinds of numbers meet, and this operation wants one. A tensor that "
    "your code makes has 32 bits unless it is told otherwise, as in "
    "`torch.zeros(3, dtype=x.dtype)`; so has a layer that the module does "
    "not know, since it stands in a plain list or is made in `forward`."
)
_TRUE_AND_FALSE = (
    "This operation is made for numbers, and here are True and False, as in "
    "a mask."
)
_MASK_AND_NUMBERS = (
    "A tensor of True and False, as a mask is one, meets numbers; this "
    "operation wants numbers alone. Look whether the inputs stand in the "
    "order that the function wants."
)
_WHOLE_AND_DECIMALS = (
    "Whole numbers meet decimals, and this operation wants one kind: "
    "`a.to(b.dtype)` turns a into the kind of b."
)
_ROWS = (
    "A number that picks a row is negative or too large: of n rows the first "
    "is 0 and the last n - 1."
)
_N = r"(-?\d+)"
_SIZES = r"\[?\(?((?:\d+,? ?)*)\)?\]?"
Say = str | Callable[[re.Match, _Line], str]
_KNOWN: tuple[tuple[str, Say], ...] = (
    # shapes
    (
        r"shapes cannot be multiplied \(\d+x(\d+) and (\d+)x",
        partial(_product, 1, 2),
    ),
    (r"batch2 tensor to be: \[(\d+, \d+)\] but got: \[(\d+, \d+)\]", _batched),
    (
        r"Input operand 1 has a mismatch.*size (\d+) is different from (\d+)",
        partial(_product, 2, 1),
    ),
    (r"not aligned: (\d+) \(dim \d+\) != (\d+)", partial(_product, 1, 2)),
    (
        r"size of tensor a \((\d+)\) must match.*tensor b \((\d+)\).*"
        r"dimension (\d+)",
        lambda found, line: _meet(found[1], found[2], found[3], line),
    ),
    (
        r"broadcast together with (?:remapped )?shapes "
        r"\(([\d,]+)\) \(([\d,]+)\)",
        _numpy_shapes,
    ),
    (
        r"expanded size of the tensor \((\d+)\) must match the existing size "
        r"\((\d+)\).*dimension (\d+)",
        partial(
            _shapes,
            r"On axis \3 a length of \2 cannot become \1; only a length of 1 "
            "can be spread.",
        ),
    ),
    (
        r"shape '(?P<shape>[^']*)' is invalid for input of size (?P<size>\d+)",
        _count,
    ),
    (
        r"cannot reshape array of size (?P<size>\d+) into shape (?P<shape>.*)",
        _count,
    ),
    (
        r"view size is not compatible",
        "`view` wants the numbers in memory in the order of the axes, which "
        "`transpose` and `permute` change. `reshape` copies them where that "
        "is needed.",
    ),
    (
        r"Sizes of tensors must match except in dimension (\d+)\. Expected "
        r"\w+ (?:size )?(\d+) but got \w+ (?:size )?(\d+)"
        r"|Sizes of tensors must match except in dimension",
        partial(
            _shapes,
            "Tensors are joined along one axis, `dim`, and on every other "
            "axis they must have the same length; here they do not.",
        ),
    ),
    (
        r"except for the concatenation axis must match exactly",
        partial(
            _shapes,
            "Arrays are joined along one axis, `axis`, and on every other "
            "axis they must have the same length; here they do not.",
        ),
    ),
    (
        r"Tensors must have same number of dimensions: got (\d+) and (\d+)",
        partial(
            _shapes,
            r"Tensors that are joined must have the same number of axes; one "
            r"has \1, the other \2.",
        ),
    ),
    (
        r"stack expects each tensor to be equal size",
        partial(_shapes, "`stack` wants tensors of one shape."),
    ),
    (
        r"normalized_shape=\[(\d+)\], expected .* got input of size\[(?:\d+, )*"
        r"(\d+)\]",
        partial(
            _shapes,
            r"This norm was made for \1 features, and the last axis has \2.",
        ),
    ),
    (
        r"not enough values to unpack \(expected (\d+), got (\d+)\)",
        partial(
            _shapes,
            r"\1 names stand before the `=`, and \2 values come.",
        ),
    ),
    (
        r"too many values to unpack \(expected (\d+)",
        partial(
            _shapes,
            r"\1 names stand before the `=`, and more values come.",
        ),
    ),
    (
        r"[Ii]ndex tensor must have the same number of dimensions as",
        partial(
            _shapes,
            "The index must have as many axes as the tensor that it reads; "
            "`index.unsqueeze(-1)` adds one at the end.",
        ),
    ),
    (
        r"length of the desired ordering of dimensions.*= (\d+) is not equal "
        r"to len\(dims\) = (\d+)",
        partial(
            _shapes,
            r"`permute` wants every axis once; there are \1, and \2 came.",
        ),
    ),
    (
        r"number of subscripts in the equation \((\d+)\) does not match the "
        r"number of dimensions \((\d+)\) for operand (\d+)",
        partial(
            _shapes,
            r"`einsum` wants a letter for each axis: operand \3, counted from "
            r"0, has \2 axes and \1 letters.",
        ),
    ),
    (
        r"Expected input batch_size \((\d+)\) to match target batch_size "
        r"\((\d+)\)",
        partial(
            _shapes,
            r"There are \1 rows of scores and \2 targets; each row needs one.",
        ),
    ),
    (
        r"Expected target size \[([\d, ]+)\], got \[([\d, ]+)\]",
        partial(
            _shapes,
            r"`cross_entropy` takes the classes from axis 1, so it wants "
            r"targets of shape (\1); they have (\2). Flatten both: scores "
            "(rows, classes), targets (rows,).",
        ),
    ),
    # axes and indices
    (
        rf"expected to be in range of \[{_N}, {_N}\], but got {_N}",
        _axis,
    ),
    (
        r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
        partial(
            _shapes,
            r"There is no axis \1: the array has \2, counted from 0.",
        ),
    ),
    (
        r"zero-size array to reduction|argm\w+ of an empty sequence|"
        r"m(?:ax|in)\(\) (?:arg|iterable argument) is an? ?empty|"
        r"reduction dim (?:-?\d+ )?to (?:have non-zero size|be specified for "
        r"input.numel\(\) == 0)|over an empty dimension|of empty iterable|"
        r"input tensor must be non-empty|out of bounds for \w+ \d+ with size 0|"
        r"pop from empty",
        partial(_nothing, _NO_LARGEST),
    ),
    (
        r"non-empty (?:TensorList|list of Tensors)|need at least one array to",
        partial(_nothing, _NOTHING_TO_JOIN),
    ),
    (
        r"index (-?\d+) is out of bounds for (?:axis|dimension) (\d+) with "
        r"size (\d+)",
        partial(
            _shapes,
            r"Axis \2 has \3 entries, counted from 0; there is no entry \1.",
        ),
    ),
    (
        r"too many indices for (?:tensor|array)",
        partial(
            _shapes,
            "More places are named in the brackets than there are axes.",
        ),
    ),
    (r"index out of range in self", _ROWS),
    # types
    (
        r"same dtype|must share same datatype|expected scalar type \w+ but "
        r"found|does not match weight dtype",
        _dtypes,
    ),
    (
        r"^arrays used as indices must be",
        partial(_types, _DECIMALS.replace("x.long()", "x.astype(int)")),
    ),
    (
        r"argument #1 'indices'|used as indices must be|Expected dtype "
        r"int32/int64|Expected dtype int64|only applicable to index tensor",
        partial(_types, _DECIMALS),
    ),
    (
        r"target dtype to be Long",
        partial(_types, "The targets are ids: `targets.long()`."),
    ),
    (
        r"only supports boolean masks|condition to be a boolean tensor",
        partial(
            _types,
            "What says which entries are meant has to be True or False, and "
            "here are numbers. Look whether the inputs stand in the order "
            "that the function wants; a comparison such as `mask == 0` makes "
            "True and False.",
        ),
    ),
    (
        r"not implemented for '(Long|Int)'|could not infer output dtype",
        partial(_types, _WHOLE),
    ),
    (r"not implemented for 'Bool'", partial(_types, _TRUE_AND_FALSE)),
    (
        r"`~`|operator.invert\) is only implemented",
        partial(
            _types,
            "`~` turns True and False around: `~mask`, with a mask "
            "that holds True and False.",
        ),
    ),
    # gradients
    (
        r"leaf Variable that requires grad|modified by an inplace operation",
        _IN_PLACE,
    ),
    (
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy cannot follow gradients. torch has the same functions: "
        "`torch.sqrt`, `torch.exp`, `torch.maximum`.",
    ),
    (
        r"does not require grad and does not have a grad_fn",
        "No weight and no input that learns is connected with the result. "
        "`.detach()`, `.item()`, `.numpy()`, `torch.tensor(...)` and "
        "`torch.no_grad()` cut the connection.",
    ),
    (
        r"device (?:type )?tensor to numpy",
        "NumPy works on the processor alone, and this tensor lies on another "
        "device. torch has the same functions.",
    ),
    (r"same device|expected device|two devices meet", _DEVICES),
    # the inputs of a function
    (
        r"torch\.return_types\.(max|min|sort|topk|median|mode|cummax|cummin)",
        r"`\1` with an axis returns two things, the values and their places: "
        "take `.values` or `.indices`.",
    ),
    (rf"'({_RUN})' object (?:is not [^c]|does not support)", _not_run),
    (rf"type '({_RUN})' has no len|between .*'({_RUN})'", _not_run),
    (rf"must be .* not '?({_RUN})'?$", _not_run),
    (r"truth value of an array|Boolean value of Tensor with more", _TRUTH),
    (
        r"only one element tensors|only 0-dimensional arrays|only "
        r"(?:length-1|size-1) arrays|integer tensors of a single element",
        lambda found, line: _one_number(found, line) + line.arrays("shape"),
    ),
    (
        r"(\w+)\(\): argument '(\w+)' (?:\(position \d+\) )?must be "
        r"([\w ]+), (?:not|but found element of type) ([\w.]+)",
        _wrong_input,
    ),
    (
        r"(\w+)\(\) missing \d+ required positional arguments: \"(\w+)\"",
        _missing_of_torch,
    ),
    (
        r"([\w.<>]+)\(\) (?:missing \d+ required|takes .* positional "
        r"arguments? but|got an unexpected keyword|got multiple values)"
        r".*",
        _call,
    ),
    (
        r"(\w+)\(\) received an invalid combination of arguments - got "
        r"\((.*?),? ?\), but expected (?:one of:)?\s*\*? ?\((.*?)\)\n",
        lambda found, line: (
            f"`{found[1]}` gets ({found[2]}), and takes, for "
            f"example, ({found[3]})."
        ),
    ),
    (
        r"unsupported operand type\(s\) for .*: '([\w.]+)' and '([\w.]+)'",
        _operands,
    ),
    (r"can only concatenate (tuple) \(not \"Tensor\"\)", _TUPLE),
    (r"'([\w.]+)' object is not callable", _not_a_function),
    (r"'(NoneType)' object", _none),
    (r"'int' object is not iterable", _count_to),
    (r"'([\w.]+)' object has no attribute '(\w+)'$", _of_kind),
    (
        r"assign (?:module|parameter)s? before Module.__init__",
        "The first line of `__init__` has to be `super().__init__()`.",
    ),
)
