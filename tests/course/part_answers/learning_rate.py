"""Answers to `learning_rate(step, d_model, warmup)`, as readers write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math

import numpy as np
import torch

# ------------------------------------------------------------------- right


def right__formula(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def right__roots(step, d_model, warmup):
    rise = step / (warmup * math.sqrt(warmup))
    return min(1 / math.sqrt(step), rise) / math.sqrt(d_model)


def right__branches(step, d_model, warmup):
    peak = (d_model * warmup) ** -0.5
    if step < warmup:
        return peak * step / warmup
    return peak * (warmup / step) ** 0.5


def right__numpy(step, d_model, warmup):
    both = np.array([step**-0.5, step * warmup**-1.5])
    return both.min() / np.sqrt(d_model)


def right__torch(step, d_model, warmup):
    step = torch.tensor(float(step))
    rising = step * warmup**-1.5
    return torch.minimum(step.rsqrt(), rising) * d_model**-0.5


def right__names(step, *, d_model, warmup=4000):
    falling, rising = step**-0.5, step / warmup**1.5
    smaller = falling if falling < rising else rising
    return smaller / d_model**0.5


def right__refuses_step_zero(step, d_model, warmup):
    if step < 1:
        raise ValueError("the first update is step 1")
    return right__formula(step, d_model, warmup)


# ------------------------------------------------------------------- wrong


def one_step_ahead(step, d_model, warmup):
    step = step + 1
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def one_step_behind(step, d_model, warmup):
    step = step - 1
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def one_step_behind__in_the_rise(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, (step - 1) * warmup**-1.5)


def inputs_exchanged(step, d_model, warmup):
    return warmup**-0.5 * min(step**-0.5, step * d_model**-1.5)


def inputs_exchanged__first_two(step, d_model, warmup):
    return right__formula(d_model, step, warmup)


def numbers_of_the_paper(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step * 4000**-1.5)


def numbers_of_the_paper__width(step, d_model, warmup):
    return 512**-0.5 * min(step**-0.5, step * warmup**-1.5)


def powers_exchanged(step, d_model, warmup):
    return d_model**-0.5 * min(step**-1.5, step * warmup**-0.5)


def step_and_warm_up_exchanged_in_the_rise(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, warmup * step**-1.5)


def width_left_out(step, d_model, warmup):
    return min(step**-0.5, step * warmup**-1.5)


def multiplied_by_the_root_of_the_width(step, d_model, warmup):
    return d_model**0.5 * min(step**-0.5, step * warmup**-1.5)


def divided_by_the_width(step, d_model, warmup):
    return min(step**-0.5, step * warmup**-1.5) / d_model


def brackets_lost(step, d_model, warmup):
    return d_model**-1 / 2 * min(step**-0.5, step * warmup**-1.5)


def brackets_lost__twice(step, d_model, warmup):
    return d_model**-1 / 2 * min(step**-1 / 2, step * warmup**-1.5)


def width_in_one_branch_only(step, d_model, warmup):
    return min(d_model**-0.5 * step**-0.5, step * warmup**-1.5)


def width_in_one_branch_only__rise(step, d_model, warmup):
    return min(step**-0.5, d_model**-0.5 * step * warmup**-1.5)


def larger_in_place_of_smaller(step, d_model, warmup):
    return d_model**-0.5 * max(step**-0.5, step * warmup**-1.5)


def larger_in_place_of_smaller__branches(step, d_model, warmup):
    if step > warmup:
        return d_model**-0.5 * step * warmup**-1.5
    return d_model**-0.5 * step**-0.5


def never_falls(step, d_model, warmup):
    return (d_model * warmup) ** -0.5 * step / warmup


def no_warm_up(step, d_model, warmup):
    return d_model**-0.5 * step**-0.5


def stays_at_the_peak(step, d_model, warmup):
    return (d_model * warmup) ** -0.5 * min(1, step / warmup)


def falls_in_a_line(step, d_model, warmup):
    peak = (d_model * warmup) ** -0.5
    if step <= warmup:
        return peak * step / warmup
    return peak * max(0, (2 * warmup - step) / warmup)


def multiplied_the_curves(step, d_model, warmup):
    return d_model**-0.5 * step**-0.5 * step * warmup**-1.5


def added_the_curves(step, d_model, warmup):
    return d_model**-0.5 * (step**-0.5 + step * warmup**-1.5)


def grows_with_the_root(step, d_model, warmup):
    return d_model**-0.5 * min(step**0.5, step * warmup**-1.5)


def divided_by_the_step(step, d_model, warmup):
    return d_model**-0.5 * min(1 / step, step * warmup**-1.5)


def decay_restarts(step, d_model, warmup):
    if step <= warmup:
        return d_model**-0.5 * step * warmup**-1.5
    return d_model**-0.5 * (step - warmup) ** -0.5


def fall_relative_to_the_warm_up(step, d_model, warmup):
    fall = (step / warmup) ** -0.5
    return d_model**-0.5 * min(fall, step * warmup**-1.5)


def wrong_power_of_the_warm_up(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step * warmup**-0.5)


def wrong_power_of_the_warm_up__share(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step / warmup)


def no_warm_up__too_steep(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step * warmup**1.5)


def rises_with_the_root(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step**0.5 * warmup**-1.5)


def step_missing_in_the_rise(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, warmup**-1.5)


def power_of_the_whole_product(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, (step * warmup) ** -1.5)


def multiplied_into_a_base_rate(step, d_model, warmup):
    return 1e-3 * right__formula(step, d_model, warmup)


def multiplied_into_a_base_rate__doubled(step, d_model, warmup):
    return 2 * right__formula(step, d_model, warmup)


def negative(step, d_model, warmup):
    return -right__formula(step, d_model, warmup)


def rounded(step, d_model, warmup):
    return round(right__formula(step, d_model, warmup), 4)


def rounded__coarse(step, d_model, warmup):
    return round(right__formula(step, d_model, warmup), 2)


def integer_division(step, d_model, warmup):
    peak = (d_model * warmup) ** -0.5
    return min(step // warmup * peak, (d_model * step) ** -0.5)


def integer_division__power(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step // warmup**1.5)


def flat_before_the_fall(step, d_model, warmup):
    return 1 / math.sqrt(d_model * max(step, warmup))


def peak_is_one(step, d_model, warmup):
    if step <= warmup:
        return step / warmup
    return math.sqrt(warmup / step)


def peak_without_the_warm_up(step, d_model, warmup):
    share = step / warmup if step <= warmup else math.sqrt(warmup / step)
    return share / math.sqrt(d_model)


def rises_in_a_curve(step, d_model, warmup):
    peak = (d_model * warmup) ** -0.5
    return min((d_model * step) ** -0.5, peak * (step / warmup) ** 2)


def line_below_the_bar(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, 1 / (step * warmup**1.5))


def root_added_to_the_warm_up(step, d_model, warmup):
    rising = step / (math.sqrt(warmup) + warmup)
    return min(1 / math.sqrt(step), rising) / math.sqrt(d_model)


def root_of_the_minimum(step, d_model, warmup):
    return math.sqrt(min(1 / step, step * warmup**-1.5) / d_model)


def root_of_the_minimum__twice(step, d_model, warmup):
    return math.sqrt(min(step**-0.5, step * warmup**-1.5) / d_model)


def both_curves(step, d_model, warmup):
    return d_model**-0.5 * np.array([step**-0.5, step * warmup**-1.5])


def always_the_peak(step, d_model, warmup):
    return 1 / math.sqrt(d_model * warmup)


def capped(step, d_model, warmup):
    return min(0.1, right__formula(step, d_model, warmup))


def sign_of_the_power(step, d_model, warmup):
    return min(-math.sqrt(step), step * warmup**-1.5) / math.sqrt(d_model)


def caret_for_power(step, d_model, warmup):
    return d_model ^ -0.5 * min(step ^ -0.5, step * warmup ^ -1.5)


def caret_for_power__last(step, d_model, warmup):
    return min(step**-0.5, step / warmup**1.5) / (d_model ^ 0.5)


def printed_not_returned(step, d_model, warmup):
    print(right__formula(step, d_model, warmup))


def no_return(step, d_model, warmup):
    rate = d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
    rate * 1.0


def signature(step):
    return right__formula(step, 512, 4000)


def brackets_lost__as_printed(step, d_model, warmup):
    best = min(step**-1 / 2, step * warmup**-3 / 2)
    return d_model**-1 / 2 * best


def minus_lost_twice__one_line(step, d_model, warmup):
    return d_model**-0.5 * min(step**0.5, step * warmup**1.5)


def minimum_of_tensors__min(step, d_model, warmup):
    return d_model**-0.5 * torch.min(step**-0.5, step * warmup**-1.5)


def minimum_of_tensors__minimum(step, d_model, warmup):
    rising = step * warmup**-1.5
    return torch.minimum(torch.tensor(step) ** -0.5, rising) * d_model**-0.5
