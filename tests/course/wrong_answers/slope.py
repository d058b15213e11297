"""Answers to `slope(f, x)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

from functools import partial

import numpy as np
import torch


def right__central(f, x):
    h = 0.0001
    return (f(x + h) - f(x - h)) / (2 * h)


def right__central_small(f, x):
    h = 1e-8
    return (f(x + h) - f(x - h)) / (2 * h)


def right__central_large(f, x, h=1e-3):
    rise = f(x + h) - f(x - h)
    return rise / 2 / h


def right__one_sided_and_small(f, x):
    h = 1e-7
    return (f(x + h) - f(x)) / h


def right__loop(f, x):
    h, found = 0.5, 0.0
    for _ in range(12):
        found = (f(x + h) - f(x - h)) / (2 * h)
        h = h / 2
    return found


def right__torch(f, x):
    place = torch.tensor(float(x), dtype=torch.float64, requires_grad=True)
    f(place).backward()
    return place.grad


def right__numpy(f, x):
    h = 1e-5
    left, right = f(np.array([x - h, x + h]))
    return (right - left) / (2 * h)


def right__mean_of_both_sides(f, x):
    h = 1e-5
    to_the_right = (f(x + h) - f(x)) / h
    to_the_left = (f(x) - f(x - h)) / h
    return (to_the_right + to_the_left) / 2


def one_sided__whole_step(f, x):
    return f(x + 1) - f(x)


def step_too_large__whole_step(f, x):
    return (f(x + 1) - f(x - 1)) / 2


def almost_zero__one_place_twice(f, x):
    h = 0.0001
    return (f(x + h) - f(x + h)) / (2 * h)


def printed_not_returned(f, x):
    print(right__central(f, x))


def no_return(f, x):
    h = 1e-4
    rise = f(x + h) - f(x - h)
    rise / (2 * h)


def signature(f):
    return right__central(f, 1.0)


# -------------------------------------------------------- in other styles


def one_sided__gradient(f, x):
    heights = f(x + np.array([0, 0.1, 0.2]))
    return np.gradient(heights, 0.1)[0]


def one_sided__halved_too_seldom(f, x):
    h = 1.0
    while h > 0.5:
        h = h / 2
        found = (f(x + h) - f(x)) / h
    return found


def step_too_large__gradient(f, x):
    places = np.linspace(x - 0.01, x + 0.01, 3)
    return np.gradient(f(places), places)[1]


def step_too_small__smallest(f, x):
    h = np.finfo(float).eps
    return (f(x + h) - f(x - h)) / (2 * h)


def step_zero__halved_for_ever(f, x):
    h = 1.0
    while h > 0:
        h = h / 2
    return (f(x + h) - f(x)) / h


def not_divided__diff(f, x):
    places = np.array([x - 0.01, x + 0.01])
    return np.diff(f(places))[0]


def divided_by_h__function_inside(f, x):
    def rise(h):
        return f(x + h) - f(x - h)

    return rise(1e-6) / 1e-6


def divided_by_too_much__torch(f, x):
    h = torch.tensor(1e-6, dtype=torch.float64)
    return (f(x + h) - f(torch.tensor(x))) / (2 * h)


def brackets_above_missing__product(f, x):
    left, right = map(f, (x - 0.01, x + 0.01))
    return right - left * 50


def almost_zero__recursive(f, x, h=1.0):
    if h > 1e-20:
        return almost_zero__recursive(f, x, h / 10)
    return (f(x + h) - f(x - h)) / (2 * h)


def heights_added__sum(f, x):
    h = 0.001
    return sum(map(f, [x - h, x + h])) / (2 * h)


def upside_down__diff(f, x):
    places = np.array([x - 1e-5, x + 1e-5])
    return (np.diff(places) / np.diff(f(places)))[0]


def wrong_sign__reversed(f, x):
    places = np.array([x + 1e-5, x - 1e-5])
    return np.diff(f(places))[0] / 2e-5


def sign_lost__root_of_the_square(f, x):
    rise = (f(x + 1e-5) - f(x - 1e-5)) ** 2
    return np.sqrt(rise / 4e-10)


def height__tensor(f, x):
    return float(f(torch.tensor(x, requires_grad=True)))


def only_for_the_square__polynomial(f, x):
    return np.polyval(np.polyder([1, 0, 0]), x)


def slope_of_the_slope__slope_twice(f, x):
    return right__central(partial(right__central, f), x)


def slope_of_the_slope__autograd(f, x):
    place = torch.tensor(x, requires_grad=True)
    (first,) = torch.autograd.grad(f(place), place, create_graph=True)
    first.backward()
    return place.grad


def walked_downhill__autograd(f, x):
    place = torch.tensor(x, requires_grad=True)
    f(place).backward()
    torch.optim.SGD([place], lr=0.1).step()
    return place


def rounded__text(f, x):
    return float(f"{right__central(f, x):.3f}")


def always_the_same_place__fixed_grid(f, x):
    places = np.linspace(-1e-4, 1e-4, 3)
    return np.gradient(f(places), places)[1]


def both_brackets_missing(f, x, h=0.0001):
    return f(x + h) - f(x - h) / 2 * h


def wrong_sign__one_sided(f, x):
    h = 0.00001
    return (f(x - h) - f(x)) / h
