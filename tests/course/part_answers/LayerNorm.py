"""Answers to `class LayerNorm`, in other styles than the reference.

A class is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class _Base(nn.Module):
    """The two weights; `forward` is left to the answers."""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps, self.d = eps, d_model
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))


# ---------------------------------------------------------------- right


class right__functional(_Base):
    def forward(self, x):
        return F.layer_norm(x, (self.d,), self.weight, self.bias, self.eps)


class right__a_child_of_torchs(nn.LayerNorm):
    pass


class right__std_and_mean(_Base):
    def forward(self, x):
        var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        return torch.addcmul(
            self.bias, (x - mean) * torch.rsqrt(var + self.eps), self.weight
        )


class right__means_of_squares(_Base):
    def forward(self, h):
        h = h - h.mean(-1, keepdim=True)
        spread = (h**2).mean(-1, keepdim=True)
        return h / (spread + self.eps) ** 0.5 * self.weight + self.bias


class right__difference_of_means(_Base):
    def forward(self, x):
        mean = x.mean(-1, True)
        variance = (x * x).mean(-1, True) - mean * mean
        return (x - mean) / (variance + self.eps).sqrt() * self.weight + (
            self.bias
        )


class right__einsum(_Base):
    def forward(self, x):
        away = x - torch.einsum("...d->...", x)[..., None] / x.size(-1)
        square = torch.einsum("...d,...d->...", away, away) / x.size(-1)
        out = torch.einsum(
            "...d,...,d->...d", away, (square + self.eps).rsqrt(), self.weight
        )
        return out + self.bias


class right__token_by_token(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.register_parameter("weight", nn.Parameter(torch.ones(d_model)))
        self.register_parameter("bias", nn.Parameter(torch.zeros(d_model)))

    def forward(self, x):
        rows = []
        for token in x.reshape(-1, x.shape[-1]):
            n = len(token)
            mean = sum(token) / n
            variance = sum((f - mean) ** 2 for f in token) / n
            rows.append((token - mean) / torch.sqrt(variance + self.eps))
        return torch.stack(rows).view_as(x) * self.weight + self.bias


class right__features_first(_Base):
    def forward(self, x):
        turned = x.movedim(-1, 0)
        away = turned - turned.mean(0)
        normal = away / torch.sqrt(away.pow(2).mean(0) + self.eps)
        return normal.movedim(0, -1) * self.weight + self.bias


class right__in_place_on_its_own(_Base):
    def forward(self, x):
        out = x.clone()
        out -= x.mean(-1, keepdim=True)
        out /= (x.var(-1, unbiased=False, keepdim=True) + self.eps).sqrt()
        out *= self.weight
        out += self.bias
        return out


# ---------------------------------------------------------------- wrong


class no_super__class(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:], self.weight, self.bias, self.eps)


class no_super__module_inside(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        self.norm = nn.LayerNorm(d_model, eps)

    def forward(self, x):
        return self.norm(x)


class signature__no_default(_Base):
    def __init__(self, d_model, eps):
        super().__init__(d_model, eps)

    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:], self.weight, self.bias, self.eps)


class eps_not_an_input__torchs(nn.LayerNorm):
    def __init__(self, d_model):
        super().__init__(d_model)


class statistics_with_n_minus_one_and_eps_outside__annotated(_Base):
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.weight * (x - mean) / (std + self.eps) + self.bias


class divided_by_n_minus_one__std(_Base):
    def forward(self, x):
        std = torch.sqrt(x.std(-1, keepdim=True) ** 2 + self.eps)
        return (x - x.mean(-1, keepdim=True)) / std * self.weight + self.bias


class over_the_batch__running(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        return F.batch_norm(
            x.reshape(-1, x.shape[-1]), None, None, self.weight, self.bias,
            True, 0.1, self.eps,
        ).view_as(x)  # fmt: skip


class over_the_sentence__functional(_Base):
    def forward(self, x):
        out = F.layer_norm(x, x.shape[1:] or x.shape, eps=self.eps)
        return out * self.weight + self.bias


class over_all_entries__functional(_Base):
    def forward(self, x):
        return F.layer_norm(x, x.shape, eps=self.eps) * self.weight + self.bias


class always_axis_one__std(_Base):
    def forward(self, x):
        away = x - x.mean(1, keepdim=True)
        return self.weight * away / torch.sqrt(
            (away**2).mean(1, keepdim=True) + self.eps
        ) + (self.bias)


class axis_lost__std(_Base):
    def forward(self, x):
        std = (x.var(-1, correction=0) + self.eps) ** 0.5
        return self.weight * (x - x.mean(-1)) / std + self.bias


class eps_outside_the_root__norm(_Base):
    def forward(self, x):
        away = x - x.mean(-1, keepdim=True)
        std = away.norm(dim=-1, keepdim=True) / math.sqrt(x.shape[-1])
        return self.weight * away / (std + self.eps) + self.bias


class no_eps__std(_Base):
    def forward(self, x):
        std = x.std(-1, keepdim=True, unbiased=False)
        return self.weight * (x - x.mean(-1, keepdim=True)) / std + self.bias


class an_eps_of_its_own__functional(_Base):
    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:], self.weight, self.bias)


class another_default_eps__1e_6(right__functional):
    def __init__(self, d_model, eps=1e-6):
        super().__init__(d_model, eps)


class root_mean_square__functional(_Base):
    def forward(self, x):
        return F.rms_norm(x, (self.d,), self.weight, self.eps) + self.bias


class gain_and_shift_forgotten__functional(_Base):
    def forward(self, x):
        return F.layer_norm(x, (self.d,), eps=self.eps)


class other_names__torchs_inside(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps=eps)

    def forward(self, x):
        return self.norm(x)


class no_shift_parameter__torchs(nn.LayerNorm):
    def __init__(self, d_model, eps=1e-5):
        super().__init__(d_model, eps, bias=False)


class not_parameters__in_forward(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps, self.d = eps, d_model

    def forward(self, x):
        weight, bias = x.new_ones(self.d), x.new_zeros(self.d)
        return F.layer_norm(x, (self.d,), weight, bias, self.eps)


class weights_kept_twice__torchs_inside(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps)
        self.weight, self.bias = self.norm.weight, self.norm.bias

    def forward(self, x):
        return self.norm(x)


class one_number_for_all_features__scalars(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.tensor(1.0))
        self.bias = nn.Parameter(torch.tensor(0.0))

    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:], eps=self.eps) * self.weight + (
            self.bias
        )


class changes_its_input__all_steps(_Base):
    def forward(self, x):
        x -= x.mean(-1, keepdim=True)
        x /= torch.sqrt((x * x).mean(-1, keepdim=True) + self.eps)
        x *= self.weight.data
        x += self.bias.data
        return x


class starts_otherwise__random(right__functional):
    def __init__(self, d_model, eps=1e-5):
        super().__init__(d_model, eps)
        nn.init.normal_(self.weight, std=0.02)


class not_trained__data(_Base):
    def forward(self, x):
        normal = F.layer_norm(x, x.shape[-1:], eps=self.eps)
        return normal * self.weight.data + self.bias.data


class statistics_without_gradient__no_grad(_Base):
    def forward(self, x):
        with torch.no_grad():
            mean = x.mean(-1, keepdim=True)
            root = (x.var(-1, keepdim=True, correction=0) + self.eps).sqrt()
        return (x - mean) / root * self.weight + self.bias


class input_without_gradient__data(_Base):
    def forward(self, x):
        return F.layer_norm(
            x.data, x.shape[-1:], self.weight, self.bias, self.eps
        )


class input_without_gradient__numpy(_Base):
    def forward(self, x):
        a = x.detach().numpy()
        away = a - a.mean(-1, keepdims=True)
        root = np.sqrt(a.var(-1, keepdims=True) + self.eps)
        return torch.tensor(away / root) * self.weight + self.bias


class always_64_bits__numpy_number(_Base):
    def forward(self, x):
        eps = torch.full((1,), self.eps, dtype=torch.float64)
        normal = F.layer_norm(x, x.shape[-1:], eps=self.eps)
        return normal * self.weight + self.bias + 0 * eps.to(x.device)


class always_32_bits__out(_Base):
    def forward(self, x):
        out = torch.empty(x.shape, device=x.device)
        out[...] = F.layer_norm(
            x, x.shape[-1:], self.weight, self.bias, self.eps
        )
        return out


class too_few_digits__difference(_Base):
    def forward(self, x):
        low = x.to(torch.float32)
        away = (low - low.mean(-1, keepdim=True)).to(x.dtype)
        root = ((away**2).mean(-1, keepdim=True) + self.eps).sqrt()
        return away / root * self.weight + self.bias


class tied_to_the_processor__ones(_Base):
    def forward(self, x):
        n = x.shape[-1]
        mean = x @ torch.ones(n, 1, dtype=x.dtype) / n
        away = x - mean
        root = ((away**2).mean(-1, keepdim=True) + self.eps).sqrt()
        return away / root * self.weight + self.bias


class remembers_the_last_call__counter(right__functional):
    calls = 0

    def forward(self, x):
        self.calls += 1
        return super().forward(x) + 0.01 * (self.calls - 1)


class no_forward(_Base):
    def __call__(self, x):
        return x


class no_return(_Base):
    def forward(self, x):
        self.result = x - x.mean(-1, keepdim=True)


class not_a_module:
    def __init__(self, d_model, eps=1e-5):
        self.weight, self.bias = torch.ones(d_model), torch.zeros(d_model)

    def forward(self, x):
        return x * self.weight + self.bias


class leaves_torch__the_root(_Base):
    def forward(self, x):
        away = x - x.mean(axis=-1, keepdims=True)
        variance = x.var(axis=-1, correction=0, keepdims=True)
        normal = away / np.sqrt(variance + self.eps)
        return self.weight * normal + self.bias


class leaves_torch__the_mean(_Base):
    def forward(self, x):
        mean = np.mean(x, axis=-1, keepdims=True)
        variance = np.var(x, axis=-1, keepdims=True)
        return self.weight * (x - mean) / (variance + self.eps) ** 0.5


class numpys_word_for_the_divisor__var(_Base):
    def forward(self, x):
        variance = x.var(axis=-1, ddof=0, keepdims=True)
        away = x - x.mean(axis=-1, keepdims=True)
        return self.weight * away / (variance + self.eps) ** 0.5 + self.bias


class not_parameters__lost_after_init(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        weight = nn.Parameter(torch.ones(d_model))
        bias = nn.Parameter(torch.zeros(d_model))
        self.shape = weight.shape, bias.shape

    def forward(self, x):
        var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        return (x - mean) / (var + self.eps).sqrt()


class gain_by_a_matrix_product__at(_Base):
    def forward(self, x):
        var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        return (x - mean) / (var + self.eps).sqrt() @ self.weight + self.bias
