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
class over_the_features(_Right):
    def statistics(self, x):
        return x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)

    def remember(self, x):
        mean, variance = self.statistics(x)
        n = x.shape[1]
        self.mean = 0.9 * self.mean + 0.1 * mean
        self.variance = 0.9 * self.variance + 0.1 * variance * n / (n - 1)


@_answer
class over_all_entries(_Right):
    def statistics(self, x):
        return x.mean(), x.var()

    def remember(self, x):
        self.mean = 0.9 * self.mean + 0.1 * np.mean(x)
        self.variance = 0.9 * self.variance + 0.1 * np.var(x, ddof=1)


@_answer
class divided_by_n_minus_one(_Right):
    def statistics(self, x):
        return x.mean(axis=0), x.var(axis=0, ddof=1)


@_answer
class no_eps(_Right):
    eps = 0


@_answer
class eps_outside_the_root(_Right):
    def normal(self, x, mean, variance):
        return (x - mean) / (np.sqrt(variance) + self.eps)


@_answer
class another_eps(_Right):
    eps = 1e-8


@_answer
class another_eps__keras(_Right):
    eps = 1e-3


@_answer
class root_forgotten(_Right):
    def normal(self, x, mean, variance):
        return (x - mean) / (variance + self.eps)


@_answer
class mean_not_subtracted(_Right):
    def normal(self, x, mean, variance):
        return x / np.sqrt(variance + self.eps)


@_answer
class trains_with_the_running_ones(_Right):
    def __call__(self, x, training):
        if training:
            self.remember(x)
        normal = self.normal(x, self.mean, self.variance)
        return self.gamma * normal + self.beta


@_answer
class trains_with_the_running_ones__update_last(_Right):
    def __call__(self, x, training):
        normal = self.normal(x, self.mean, self.variance)
        if training:
            self.remember(x)
        return self.gamma * normal + self.beta


# -------------------------------------------------------------- evaluation


@_answer
class evaluates_with_the_batch(_Right):
    def __call__(self, x, training):
        if training:
            self.remember(x)
        return self.gamma * self.normal(x, *self.statistics(x)) + self.beta


@_answer
class runs_only_the_mean(_Right):
    def __call__(self, x, training):
        mean, variance = self.statistics(x)
        if training:
            self.remember(x)
        else:
            mean = self.mean
        return self.gamma * self.normal(x, mean, variance) + self.beta


@_answer
class runs_only_the_variance(_Right):
    def __call__(self, x, training):
        mean, variance = self.statistics(x)
        if training:
            self.remember(x)
        else:
            variance = self.variance
        return self.gamma * self.normal(x, mean, variance) + self.beta


@_answer
class evaluation_does_nothing(_Right):
    def __call__(self, x, training):
        if training:
            return super().__call__(x, True)
        return self.gamma * x + self.beta


@_answer
class never_updated(_Right):
    def remember(self, x):
        mean = 0.9 * self.mean + 0.1 * x.mean(axis=0)
        variance = 0.9 * self.variance + 0.1 * x.var(axis=0, ddof=1)
        return mean, variance


@_answer
class updated_while_evaluating(_Right):
    def __call__(self, x, training):
        mean, variance = self.statistics(x)
        self.remember(x)
        if not training:
            mean, variance = self.mean, self.variance
        return self.gamma * self.normal(x, mean, variance) + self.beta


@_answer
class only_the_mean_is_kept(_Right):
    def remember(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(axis=0)


@_answer
class only_the_variance_is_kept(_Right):
    def remember(self, x):
        self.variance = 0.9 * self.variance + 0.1 * x.var(axis=0, ddof=1)


@_answer
class training_flag_reversed(_Right):
    def __call__(self, x, training):
        return super().__call__(x, not training)


@_answer
class evaluates_with_the_batch__flag_ignored(_Right):
    def __call__(self, x, training):
        return super().__call__(x, True)


# ------------------------------------------------------------------ memory


@_answer
class momentum_reversed(_Right):
    share = 0.9


@_answer
class only_the_last_batch(_Right):
    def remember(self, x):
        self.mean, self.variance = x.mean(axis=0), x.var(axis=0, ddof=1)


@_answer
class another_momentum(_Right):
    share = 0.01


@_answer
class another_momentum__half(_Right):
    share = 0.5


@_answer
class mean_of_all_batches(_Right):
    count = 0

    def remember(self, x):
        self.count += 1
        self.mean += (x.mean(axis=0) - self.mean) / self.count
        self.variance += (x.var(axis=0, ddof=1) - self.variance) / self.count


@_answer
class starts_with_the_first_batch(_Right):
    seen = False

    def remember(self, x):
        if self.seen:
            super().remember(x)
        else:
            self.mean, self.variance = x.mean(axis=0), x.var(axis=0, ddof=1)
        self.seen = True


@_answer
class added_without_forgetting(_Right):
    def remember(self, x):
        self.mean = self.mean + 0.1 * x.mean(axis=0)
        self.variance = self.variance + 0.1 * x.var(axis=0, ddof=1)


@_answer
class keeps_the_biased_variance(_Right):
    def remember(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(axis=0)
        self.variance = 0.9 * self.variance + 0.1 * x.var(axis=0)


@_answer
class keeps_the_deviation(_Right):
    def remember(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(axis=0)
        self.deviation = 0.9 * np.sqrt(self.variance) + 0.1 * x.std(axis=0)
        self.variance = self.deviation**2


@_answer
class keeps_the_deviation__unbiased(_Right):
    def __init__(self, d):
        super().__init__(d)
        self.deviation = np.ones(d)

    def __call__(self, x, training):
        mean, deviation = x.mean(axis=0), x.std(axis=0)
        if training:
            self.mean = 0.9 * self.mean + 0.1 * mean
            new = x.std(axis=0, ddof=1)
            self.deviation = 0.9 * self.deviation + 0.1 * new
        else:
            mean, deviation = self.mean, self.deviation
        normal = (x - mean) / np.sqrt(deviation**2 + 1e-5)
        return self.gamma * normal + self.beta


@_answer
class variance_starts_at_zero(_Right):
    def __init__(self, d):
        super().__init__(d)
        self.variance = np.zeros(d)


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
class gain_and_shift_forgotten(_Right):
    def __call__(self, x, training):
        self.gamma, self.beta = 1.0, 0.0
        return super().__call__(x, training)


@_answer
class gain_and_shift_forgotten__other_names(_Right):
    def __init__(self, d):
        super().__init__(d)
        self.gain, self.bias = np.ones(d), np.zeros(d)

    def __call__(self, x, training):
        self.gamma, self.beta = self.gain, self.bias
        return super().__call__(x, training)


@_answer
class gain_while_training_only(_Right):
    def __call__(self, x, training):
        if not training:
            return self.normal(x, self.mean, self.variance)
        return super().__call__(x, training)


@_answer
class shift_forgotten(_Right):
    def __call__(self, x, training):
        self.beta = 0.0
        return super().__call__(x, training)


@_answer
class gain_forgotten(_Right):
    def __call__(self, x, training):
        self.gamma = 1.0
        return super().__call__(x, training)


@_answer
class gain_and_shift_exchanged(_Right):
    def normal(self, x, mean, variance):
        normal = super().normal(x, mean, variance)
        return (self.beta * normal + self.gamma - self.beta) / self.gamma


@_answer
class rounded(_Right):
    def __call__(self, x, training):
        return np.round(super().__call__(x, training), 2)


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
