"""Answers to `ffn(x, W1, b1, W2, b2)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import numpy as np
import torch


def _relu(z):
    return np.maximum(z, 0)


def _right(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b1) @ W2 + b2


# ------------------------------------------------------------------- right


def right__numpy(x, W1, b1, W2, b2):
    return np.maximum(0, x @ W1 + b1) @ W2 + b2


def right__loop(x, W1, b1, W2, b2):
    if x.ndim > 1:
        return [right__loop(token, W1, b1, W2, b2) for token in x]
    d, d_ff = W1.shape
    inner = []
    for unit in range(d_ff):
        total = b1[unit]
        for j in range(d):
            total += x[j] * W1[j, unit]
        inner.append(max(0, total))
    return [
        b2[j] + sum(inner[unit] * W2[unit, j] for unit in range(d_ff))
        for j in range(d)
    ]


def right__torch(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = (torch.tensor(a).double() for a in (x, W1, b1, W2, b2))
    inner = torch.nn.functional.linear(x, W1.T, b1).relu()
    return torch.nn.functional.linear(inner, W2.T, b2)


def right__convolution(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = (torch.tensor(a).double() for a in (x, W1, b1, W2, b2))
    row = x.reshape(1, -1, x.shape[-1]).transpose(1, 2)
    conv = torch.nn.functional.conv1d
    inner = conv(row, W1.T[:, :, None], b1).relu()
    return conv(inner, W2.T[:, :, None], b2).transpose(1, 2).reshape(x.shape)


def right__sum_of_units(x, W1, b1, W2, b2):
    out = np.zeros(x.shape) + b2
    for unit in range(len(b1)):
        strength = _relu(x @ W1[:, unit] + b1[unit])
        out = out + strength[..., None] * W2[unit]
    return out


def right__mask(x, W1, b1, W2, b2):
    inner = x @ W1 + b1
    inner[inner < 0] = 0
    return inner @ W2 + b2


def right__einsum(x, W1, b1, W2, b2):
    inner = np.einsum("...d,df->...f", x, W1) + b1
    inner = (inner + abs(inner)) / 2
    return np.einsum("...f,fd->...d", inner, W2) + b2


def right__single_precision(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = (np.float32(a) for a in (x, W1, b1, W2, b2))
    return _right(x, W1, b1, W2, b2)


def right__keyword_only(x, *, W1, b1, W2, b2):
    return _right(x, W1, b1, W2, b2)


def right__clip_and_einsum(x, W1, b1, W2, b2):
    inner = np.tensordot(x, W1, axes=1)
    inner += b1
    return (np.einsum("...f,fd->...d", inner.clip(min=0), W2) + b2).tolist()


def right__linear_layer(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = (torch.tensor(a).double() for a in (x, W1, b1, W2, b2))
    layer = torch.nn.Linear(*W1.shape).double()
    layer.weight.data, layer.bias.data = W1.T, b1
    return torch.relu(layer(x)) @ W2 + b2


# -------------------------------------------------------------- the bend


def no_activation(x, W1, b1, W2, b2):
    return (x @ W1 + b1) @ W2 + b2


def no_activation__lost(x, W1, b1, W2, b2):
    inner = x @ W1 + b1
    np.maximum(0, inner)  # computed, and thrown away
    return inner @ W2 + b2


def activation_before_the_first_map(x, W1, b1, W2, b2):
    return (_relu(x) @ W1 + b1) @ W2 + b2


def activation_at_the_end(x, W1, b1, W2, b2):
    return np.maximum(0, (x @ W1 + b1) @ W2 + b2)


def activation_twice(x, W1, b1, W2, b2):
    for W, b in ((W1, b1), (W2, b2)):
        x = np.maximum(0, x @ W + b)
    return x


def activation_before_and_between(x, W1, b1, W2, b2):
    for W, b in ((W1, b1), (W2, b2)):
        x = _relu(x) @ W + b
    return x


def bias_after_the_cut(x, W1, b1, W2, b2):
    return (np.maximum(0, x @ W1) + b1) @ W2 + b2


def softmax_as_activation(x, W1, b1, W2, b2):
    votes = np.exp(x @ W1 + b1)
    return votes / votes.sum(axis=-1, keepdims=True) @ W2 + b2


def softmax_as_activation__torch(x, W1, b1, W2, b2):
    inner = torch.softmax(torch.tensor(x @ W1 + b1), dim=-1).numpy()
    return inner @ W2 + b2


def sigmoid_as_activation(x, W1, b1, W2, b2):
    return 1 / (1 + np.exp(-(x @ W1 + b1))) @ W2 + b2


def tanh_as_activation(x, W1, b1, W2, b2):
    return np.tanh(x @ W1 + b1) @ W2 + b2


def gelu_as_activation(x, W1, b1, W2, b2):
    inner = torch.nn.functional.gelu(torch.tensor(x @ W1 + b1)).numpy()
    return inner @ W2 + b2


def gelu_as_activation__tanh(x, W1, b1, W2, b2):
    gelu = torch.nn.functional.gelu
    inner = gelu(torch.tensor(x @ W1 + b1), approximate="tanh").numpy()
    return inner @ W2 + b2


def another_smooth_activation(x, W1, b1, W2, b2):
    inner = torch.nn.functional.silu(torch.tensor(x @ W1 + b1)).numpy()
    return inner @ W2 + b2


def another_smooth_activation__softplus(x, W1, b1, W2, b2):
    return np.log(1 + np.exp(x @ W1 + b1)) @ W2 + b2


def another_smooth_activation__elu(x, W1, b1, W2, b2):
    inner = torch.nn.functional.elu(torch.tensor(x @ W1 + b1)).numpy()
    return inner @ W2 + b2


def leaky(x, W1, b1, W2, b2):
    inner = x @ W1 + b1
    return np.maximum(0.01 * inner, inner) @ W2 + b2


def leaky__a_tenth(x, W1, b1, W2, b2):
    inner = x @ W1 + b1
    return np.maximum(0.1 * inner, inner) @ W2 + b2


def size_as_activation(x, W1, b1, W2, b2):
    return abs(x @ W1 + b1) @ W2 + b2


def square_as_activation(x, W1, b1, W2, b2):
    return (x @ W1 + b1) ** 2 @ W2 + b2


def square_as_activation__later_models(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b1) ** 2 @ W2 + b2


def keeps_the_negative_ones(x, W1, b1, W2, b2):
    return np.minimum(0, x @ W1 + b1) @ W2 + b2


def keeps_the_negative_ones__mask(x, W1, b1, W2, b2):
    inner = x @ W1 + b1
    inner[inner > 0] = 0
    return inner @ W2 + b2


def only_on_or_off(x, W1, b1, W2, b2):
    return (x @ W1 + b1 > 0) @ W2 + b2


def clipped_above(x, W1, b1, W2, b2):
    return np.clip(x @ W1 + b1, 0, 1) @ W2 + b2


def clipped_above__relu6(x, W1, b1, W2, b2):
    return np.clip(x @ W1 + b1, 0, 6) @ W2 + b2


def at_least_one(x, W1, b1, W2, b2):
    return np.maximum(1, x @ W1 + b1) @ W2 + b2


def vectorize_cuts_decimals(x, W1, b1, W2, b2):
    cut = np.vectorize(lambda z: max(0, z))
    return cut(x @ W1 + b1) @ W2 + b2


def only_the_largest_unit(x, W1, b1, W2, b2):
    inner = x @ W1 + b1
    best = inner.max(axis=-1, keepdims=True)
    return np.where(inner == best, inner, 0) @ W2 + b2


# ------------------------------------------------------------- the biases


def first_bias_forgotten(x, W1, b1, W2, b2):
    return _relu(x @ W1) @ W2 + b2


def second_bias_forgotten(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b1) @ W2


def first_bias_subtracted(x, W1, b1, W2, b2):
    return _relu(x @ W1 - b1) @ W2 + b2


def second_bias_subtracted(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b1) @ W2 - b2


def bias_added_twice(x, W1, b1, W2, b2):
    x, b2 = torch.tensor(x).double(), torch.tensor(b2)
    inner = torch.nn.functional.linear(
        x, torch.tensor(W1.T), torch.tensor(b1)
    ).relu()
    return torch.nn.functional.linear(inner, torch.tensor(W2.T), b2) + b2


def bias_added_twice__first(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b1 + b1) @ W2 + b2


def one_number_of_a_bias(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b1[0]) @ W2 + b2


def one_number_of_a_bias__second(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b1) @ W2 + b2[0]


def biases_exchanged(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b2) @ W2 + b1


def biases_exchanged__first_used_twice(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b1) @ W2 + b1


def biases_exchanged__second_used_twice(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b2) @ W2 + b2


def second_bias_too_early(x, W1, b1, W2, b2):
    return (_relu(x @ W1 + b1) + b2) @ W2


def bias_for_each_token(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b1) @ W2 + b2.reshape(-1, 1)


# --------------------------------------------------------------- the maps


def stops_after_the_first_map(x, W1, b1, W2, b2):
    return np.maximum(0, x @ W1 + b1)


def first_matrix_turned(x, W1, b1, W2, b2):
    return _relu(x @ W1.T + b1) @ W2 + b2


def first_matrix_turned__both(x, W1, b1, W2, b2):
    linear = torch.nn.functional.linear
    x, W1, b1, W2, b2 = (torch.tensor(a).double() for a in (x, W1, b1, W2, b2))
    return linear(linear(x, W1, b1).relu(), W2, b2)


def second_matrix_turned(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b1) @ W2.T + b2


def matrix_on_the_left(x, W1, b1, W2, b2):
    return W2 @ _relu(W1 @ x + b1) + b2


_PAGE = (
    np.array([[1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]]),
    np.array([0.0, 0.0, -1.0]),
    np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
    np.array([-1.0, 0.0]),
)


def numbers_of_the_page(x, W1, b1, W2, b2):
    return _right(x, *_PAGE)


def numbers_of_the_page__row_by_row(x, W1, b1, W2, b2):
    return np.array([_right(token, *_PAGE) for token in x])


def matrices_exchanged(x, W1, b1, W2, b2):
    return _relu(x @ W2 + b1) @ W1 + b2


def second_matrix_not_used(x, W1, b1, W2, b2):
    return _relu(x @ W1 + b1) @ W1.T + b2


def inner_width_not_used(x, W1, b1, W2, b2):
    d = x.shape[-1]
    return _relu(x @ W1[:, :d] + b1[:d]) @ W2[:d] + b2


def inner_width_not_used__three(x, W1, b1, W2, b2):
    out = np.zeros(x.shape) + b2
    for unit in range(3):
        strength = _relu(x @ W1[:, unit] + b1[unit])
        out = out + strength[..., None] * W2[unit]
    return out


# -------------------------------------------------------------- the tokens


def tokens_averaged_before(x, W1, b1, W2, b2):
    if x.ndim > 1:
        x = np.ones(x.shape) * x.mean(axis=-2, keepdims=True)
    return _right(x, W1, b1, W2, b2)


def first_token_for_all(x, W1, b1, W2, b2):
    if x.ndim == 1:
        return _right(x, W1, b1, W2, b2)
    out = np.zeros(x.shape)
    for i in range(x.shape[-2]):
        out[..., i, :] = _right(x[..., 0, :], W1, b1, W2, b2)
    return out


def earlier_tokens_added(x, W1, b1, W2, b2):
    if x.ndim == 1:
        return _right(x, W1, b1, W2, b2)
    out, token = np.zeros(x.shape), 0
    for i in range(x.shape[-2]):
        token = token + x[..., i, :]
        out[..., i, :] = _right(token, W1, b1, W2, b2)
    return out


def one_token_only(x, W1, b1, W2, b2):
    if x.ndim == 1:
        return _right(x, W1, b1, W2, b2)
    for token in x:
        return _right(token, W1, b1, W2, b2)


def one_token_only__last(x, W1, b1, W2, b2):
    out = _right(x, W1, b1, W2, b2)
    return out[-1] if x.ndim > 1 else out


def one_long_list_of_tokens(x, W1, b1, W2, b2):
    return _right(x.reshape(-1, len(W1)), W1, b1, W2, b2)


def summed_over_the_tokens(x, W1, b1, W2, b2):
    out = _right(x, W1, b1, W2, b2)
    return out.sum(axis=-2) if x.ndim > 1 else out


def summed_over_the_tokens__mean(x, W1, b1, W2, b2):
    out = _right(x, W1, b1, W2, b2)
    return out.mean(axis=-2) if x.ndim > 1 else out


# ----------------------------------------------------- around the network


def skip_added(x, W1, b1, W2, b2):
    return x + _right(x, W1, b1, W2, b2)


def skip_and_norm_added(x, W1, b1, W2, b2):
    total = torch.tensor(x + _right(x, W1, b1, W2, b2))
    return torch.nn.functional.layer_norm(total, x.shape[-1:])


def normalized_before(x, W1, b1, W2, b2):
    x = torch.nn.functional.layer_norm(torch.tensor(x).double(), x.shape[-1:])
    return _right(x.numpy(), W1, b1, W2, b2)


def scaled(x, W1, b1, W2, b2):
    return _right(x, W1, b1, W2, b2) / np.sqrt(x.shape[-1])


def softmax_at_the_end(x, W1, b1, W2, b2):
    votes = np.exp(_right(x, W1, b1, W2, b2))
    return votes / votes.sum(axis=-1, keepdims=True)


def rounded(x, W1, b1, W2, b2):
    return np.round(_right(x, W1, b1, W2, b2), 2)


def transposed(x, W1, b1, W2, b2):
    return _right(x, W1, b1, W2, b2).T


def whole_numbers_cut(x, W1, b1, W2, b2):
    out = np.zeros_like(x)
    out[...] = _right(x, W1, b1, W2, b2)
    return out


# ------------------------------------------------- the same in all exercises


def changes_its_input(x, W1, b1, W2, b2):
    out = _right(x, W1, b1, W2, b2)
    b1 += 1
    return out


def printed_not_returned(x, W1, b1, W2, b2):
    print(_right(x, W1, b1, W2, b2))


def no_return(x, W1, b1, W2, b2):
    out = _right(x, W1, b1, W2, b2)
    out += 0


def signature(x, W1, b1, W2):
    return x
