"""Answers to `encoder_layer(x, attn, ffn, ln)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

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


def no_skip_at_all(x, attn, ffn, ln):
    z = ln(attn(x))
    return ln(ffn(z))


def no_skip_around_attention(x, attn, ffn, ln):
    z = ln(attn(x))
    return ln(z + ffn(z))


def no_skip_around_feed_forward(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return ln(ffn(z))


def one_skip_around_everything(x, attn, ffn, ln):
    return ln(x + ffn(attn(x)))


def one_skip_around_everything__two_norms(x, attn, ffn, ln):
    z = ln(attn(x))
    return ln(x + ffn(z))


def layer_input_added_after_feed_forward(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return ln(x + ffn(z))


def feed_forward_reads_the_layer_input(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return ln(z + ffn(x))


def attention_result_lost(x, attn, ffn, ln):
    z = ln(x + attn(x))
    z = ln(x + ffn(x))
    return ln(z)


def side_by_side(x, attn, ffn, ln):
    return ln(x + attn(x) + ffn(x))


def side_by_side__twice(x, attn, ffn, ln):
    z1 = ln(x + attn(x))
    z2 = ln(x + ffn(x))
    return ln(z1 + z2)


def input_added_twice(x, attn, ffn, ln):
    def sublayer(h, f):
        return h + f(h)

    z = ln(x + sublayer(x, attn))
    return ln(z + sublayer(z, ffn))


def input_added_twice__attention(x, attn, ffn, ln):
    z = ln(x + attn(x) + x)
    return ln(z + ffn(z))


def input_added_twice__feed_forward(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return ln(z + ffn(z) + z)


def change_added_twice(x, attn, ffn, ln):
    z = ln(x + attn(x) + attn(x))
    return ln(z + ffn(z) + ffn(z))


def change_added_twice__attention(x, attn, ffn, ln):
    z = ln(x + 2 * attn(x))
    return ln(z + ffn(z))


def change_added_twice__feed_forward(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return ln(z + 2 * ffn(z))


def multiplied(x, attn, ffn, ln):
    z = ln(x * attn(x))
    return ln(z * ffn(z))


def multiplied__attention(x, attn, ffn, ln):
    z = ln(x * attn(x))
    return ln(z + ffn(z))


def multiplied__feed_forward(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return ln(z * ffn(z))


def subtracted(x, attn, ffn, ln):
    z = ln(x - attn(x))
    return ln(z - ffn(z))


def subtracted__learned_residual(x, attn, ffn, ln):
    z = ln(attn(x) - x)
    return ln(ffn(z) - z)


def subtracted__attention(x, attn, ffn, ln):
    z = ln(x - attn(x))
    return ln(z + ffn(z))


def subtracted__feed_forward(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return ln(z - ffn(z))


def averaged(x, attn, ffn, ln):
    z = ln((x + attn(x)) / 2)
    return ln((z + ffn(z)) / 2)


def averaged__numpy_mean(x, attn, ffn, ln):
    z = ln(np.mean([x, attn(x)], axis=0))
    return ln(np.mean([z, ffn(z)], axis=0))


def averaged__attention(x, attn, ffn, ln):
    z = ln((x + attn(x)) / 2)
    return ln(z + ffn(z))


def averaged__feed_forward(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return ln((z + ffn(z)) / 2)


def pre_norm(x, attn, ffn, ln):
    z = x + attn(ln(x))
    return z + ffn(ln(z))


def pre_norm_and_one_at_the_end(x, attn, ffn, ln):
    z = x + attn(ln(x))
    return ln(z + ffn(ln(z)))


def norm_before_the_addition(x, attn, ffn, ln):
    z = x + ln(attn(x))
    return z + ln(ffn(z))


def norm_before_the_addition__first(x, attn, ffn, ln):
    z = x + ln(attn(x))
    return ln(z + ffn(z))


def norm_before_the_addition__last(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return z + ln(ffn(z))


def change_normalized_too(x, attn, ffn, ln):
    z = ln(x + ln(attn(x)))
    return ln(z + ln(ffn(z)))


def two_orders_mixed(x, attn, ffn, ln):
    z = x + attn(ln(x))
    return ln(z + ffn(z))


def two_orders_mixed__post_first(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return z + ffn(ln(z))


def sum_of_two_norms(x, attn, ffn, ln):
    z = ln(x) + ln(attn(x))
    return ln(z) + ln(ffn(z))


def skip_starts_after_the_norm(x, attn, ffn, ln):
    x = ln(x)
    x = x + attn(x)
    x = ln(x)
    return x + ffn(x)


def sub_layers_read_the_norm(x, attn, ffn, ln):
    z = ln(x + attn(ln(x)))
    return ln(z + ffn(ln(z)))


def sub_layers_read_the_norm__attention(x, attn, ffn, ln):
    z = ln(x + attn(ln(x)))
    return ln(z + ffn(z))


def norm_applied_twice(x, attn, ffn, ln):
    z = ln(ln(x + attn(x)))
    return ln(ln(z + ffn(z)))


def no_norm(x, attn, ffn, ln):
    z = x + attn(x)
    return z + ffn(z)


def norm_after_attention_only(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return z + ffn(z)


def norm_at_the_end_only(x, attn, ffn, ln):
    z = x + attn(x)
    return ln(z + ffn(z))


def order_exchanged(x, attn, ffn, ln):
    z = ln(x + ffn(x))
    return ln(z + attn(z))


def feed_forward_skipped(x, attn, ffn, ln):
    z = ln(x + attn(x))
    ln(z + ffn(z))
    return z


def attention_skipped(x, attn, ffn, ln):
    return ln(x + ffn(x))


def attention_twice(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return ln(z + attn(z))


def feed_forward_twice(x, attn, ffn, ln):
    for sublayer in (ffn, ffn):
        x = ln(x + sublayer(x))
    return x


def change_only(x, attn, ffn, ln):
    z = ln(x + attn(x))
    return ffn(z)


def input_returned(x, attn, ffn, ln):
    z = ln(x + attn(x))
    ln(z + ffn(z))
    return x


def token_by_token(x, attn, ffn, ln):
    result = np.zeros(x.shape)
    for place in np.ndindex(x.shape[:-1]):
        token = x[place][None, :]
        z = ln(token + attn(token))
        result[place] = ln(z + ffn(z))[0]
    return result


def whole_numbers_cut(x, attn, ffn, ln):
    z = np.zeros_like(x)
    z[...] = ln(x + attn(x))
    y = np.zeros_like(x)
    y[...] = ln(z + ffn(z))
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
