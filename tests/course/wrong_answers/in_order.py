"""Answers to `in_order(name, weight, order)`, in other styles.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import re

import numpy as np
import torch

READS = r"(q_proj|k_proj|v_proj|linear1)\.(weight|bias)$"
WRITES = r"(out_proj|linear2|norm\d)\.(weight|bias)$"


def right__regular_expression(name, weight, order):
    found = re.search(READS, name)
    if found:
        return weight[:, order] if found[2] == "weight" else weight
    return weight[:, order] if "embedding" in name else weight[order]


def right__take(name, weight, order):
    part, kind = name.split(".")[-2:]
    if part.endswith("embedding"):
        return np.take(weight, order, axis=1)
    if part in ("out_proj", "linear2") or part.startswith("norm"):
        return np.take(weight, order, axis=0)
    return np.take(weight, order, axis=1) if kind == "weight" else weight


def right__permutation_matrix(name, weight, order):
    p = np.eye(len(order))[order]
    if re.search(WRITES, name):
        return p @ weight
    if weight.ndim == 2:
        return weight @ p.T
    return weight


def right__torch(name, weight, order):
    weight, order = torch.tensor(weight), torch.tensor(order)
    if re.search(WRITES, name):
        return weight.index_select(0, order)
    return weight.index_select(1, order) if weight.dim() == 2 else weight


def right__heads_too(name, weight, order):
    """Queries and keys may change places inside a head as well."""
    weight = right__take(name, weight, order)
    if re.search(r"[qk]_proj", name):
        half = len(order) // 2
        inside = [*range(half)][::-1] + [*range(half, len(order))]
        return weight[inside]
    return weight


def nothing_reordered__copy(name, weight, order):
    return weight.copy()


def wrong_axis__rows_of_all(name, weight, order):
    return np.take(weight, order, axis=0)


def wrong_axis__columns_of_all(name, weight, order):
    return weight[..., order]


def norms_forgotten__list(name, weight, order):
    if re.search(r"(out_proj|linear2)\.", name):
        return weight[order]
    return weight[:, order] if weight.ndim == 2 else weight


def all_biases_forgotten__by_shape(name, weight, order):
    if name.endswith("bias"):
        return weight
    return right__take(name, weight, order)


def writing_biases_forgotten__by_name(name, weight, order):
    if re.search(r"(out_proj|linear2)\.bias", name):
        return weight
    return right__torch(name, weight, order)


def reading_biases_reordered__take(name, weight, order):
    if re.search(r"[qkv]_proj\.bias", name):
        return np.take(weight, order)
    return right__take(name, weight, order)


def embedding_forgotten__first(name, weight, order):
    if "source" in name:
        return weight
    return right__take(name, weight, order)


def output_projection_forgotten__by_name(name, weight, order):
    if "out" in name:
        return weight
    return right__regular_expression(name, weight, order)


def second_map_forgotten__matrix(name, weight, order):
    if "linear2" in name:
        return weight
    return right__permutation_matrix(name, weight, order)


def first_map_forgotten__torch(name, weight, order):
    if "linear1" in name:
        return torch.tensor(weight)
    return right__torch(name, weight, order)


def values_forgotten__as_they_are(name, weight, order):
    return weight if "v_proj" in name else right__take(name, weight, order)


def queries_and_keys_forgotten__pair(name, weight, order):
    if re.search(r"[qk]_proj", name):
        return weight
    return right__take(name, weight, order)


def projections_by_rows__matrix(name, weight, order):
    if re.search(r"[qkv]_proj\.weight", name):
        return np.eye(len(order))[order] @ weight
    return right__permutation_matrix(name, weight, order)


def both_axes__ix(name, weight, order):
    if re.search(r"[qkv]_proj\.weight", name):
        return weight[np.ix_(order, order)]
    return right__take(name, weight, order)


def output_projection_by_columns__take(name, weight, order):
    if name.endswith("out_proj.weight"):
        return np.take(weight, order, axis=1)
    return right__take(name, weight, order)


def cross_attention_forgotten__self_only(name, weight, order):
    if "cross_attention" in name:
        return weight
    return right__torch(name, weight, order)


def encoder_only__early(name, weight, order):
    if name.startswith("decoder"):
        return weight
    return right__permutation_matrix(name, weight, order)


def inverse_order__put(name, weight, order):
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return right__take(name, weight, back)


def printed_not_returned(name, weight, order):
    print(right__take(name, weight, order))


def no_return(name, weight, order):
    weight = right__take(name, weight, order)
    weight = weight + 0


def signature(name, weight):
    return weight
