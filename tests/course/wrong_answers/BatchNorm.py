"""Answers to `class BatchNorm(d)`, called with (x, training).

Each is a class, as students write it; `_answer` turns it into a function of d
that makes an object, so that it can stand in this catalogue. It is named
after the mistake that the check must name; what follows a double underscore
tells several of the same kind apart. `right__...` must be accepted.
"""

import numpy as np
import torch


def _answer(made):
    """Make an object of the class, whatever the class is called."""

    def make(d):
        return made(d)

    return make


class _Right:
    """The right one, in parts that the others replace."""

    eps, share = 1e-5, 0.1

    def __init__(self, d):
        self.gamma, self.beta = np.ones(d), np.zeros(d)
        self.mean, self.variance = np.zeros(d), np.ones(d)

    def statistics(self, x):
        return x.mean(axis=0), x.var(axis=0)

    def remember(self, x):
        keep = 1 - self.share
        mean, variance = x.mean(axis=0), x.var(axis=0, ddof=1)
        self.mean = keep * self.mean + self.share * mean
        self.variance = keep * self.variance + self.share * variance

    def normal(self, x, mean, variance):
        return (x - mean) / np.sqrt(variance + self.eps)

    def __call__(self, x, training):
        if training:
            mean, variance = self.statistics(x)
            self.remember(x)
        else:
            mean, variance = self.mean, self.variance
        return self.gamma * self.normal(x, mean, variance) + self.beta


# ------------------------------------------------------------------- right


@_answer
class right__numpy:
    def __init__(self, d):
        self.gamma = np.ones(d)
        self.beta = np.zeros(d)
        self.mean = np.zeros(d)
        self.variance = np.ones(d)

    def __call__(self, x, training):
        if training:
            n = len(x)
            mean, variance = x.mean(axis=0), x.var(axis=0)
            self.mean = 0.9 * self.mean + 0.1 * mean
            self.variance = 0.9 * self.variance + 0.1 * variance * n / (n - 1)
        else:
            mean, variance = self.mean, self.variance
        return self.gamma * (x - mean) / np.sqrt(variance + 1e-5) + self.beta


@_answer
class right__loop(_Right):
    def __init__(self, d):
        super().__init__(d)
        self.d = d

    def __call__(self, x, training):
        y = np.zeros(x.shape)
        for j in range(self.d):
            column = [row[j] for row in x]
            if training:
                n = len(column)
                mean = sum(column) / n
                squares = sum((entry - mean) ** 2 for entry in column)
                variance = squares / n
                self.mean[j] += 0.1 * (mean - self.mean[j])
                step = squares / (n - 1) - self.variance[j]
                self.variance[j] += 0.1 * step
            else:
                mean, variance = self.mean[j], self.variance[j]
            for i in range(len(column)):
                normal = (column[i] - mean) / (variance + 1e-5) ** 0.5
                y[i, j] = self.gamma[j] * normal + self.beta[j]
        return y


@_answer
class right__torch(torch.nn.Module):
    def __init__(self, d):
        super().__init__()
        self.gamma = torch.nn.Parameter(torch.ones(d))
        self.beta = torch.nn.Parameter(torch.zeros(d))
        self.register_buffer("mean", torch.zeros(d))
        self.register_buffer("variance", torch.ones(d))

    def forward(self, x, training):
        return torch.nn.functional.batch_norm(
            torch.as_tensor(x, dtype=torch.float32),
            self.mean,
            self.variance,
            self.gamma,
            self.beta,
            training,
        )


@_answer
class right__in_place_on_its_own_numbers(_Right):
    def remember(self, x):
        self.mean *= 0.9
        self.mean += 0.1 * x.mean(axis=0)
        self.variance *= 0.9
        self.variance += 0.1 * x.var(axis=0, ddof=1)


@_answer
class right__keyword_only(_Right):
    def __call__(self, x, *, training=False):
        return super().__call__(x, training)


# ---------------------------------------------------------------- training


