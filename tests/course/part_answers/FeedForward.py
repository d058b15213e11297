"""Answers to `class FeedForward`, in other styles than the reference.

A class is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class _Layers(nn.Module):
    """The two layers; no `forward`."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)


# ------------------------------------------------------------------- right


class right__one_line(_Layers):
    def forward(self, x):
        return self.linear2(self.linear1(x).clamp(min=0))


class right__in_place(_Layers):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.activation = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.linear2(self.activation(self.linear1(x)))


class right__einsum(nn.Module):
    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.linear2 = nn.Linear(in_features=d_ff, out_features=d_model)
        self.linear1 = nn.Linear(in_features=d_model, out_features=d_ff)
        nn.init.zeros_(self.linear1.bias)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        inner = torch.einsum("bnd,fd->bnf", tokens, self.linear1.weight)
        inner = inner + self.linear1.bias
        inner = torch.where(inner > 0, inner, torch.zeros_like(inner))
        out = torch.einsum("bnf,df->bnd", inner, self.linear2.weight)
        return out + self.linear2.bias


class right__convolution(_Layers):
    def forward(self, x):
        row = x.transpose(1, 2)
        weight1, weight2 = self.linear1.weight, self.linear2.weight
        inner = F.conv1d(row, weight1[..., None], self.linear1.bias).relu_()
        out = F.conv1d(inner, weight2[..., None], self.linear2.bias)
        return out.transpose(1, 2)


class right__loops(_Layers):
    def forward(self, x):
        rows = []
        for sentence in x:
            inner = [torch.relu(self.linear1(token)) for token in sentence]
            rows.append(torch.stack([self.linear2(row) for row in inner]))
        return torch.stack(rows)


class right__sum_of_units(_Layers):
    def forward(self, x):
        out = self.linear2.bias.expand_as(x)
        units = zip(
            self.linear1.weight,
            self.linear1.bias,
            self.linear2.weight.T,
            strict=True,
        )
        for reads, bend, writes in units:
            strength = (x @ reads + bend).clip(0)
            out = out + strength.unsqueeze(-1) * writes
        return out


class right__mask(_Layers):
    def forward(self, x):
        inner = self.linear1(x.flatten(0, 1))
        inner = inner * (inner > 0)
        return self.linear2(inner).view_as(x)


class right__two_halves(_Layers):
    def forward(self, x):
        inner = self.linear1(x)
        return self.linear2((inner + inner.abs()) / 2)


# ------------------------------------------------------------ how it is built


class no_super(nn.Module):
    def __init__(self, d_model, d_ff):
        self.linear1 = nn.Linear(d_model, d_ff)

    def forward(self, x):
        return self.linear1(x)


class self_forgotten(_Layers):
    def forward(self, x):
        return self.linear2(F.relu(linear1(x)))


class activation_not_called(_Layers):
    def forward(self, x):
        return self.linear2(nn.ReLU(self.linear1(x)))


class activation_not_called__dropped(_Layers):
    def forward(self, x):
        return self.linear2(F.dropout(nn.ReLU(self.linear1(x)), 0.0))


class activation_not_called__method(_Layers):
    def forward(self, x):
        return self.linear2(self.linear1(x).relu)


class one_truth_for_many_numbers(_Layers):
    def forward(self, x):
        return self.linear2(max(0, self.linear1(x)))


class one_truth_for_many_numbers__if(_Layers):
    def forward(self, x):
        inner = self.linear1(x)
        return self.linear2(inner if inner > 0 else 0 * inner)


class max_with_a_number(_Layers):
    def forward(self, x):
        return self.linear2(torch.max(self.linear1(x), 0.0))


class max_with_a_number__an_axis(_Layers):
    def forward(self, x):
        return self.linear2(torch.max(self.linear1(x), 0))


class max_with_a_number__maximum(_Layers):
    def forward(self, x):
        return self.linear2(torch.maximum(torch.zeros(1), 0))


class other_names__sequential(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model)
        )

    def forward(self, x):
        return self.net(x)


