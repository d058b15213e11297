"""Half an answer: the reference, one line of which becomes a `return`.

It returns an input, the value of the line, or a part of that. Here it is made
from the syntax tree, in another way than the engine makes it.
"""

import ast
import copy

from transformer_course.checks.engine.submission import Submission

VALUES = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript)
FORMS = ("2 * {}", "{} + 1", "-{}", "0 * {}", "0 * {} + 1")


class Half:
    """A reference that ends in a line: what it returns there, and itself."""

    def __init__(self, exercise, place, value, rest):
        self.exercise, self.value, self.rest = exercise, value, rest
        tree, made = copy.deepcopy(place.tree), {}
        lines = place.lines_of(tree)
        lines[place.line] = ast.parse(f"return {value}").body[0]
        code = compile(ast.unparse(tree), "half an answer", "exec")
        exec(code, exercise.solve.names, made)
        self.answer = made.popitem()[1]

    def results(self, basic=False):
        """What it gives where results are compared, by case."""
        submission = Submission(self.exercise, self.answer)
        return {
            case: submission.run(case.args, 5.0)
            for case in self.exercise.cases
            if self.exercise.compares_results(case)
            if case.basic or not basic
        }


class Place:
    """A line of a function, or of a method, of the reference."""

    def __init__(self, tree, path, line, is_first):
        self.tree, self.path, self.line = tree, path, line
        self.is_first = is_first

    def lines_of(self, tree):
        found = tree.body[0]
        return (found if self.path is None else found.body[self.path]).body


def places(exercise):
    """Every line after the docstring, with the inputs of its function."""
    tree = ast.parse(exercise.solve.source({}))
    thing = tree.body[0]
    inner = {None: thing}
    if isinstance(thing, ast.ClassDef):
        inner = dict(enumerate(thing.body))
    for path, function in inner.items():
        is_function = isinstance(function, ast.FunctionDef)
        if not is_function or function.name == "__init__":
            continue
        if not isinstance(function.body[-1], ast.Return):
            continue
        inputs = [a.arg for a in function.args.args if a.arg != "self"]
        begin = isinstance(function.body[0], ast.Expr)
        for line in range(begin, len(function.body)):
            place = Place(tree, path, line, is_first=line == begin)
            yield place, function.body[line:], inputs


def inputs_of(exercise):
    """Answers that return an input as it came."""
    for place, rest, inputs in places(exercise):
        if place.is_first:
            for name in inputs:
                yield Half(exercise, place, name, rest)


def like_inputs_of(exercise):
    """Answers that make very little of an input."""
    for place, rest, inputs in places(exercise):
        if place.is_first:
            for form in FORMS:
                for name in inputs:
                    yield Half(exercise, place, form.format(name), rest)


def named_values_of(exercise):
    """Answers that stop after a line, and return its value."""
    for place, rest, _ in places(exercise):
        line = rest[0]
        if isinstance(line, ast.Assign):
            yield Half(exercise, place, ast.unparse(line.value), rest)


def parts_of(exercise):
    """Answers that stop within a line, and return what is there."""
    for place, rest, _ in places(exercise):
        value = getattr(rest[0], "value", None)
        for node in ast.walk(value) if value is not None else ():
            if isinstance(node, VALUES) and node is not value:
                yield Half(exercise, place, ast.unparse(node), rest)
