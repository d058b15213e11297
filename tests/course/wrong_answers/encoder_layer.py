"""Answers to `encoder_layer(x, attn, ffn, ln)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import functools

import numpy as np
import torch


def right__two_lines(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return ln(z + ffn(z))


def right__loop(x, attn, ffn, ln):
    for sublayer in (attn, ffn):
        change = sublayer(x)
        x = ln(x + change)
    return x


def right__inner_function(x, attn, ffn, ln):
    def residual(h, sublayer):
        return ln(np.add(h, sublayer(h)))

    return residual(residual(x, attn), ffn)


def right__torch(x, attn, ffn, ln):
    x = torch.as_tensor(x, dtype=torch.float64)
    z = ln(x + attn(x))
    return ln(z + ffn(z))


def right__in_place_on_its_own_copy(x, attn, ffn, ln):
    h = np.array(x, dtype=float)
    h += attn(h)
    h = ln(h)
    h += ffn(h)
    return ln(h)


def right__other_names(tokens, look, think, norm):
    seen = norm(look(tokens) + tokens)
    return norm(think(seen) + seen)


def feed_forward_twice(x, attn, ffn, ln):
    for sublayer in (ffn, ffn):
        x = ln(x + sublayer(x))
    return x


def token_by_token(x, attn, ffn, ln):
    result = np.zeros(x.shape)
    for place in np.ndindex(x.shape[:-1]):
        token = x[place][None, :]
        z = ln(token + attn(token))
        result[place] = ln(z + ffn(z))[0]
    return result


# ------------------------------------------- the same mistakes, other styles


def no_skip_at_all__compose(x, attn, ffn, ln):
    for step in (attn, ln, ffn, ln):
        x = step(x)
    return x


def no_skip_at_all__reduce(x, attn, ffn, ln):
    return functools.reduce(lambda h, f: ln(f(h)), (attn, ffn), x)


def one_skip_around_everything__reduce(x, attn, ffn, ln):
    change = functools.reduce(lambda h, f: f(h), [attn, ffn], x)
    return ln(np.add(x, change))


def layer_input_added_after_feed_forward__overwritten(x, attn, ffn, ln):
    residual = x.copy()
    for sublayer in (attn, ffn):
        x = ln(residual + sublayer(x))
    return x


def attention_result_lost__list(x, attn, ffn, ln):
    halves = [ln(x + sublayer(x)) for sublayer in (attn, ffn)]
    return ln(halves[-1])


def side_by_side__sum(x, attn, ffn, ln):
    return ln(sum(part(x) for part in (attn, ffn)) + x)


def side_by_side__stacked(x, attn, ffn, ln):
    return ln(np.stack([x, attn(x), ffn(x)]).sum(axis=0))


def input_added_twice__inner_function(x, attn, ffn, ln):
    def with_skip(h, sublayer):
        return np.add(h, sublayer(h))

    for sublayer in (attn, ffn):
        x = ln(np.add(x, with_skip(x, sublayer)))
    return x


def change_added_twice__in_place(x, attn, ffn, ln):
    h = np.array(x, dtype=float)
    for sublayer in (attn, ffn):
        change = sublayer(h)
        h += change
        h = ln(h + change)
    return h


def multiplied__torch(x, attn, ffn, ln):
    x = torch.tensor(x, dtype=torch.float64)
    z = ln(torch.mul(x, attn(x)))
    return ln(torch.mul(z, ffn(z)))


def subtracted__learned_residual_once(x, attn, ffn, ln):
    z = ln(attn(x) - x)
    return ln(z + ffn(z))


def subtracted__numpy(x, attn, ffn, ln):
    for sublayer in (attn, ffn):
        x = ln(np.subtract(x, sublayer(x)))
    return x


def averaged__torch(x, attn, ffn, ln):
    h = torch.tensor(x, dtype=torch.float64)
    for sublayer in (attn, ffn):
        h = ln(torch.stack([h, sublayer(h)]).mean(0))
    return h


def pre_norm__loop(x, attn, ffn, ln):
    for sublayer in (attn, ffn):
        x = x + sublayer(ln(x))
    return x


def pre_norm__class(x, attn, ffn, ln):
    class Residual:
        def __init__(self, sublayer):
            self.sublayer = sublayer

        def __call__(self, h):
            return h + self.sublayer(ln(h))

    return Residual(ffn)(Residual(attn)(x))


def pre_norm_and_one_at_the_end__loop(x, attn, ffn, ln):
    for sublayer in (attn, ffn):
        x = x + sublayer(ln(x))
    return ln(x)


def norm_before_the_addition__loop(x, attn, ffn, ln):
    for sublayer in (attn, ffn):
        x = x + ln(sublayer(x))
    return x


def skip_starts_after_the_norm__loop(x, attn, ffn, ln):
    for sublayer in (attn, ffn):
        h = ln(x)
        x = h + sublayer(h)
    return x


def norm_applied_twice__inner_function(x, attn, ffn, ln):
    def add_and_norm(h, sublayer):
        return ln(h + sublayer(h))

    z = ln(add_and_norm(x, attn))
    return ln(add_and_norm(z, ffn))


def no_norm__torch(x, attn, ffn, ln):
    h = torch.tensor(x, dtype=torch.float64)
    for sublayer in (attn, ffn):
        h = h.add(sublayer(h))
    return h


def order_exchanged__loop(x, attn, ffn, ln):
    for sublayer in (ffn, attn):
        x = ln(x + sublayer(x))
    return x


def feed_forward_skipped__return_in_the_loop(x, attn, ffn, ln):
    for sublayer in (attn, ffn):
        x = ln(x + sublayer(x))
        return x


def attention_twice__loop(x, attn, ffn, ln):
    for _ in range(2):
        x = ln(x + attn(x))
    return x


def token_by_token__rows(x, attn, ffn, ln):
    if x.ndim == 3:
        return [token_by_token__rows(one, attn, ffn, ln) for one in x]
    rows = []
    for token in x[:, None]:
        z = ln(token + attn(token))
        rows.append(ln(z + ffn(z)))
    return np.concatenate(rows)


def whole_numbers_cut__at_the_end(x, attn, ffn, ln):
    y = x.copy()
    for i, row in enumerate(right__loop(x, attn, ffn, ln)):
        y[i] = row
    return y


def changes_its_input(x, attn, ffn, ln):
    result = right__two_lines(x, attn, ffn, ln)
    if x.dtype == float:
        x += attn(x)
    return result


def printed_not_returned(x, attn, ffn, ln):
    print(right__two_lines(x, attn, ffn, ln))


def no_return(x, attn, ffn, ln):
    z = ln(x + attn(x))
    z = ln(z + ffn(z))


def signature(x, sublayer, ln):
    return ln(x + sublayer(x))


def one_skip_and_no_norm__one_line(x, attn, ffn, ln):
    return x + ffn(attn(x))


def one_norm_before_a_sub_layer__the_first(x, attn, ffn, ln):
    x = x + attn(ln(x))
    return x + ffn(x)


def norm_applied_twice__after_attention(x, attn, ffn, ln):
    x = ln(ln(x + attn(x)))
    return ln(x + ffn(x))