class other_names__the_paper(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.w_2(self.w_1(x).relu())


class weights_not_registered__made_in_forward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.d_ff = d_ff

    def forward(self, x):
        d_model = x.shape[-1]
        inner = F.relu(nn.Linear(d_model, self.d_ff)(x))
        return nn.Linear(self.d_ff, d_model)(inner)


class weights_not_registered__tensors(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.W1, self.b1 = torch.randn(d_model, d_ff), torch.zeros(d_ff)
        self.W2, self.b2 = torch.randn(d_ff, d_model), torch.zeros(d_model)

    def forward(self, x):
        return torch.relu(x @ self.W1 + self.b1) @ self.W2 + self.b2


class both_biases_forgotten__loop(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        for name, sizes in (
            ("linear1", (d_model, d_ff)),
            ("linear2", (d_ff, d_model)),
        ):
            setattr(self, name, nn.Linear(*sizes, bias=False))

    def forward(self, x):
        return self.linear2(self.linear1(x).relu())


class extra_weights(right__one_line):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.register_buffer("width", torch.tensor(d_ff))


class sizes_exchanged(right__one_line):
    def __init__(self, d_ff, d_model):
        super().__init__(d_model, d_ff)


class sizes_of_their_own(right__one_line):
    def __init__(self, d_model, d_ff):
        super().__init__(32, 64)


class always_four_times(right__one_line):
    def __init__(self, d_model, d_ff=None):
        super().__init__(d_model, d_model * 4)


class inner_width_not_used(right__one_line):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_model)


# ---------------------------------------------- gradients, types and devices


class no_gradient(_Layers):
    @torch.no_grad()
    def forward(self, x):
        return self.linear2(F.relu(self.linear1(x)))


class gradient_cut(_Layers):
    def forward(self, x):
        with torch.no_grad():
            inner = F.relu(self.linear1(x))
        return self.linear2(inner)


class gradient_cut__copied(_Layers):
    def forward(self, x):
        W1, b1 = self.linear1.weight.data, self.linear1.bias.data
        return self.linear2(torch.relu(x @ W1.T + b1))


class leaves_torch__the_activation(_Layers):
    def forward(self, x):
        inner = np.maximum(0, self.linear1(x).numpy())
        return self.linear2(torch.tensor(inner))


class changes_its_input(_Layers):
    def forward(self, x):
        before = x.clone()
        x -= x.mean()
        return self.linear2(F.relu(self.linear1(before)))


class changed_in_place(_Layers):
    def forward(self, x):
        result = self.linear2(F.relu(self.linear1(x)))
        with torch.no_grad():
            x.zero_()
        return result


class changed_in_place__inner(_Layers):
    def forward(self, x):
        inner = self.linear1(x).relu()
        result = self.linear2(inner)
        inner *= 0.5
        return result


class numbers_of_two_types(_Layers):
    def forward(self, x):
        return self.linear2(F.relu(self.linear1(x.float())))


class numbers_of_two_types__zeros(_Layers):
    def forward(self, x):
        inner = torch.zeros(*x.shape[:2], len(self.linear1.bias))
        inner[:] = self.linear1(x).clamp(0)
        return self.linear2(inner)


class always_64_bits(_Layers):
    def forward(self, x):
        return self.linear2(F.relu(self.linear1(x))).double()


class tied_to_the_processor(_Layers):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.zeros = torch.zeros(1, 1, d_ff)

    def forward(self, x):
        return self.linear2(torch.max(self.zeros, self.linear1(x)))


class dropout_added(right__one_line):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        return self.linear2(self.dropout(self.linear1(x).relu()))


class dropout_in_eval(_Layers):
    def forward(self, x):
        return self.linear2(F.dropout(self.linear1(x).relu(), p=0.1))


# --------------------------------------------------- the formula, other styles


class no_activation__lost(_Layers):
    def forward(self, x):
        x = self.linear1(x)
        F.relu(x)  # computed, and thrown away
        return self.linear2(x)


class activation_twice__loop(_Layers):
    def forward(self, x):
        for layer in (self.linear1, self.linear2):
            x = torch.relu(layer(x))
        return x


class activation_before_and_between(_Layers):
    def forward(self, x):
        for layer in (self.linear1, self.linear2):
            x = layer(torch.relu(x))
        return x


class bias_after_the_cut(_Layers):
    def forward(self, x):
        inner = torch.relu(x @ self.linear1.weight.T) + self.linear1.bias
        return self.linear2(inner)


class softmax_as_activation__by_hand(_Layers):
    def forward(self, x):
        votes = self.linear1(x).exp()
        return self.linear2(votes / votes.sum(-1, keepdim=True))


class gelu_as_activation__module(_Layers):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.act = nn.GELU()

    def forward(self, x):
        return self.linear2(self.act(self.linear1(x)))


class leaky__by_hand(_Layers):
    def forward(self, x):
        inner = self.linear1(x)
        return self.linear2(torch.maximum(0.01 * inner, inner))


class another_smooth_activation__swish(_Layers):
    def forward(self, x):
        inner = self.linear1(x)
        return self.linear2(inner * torch.sigmoid(inner))


class keeps_the_negative_ones__mask(_Layers):
    def forward(self, x):
        inner = self.linear1(x)
        return self.linear2(inner.masked_fill(inner > 0, 0.0))


class bias_added_twice(_Layers):
    def forward(self, x):
        inner = F.linear(x, self.linear1.weight, self.linear1.bias)
        return self.linear2(F.relu(inner)).add(self.linear2.bias)


class first_matrix_turned__both(_Layers):
    def forward(self, x):
        inner = x.matmul(self.linear1.weight).add(self.linear1.bias).clamp(0)
        return inner.matmul(self.linear2.weight).add(self.linear2.bias)


class along_the_tokens__convolution(_Layers):
    def forward(self, x):
        inner = F.conv1d(x, self.linear1.weight[..., None], self.linear1.bias)
        out = F.conv1d(
            F.relu(inner), self.linear2.weight[..., None], self.linear2.bias
        )
        return out


class second_matrix_not_used__tied(_Layers):
    def forward(self, x):
        W = self.linear1.weight
        return torch.relu(x @ W.T + self.linear1.bias) @ W + self.linear2.bias


class tokens_averaged_before__ones(_Layers):
    def forward(self, x):
        mean = x.sum(dim=1, keepdim=True) / x.size(1)
        return self.linear2(self.linear1(torch.ones_like(x) * mean).relu())


class one_token_only__return_in_the_loop(_Layers):
    def forward(self, x):
        for sentence in x:
            return self.linear2(self.linear1(sentence).relu())


class one_long_list_of_tokens(_Layers):
    def forward(self, x):
        x = x.reshape(-1, x.shape[-1])
        return self.linear2(self.linear1(x).relu())


class skip_and_norm_added(_Layers):
    def forward(self, x):
        y = x + self.linear2(self.linear1(x).relu())
        y = y - y.mean(-1, keepdim=True)
        return y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()


class returns_several_things(_Layers):
    def forward(self, x):
        inner = self.linear1(x).relu()
        return self.linear2(inner), inner


class one_token_lost(_Layers):
    def forward(self, x):
        return self.linear2(self.linear1(x).relu()).squeeze(1)


# ------------------------------------------------ the same in all exercises


class no_return(_Layers):
    def forward(self, x):
        self.linear2(self.linear1(x).relu())


class printed_not_returned(_Layers):
    def forward(self, x):
        print(self.linear2(self.linear1(x).relu()))


class signature(_Layers):
    def forward(self, x, d_ff):
        return self.linear2(self.linear1(x).relu())


class no_forward(_Layers):
    pass


def not_a_class(d_model, d_ff):
    return right__one_line(d_model, d_ff)


class cut_to_32_bits__all(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        first, second = self.linear1, self.linear2
        inner = F.linear(x.float(), first.weight.float(), first.bias.float())
        after = F.linear(inner.relu(), second.weight.float())
        return (after + second.bias.float()).to(x.dtype)


class leaves_torch__an_array_in_the_middle(_Layers):
    def forward(self, x):
        inner = self.linear1(x).detach().numpy()
        return self.linear2(np.maximum(inner, 0))


class plain_list__in_a_dictionary(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.layers = {"in": nn.Linear(d_model, d_ff)}
        self.layers["out"] = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.layers["out"](F.relu(self.layers["in"](x)))


class made_with_other_bits__by_dtype(_Layers):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model, dtype=torch.float64)

    def forward(self, x):
        return self.linear2(F.relu(self.linear1(x)))


class made_with_other_bits__by_double(_Layers):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.double()

    def forward(self, x):
        return self.linear2(F.relu(self.linear1(x)))


class right__a_buffer_of_64_bits_that_is_cast(_Layers):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        zero = torch.zeros((), dtype=torch.float64)
        self.register_buffer("zero", zero, persistent=False)

    def forward(self, x):
        return self.linear2(self.linear1(x).maximum(self.zero.to(x)))