@_answer
class trains_with_the_running_ones__update_last(_Right):
    def __call__(self, x, training):
        normal = self.normal(x, self.mean, self.variance)
        if training:
            self.remember(x)
        return self.gamma * normal + self.beta


# -------------------------------------------------------------- evaluation


@_answer
class evaluates_with_the_batch__flag_ignored(_Right):
    def __call__(self, x, training):
        return super().__call__(x, True)


# ------------------------------------------------------------------ memory


_kept = {}


@_answer
class shared_by_all_objects(_Right):
    store = {}

    def __init__(self, d):
        self.gamma, self.beta = np.ones(d), np.zeros(d)
        self.store.setdefault("mean", np.zeros(d))
        self.store.setdefault("variance", np.ones(d))

    def remember(self, x):
        mean, variance = x.mean(axis=0), x.var(axis=0, ddof=1)
        self.store["mean"] = 0.9 * self.store["mean"] + 0.1 * mean
        self.store["variance"] = 0.9 * self.store["variance"] + 0.1 * variance

    def __call__(self, x, training):
        mean, variance = self.store["mean"], self.store["variance"]
        if training:
            self.remember(x)
            mean, variance = self.statistics(x)
        return self.gamma * self.normal(x, mean, variance) + self.beta


@_answer
class shared_by_all_objects__default_value(_Right):
    def __init__(self, d, mean=np.zeros(3), variance=np.ones(3)):  # noqa: B008
        super().__init__(d)
        self.mean, self.variance = mean, variance

    def remember(self, x):
        self.mean *= 0.9
        self.mean += 0.1 * x.mean(axis=0)
        self.variance *= 0.9
        self.variance += 0.1 * x.var(axis=0, ddof=1)


@_answer
class shared_by_all_objects__new_each_time(_Right):
    def __init__(self, d):
        self.gamma, self.beta = np.ones(d), np.zeros(d)
        _kept.update(mean=np.zeros(d), variance=np.ones(d))

    def remember(self, x):
        mean, variance = x.mean(axis=0), x.var(axis=0, ddof=1)
        _kept["mean"] = 0.9 * _kept["mean"] + 0.1 * mean
        _kept["variance"] = 0.9 * _kept["variance"] + 0.1 * variance

    def __call__(self, x, training):
        mean, variance = _kept["mean"], _kept["variance"]
        if training:
            self.remember(x)
            mean, variance = self.statistics(x)
        return self.gamma * self.normal(x, mean, variance) + self.beta


# ---------------------------------------------------------- gain and shift


@_answer
class gain_and_shift_forgotten__other_names(_Right):
    def __init__(self, d):
        super().__init__(d)
        self.gain, self.bias = np.ones(d), np.zeros(d)

    def __call__(self, x, training):
        self.gamma, self.beta = self.gain, self.bias
        return super().__call__(x, training)


@_answer
class whole_numbers_cut(_Right):
    def __call__(self, x, training):
        result = np.zeros_like(x)
        result[...] = super().__call__(x, training)
        return result


# ------------------------------------------------- the same in all exercises


@_answer
class changes_its_input(_Right):
    def __call__(self, x, training):
        result = super().__call__(x, training)
        x *= 2
        return result


@_answer
class printed_not_returned(_Right):
    def __call__(self, x, training):
        print(super().__call__(x, training))


@_answer
class no_return(_Right):
    def __call__(self, x, training):
        result = super().__call__(x, training)
        result += 0


def signature(d, momentum):
    return _Right(d)


# ------------------------------------------- the same mistakes, other styles


