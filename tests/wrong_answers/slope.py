"""Answers to `slope(f, x)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

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


def one_sided(f, x):
    h = 0.1
    return (f(x + h) - f(x)) / h


def one_sided__whole_step(f, x):
    return f(x + 1) - f(x)


def one_sided__left(f, x):
    h = 0.01
    return (f(x) - f(x - h)) / h


def one_sided__small(f, x):
    h = 0.0001
    return (f(x + h) - f(x)) / h


def step_too_large(f, x):
    h = 0.1
    return (f(x + h) - f(x - h)) / (2 * h)


def step_too_large__whole_step(f, x):
    return (f(x + 1) - f(x - 1)) / 2


def step_too_small(f, x):
    h = 1e-14
    return (f(x + h) - f(x - h)) / (2 * h)


def step_too_small__one_sided(f, x):
    h = 1e-15
    return (f(x + h) - f(x)) / h


def step_zero(f, x):
    h = 0
    return (f(x + h) - f(x)) / h


def step_zero__both_sides(f, x):
    h = 0.0
    return (f(x + h) - f(x - h)) / (2 * h)


def not_divided(f, x):
    h = 0.001
    return f(x + h) - f(x - h)


def not_divided__one_sided(f, x):
    h = 0.01
    return f(x + h) - f(x)


def divided_by_h(f, x):
    h = 1e-5
    return (f(x + h) - f(x - h)) / h


def divided_by_too_much(f, x):
    h = 1e-6
    return (f(x + h) - f(x)) / (2 * h)


def divided_by_too_much__coarse(f, x):
    h = 0.1
    return (f(x + h) - f(x)) / (2 * h)


def brackets_above_missing(f, x):
    h = 0.001
    return f(x + h) - f(x - h) / (2 * h)


def brackets_above_missing__one_sided(f, x):
    h = 1e-6
    return f(x + h) - f(x) / h


def brackets_below_missing(f, x):
    h = 0.1
    return (f(x + h) - f(x - h)) / 2 * h


def almost_zero(f, x):
    h = 1e-5
    return (f(x + h) - f(x - h)) / 2 * h


def almost_zero__not_divided(f, x):
    h = 1e-8
    return f(x + h) - f(x - h)


def almost_zero__one_place_twice(f, x):
    h = 0.0001
    return (f(x + h) - f(x + h)) / (2 * h)


def almost_zero__no_step_left(f, x):
    h = 1e-20
    return (f(x + h) - f(x - h)) / (2 * h)


def heights_added(f, x):
    h = 0.01
    return (f(x + h) + f(x - h)) / (2 * h)


def upside_down(f, x):
    h = 1e-5
    return 2 * h / (f(x + h) - f(x - h))


def wrong_sign(f, x):
    h = 1e-4
    return (f(x - h) - f(x + h)) / (2 * h)


def sign_lost(f, x):
    return abs(right__central(f, x))


def height(f, x):
    return f(x)


def height_over_x(f, x):
    return f(x) / x


def only_for_the_square(f, x):
    return 2 * x


def step_added_to_the_height(f, x):
    h = 0.001
    return ((f(x) + h) - (f(x) - h)) / (2 * h)


def slope_of_the_slope(f, x):
    h = 1e-4
    return (f(x + h) - 2 * f(x) + f(x - h)) / h**2


def walked_downhill(f, x):
    return x - right__central(f, x)


def walked_downhill__a_tenth(f, x):
    return x - 0.1 * right__central(f, x)


def rounded(f, x):
    return round(right__central(f, x), 2)


def rounded__three(f, x):
    return np.round(right__central(f, x), 3)


def always_the_same_place(f, x):
    h = 1e-4
    return (f(1 + h) - f(1 - h)) / (2 * h)


def changes_its_input(f, x):
    found = right__central(f, x)
    f.text = "something else"
    return found


def printed_not_returned(f, x):
    print(right__central(f, x))


def no_return(f, x):
    h = 1e-4
    rise = f(x + h) - f(x - h)
    rise / (2 * h)


def signature(f):
    return right__central(f, 1.0)