class _Module(torch.nn.Module):
    """What students bring from PyTorch: buffers, parameters, `forward`."""

    share, dims, unbiased = 0.1, 0, True

    def __init__(self, d):
        super().__init__()
        self.gamma = torch.nn.Parameter(torch.ones(d).double())
        self.beta = torch.nn.Parameter(torch.zeros(d).double())
        self.register_buffer("mean", torch.zeros(d).double())
        self.register_buffer("variance", torch.ones(d).double())

    def update(self, x):
        new = x.var(0, unbiased=self.unbiased)
        self.mean.lerp_(x.mean(0), self.share)
        self.variance.lerp_(new, self.share)

    def forward(self, x, training):
        x = torch.as_tensor(x).double()
        mean, variance = self.mean, self.variance
        if training:
            mean = x.mean(self.dims)
            variance = x.var(self.dims, unbiased=False)
            self.update(x)
        scaled = (x - mean).mul(torch.rsqrt(variance + 1e-5))
        return (scaled * self.gamma + self.beta).detach()


@_answer
class right__torch_module(_Module):
    pass


@_answer
class momentum_reversed__torch_module(_Module):
    share = 0.9


@_answer
class keeps_the_biased_variance__torch_module(_Module):
    unbiased = False


@_answer
class only_the_mean_is_kept__torch_module(_Module):
    def update(self, x):
        self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)


@_answer
class added_without_forgetting__torch_module(_Module):
    def update(self, x):
        self.mean += 0.1 * x.mean(0)
        self.variance += 0.1 * x.var(0)


class _Functional:
    """`batch_norm` of torch does the work."""

    momentum, eps = 0.1, 1e-5

    def __init__(self, d):
        self.gamma, self.beta = np.ones(d), np.zeros(d)
        self.running = torch.zeros(d).double(), torch.ones(d).double()

    def trains(self, training):
        return training

    def __call__(self, x, training):
        weight, bias = (
            torch.as_tensor(np.asarray(p), dtype=torch.float64)
            for p in (self.gamma, self.beta)
        )
        return torch.nn.functional.batch_norm(
            torch.tensor(x, dtype=torch.float64),
            *self.running,
            weight,
            bias,
            self.trains(training),
            self.momentum,
            self.eps,
        )


@_answer
class right__torch_functional(_Functional):
    pass


@_answer
class momentum_reversed__torch_functional(_Functional):
    momentum = 0.9


@_answer
class another_eps__torch_functional(_Functional):
    eps = 1e-3


@_answer
class evaluates_with_the_batch__torch_functional(_Functional):
    def trains(self, training):
        return True


@_answer
class training_flag_reversed__torch_functional(_Functional):
    def trains(self, training):
        return not training


class _Lists:
    """Plain Python: a list a feature, a loop for everything."""

    less, root = 1, 0.5

    def __init__(self, d):
        self.gamma, self.beta = [1.0] * d, [0.0] * d
        self.means, self.variances = [0.0] * d, [1.0] * d

    def __call__(self, x, training):
        rows = [list(map(float, row)) for row in x]
        n, out = len(rows), [[] for _ in rows]
        for j in range(len(self.means)):
            column = [row[j] for row in rows]
            mean, variance = self.means[j], self.variances[j]
            if training:
                mean = sum(column) / n
                squares = sum((c - mean) ** 2 for c in column)
                variance = self.divide(squares, n)
                self.means[j] += 0.1 * (mean - self.means[j])
                kept = squares / (n - self.less)
                self.variances[j] += 0.1 * (kept - self.variances[j])
            for row, c in zip(out, column, strict=True):
                z = (c - mean) / (variance + 1e-5) ** self.root
                row.append(self.gamma[j] * z + self.beta[j])
        return out

    def divide(self, squares, n):
        return squares / n


@_answer
class right__lists(_Lists):
    pass


@_answer
class divided_by_n_minus_one__lists(_Lists):
    def divide(self, squares, n):
        return squares / (n - 1)


@_answer
class keeps_the_biased_variance__lists(_Lists):
    less = 0


@_answer
class root_forgotten__lists(_Lists):
    root = 1


@_answer
class gain_and_shift_exchanged__lists(_Lists):
    def __call__(self, x, training):
        self.gamma, self.beta = self.beta, self.gamma
        made = super().__call__(x, training)
        self.gamma, self.beta = self.beta, self.gamma
        return made
