"""Answers to `rollout(maps)`, as students write them.

Each is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import functools

import numpy as np
import torch

# ------------------------------------------------------------------- right


def right__loop(maps):
    product = np.eye(maps.shape[-1])
    for layer in maps:
        a = layer.mean(axis=0) + np.eye(maps.shape[-1])
        product = a / a.sum(axis=-1, keepdims=True) @ product
    return product


def right__halves(maps):
    a = (maps.mean(axis=1) + np.eye(maps.shape[-1])) / 2
    return functools.reduce(lambda done, layer: layer @ done, a)


def right__divides_at_the_end(maps):
    layers = maps.mean(axis=1) + np.eye(maps.shape[-1])
    product = np.linalg.multi_dot([*layers[::-1], np.eye(maps.shape[-1])])
    return product / product.sum(axis=1, keepdims=True)


def right__tensors(maps):
    a = torch.tensor(maps).float().mean(dim=1)
    a = torch.nn.functional.normalize(a + torch.eye(a.shape[-1]), 1, dim=-1)
    product = a[0]
    for layer in a[1:]:
        product = torch.matmul(layer, product)
    return product


def right__from_the_top(maps):
    product = np.eye(maps.shape[-1])
    for layer in reversed(maps):
        a = 0.5 * layer.mean(0) + 0.5 * np.eye(len(product))
        product = product @ a
    return product


def right__paths(maps):
    """The definition: all ways through the layers, one by one."""
    layers, _, n, _ = maps.shape
    done = [[float(i == j) for j in range(n)] for i in range(n)]
    for layer in range(layers):
        a = maps[layer].mean(axis=0)
        done = [
            [
                sum((a[i, k] + (i == k)) / 2 * done[k][j] for k in range(n))
                for j in range(n)
            ]
            for i in range(n)
        ]
    return done


def _shares(a):
    return a / a.sum(axis=-1, keepdims=True)


# -------------------------------------------------------- slips of loops


def each_head_rolled_apart(maps):
    heads = [right__loop(maps[:, [h]]) for h in range(maps.shape[1])]
    return sum(heads) / len(heads)


def identity_in_the_first_layer_only(maps):
    first = maps[0].mean(axis=0) + np.eye(maps.shape[-1])
    product = _shares(first)
    for layer in maps[1:]:
        product = layer.mean(axis=0) @ product
    return product


def layers_in_the_wrong_order__reversed(maps):
    return right__loop(maps[::-1])


def one_layer_only__return_in_the_loop(maps):
    for layer in maps:
        return _shares(layer.mean(axis=0) + np.eye(layer.shape[-1]))


def starts_with_zeros(maps):
    product = np.zeros(maps.shape[-2:])
    for layer in maps:
        product = _shares(layer.mean(axis=0) + np.eye(len(product))) @ product
    return product


def a_layer_left_out__last(maps):
    product = np.eye(maps.shape[-1])
    for i in range(len(maps) - 1):
        a = maps[i].mean(axis=0) + np.eye(len(product))
        product = _shares(a) @ product
    return product


def first_layer_twice(maps):
    layers = [_shares(m.mean(axis=0) + np.eye(m.shape[-1])) for m in maps]
    product = layers[0]
    for layer in layers:
        product = layer @ product
    return product


# ------------------------------------------- the identity, the halves, again


def right__einsum(maps):
    halves = (maps.mean(axis=1) + np.eye(maps.shape[-1])) / 2
    done = halves[0]
    for layer in halves[1:]:
        done = np.einsum("ik,kj->ij", layer, done)
    return done


def right__identity_in_each_head(maps):
    product = np.eye(maps.shape[-1])
    for layer in maps:
        product = ((layer + np.eye(len(product))) / 2).mean(axis=0) @ product
    return product


def identity_after_the_product(maps):
    product = np.eye(maps.shape[-1])
    for layer in maps:
        product = layer.mean(axis=0) @ product + np.eye(len(product))
        product = _shares(product)
    return product


def identity_after_the_product__at_the_end(maps):
    product = np.eye(maps.shape[-1])
    for layer in maps:
        product = layer.mean(axis=0) @ product
    return (product + np.eye(len(product))) / 2


def cell_by_cell__from_the_identity(maps):
    product = np.eye(maps.shape[-1])
    for layer in maps:
        product = (layer.mean(axis=0) + np.eye(len(product))) / 2 * product
    return product


def largest_head__halved(maps):
    product = np.eye(maps.shape[-1])
    for layer in maps:
        product = (layer.max(axis=0) + np.eye(len(product))) / 2 @ product
    return product


def heads_added__halved(maps):
    product = np.eye(maps.shape[-1])
    for layer in maps:
        product = (layer.sum(axis=0) + np.eye(len(product))) / 2 @ product
    return product


def maps_turned__halved(maps):
    product = np.eye(maps.shape[-1])
    for layer in maps:
        half = (layer.mean(axis=0) + np.eye(len(product))) / 2
        product = half.T @ product
    return product


# ------------------------------------------- the same mistakes, other styles


def one_head_only__torch(maps):
    layers = torch.from_numpy(maps)[:, 0] + torch.eye(maps.shape[-1])
    layers = layers / layers.sum(-1, keepdim=True)
    return torch.linalg.multi_dot(
        [torch.eye(len(layers[0])).double(), *layers.flip(0)]
    )


def heads_added__loop(maps):
    product = np.eye(maps.shape[-1])
    for layer in maps:
        total = np.zeros_like(product)
        for head in layer:
            total += head
        product = _shares(total + np.eye(len(product))) @ product
    return product


def averaged_over_layers__einsum(maps):
    halves = (
        np.einsum("lhij->hij", maps) / len(maps) + np.eye(maps.shape[-1])
    ) / 2
    return functools.reduce(lambda done, a: a @ done, halves)


def no_identity__paths(maps):
    """All ways through the bare attention, in plain Python."""
    n = maps.shape[-1]
    done = [[float(i == j) for j in range(n)] for i in range(n)]
    for layer in maps.mean(axis=1).tolist():
        done = [
            [sum(weights[k] * done[k][j] for k in range(n)) for j in range(n)]
            for weights in layer
        ]
    return done


def ones_not_identity__halves(maps):
    halves = (maps.mean(axis=1) + np.ones(maps.shape[-2:])) / 2
    return functools.reduce(lambda done, layer: layer @ done, halves)


def identity_taken_away__halves(maps):
    halves = 0.5 * maps.mean(axis=1) - 0.5 * np.eye(maps.shape[-1])
    return functools.reduce(lambda done, layer: layer @ done, halves)


def diagonal_replaced__fill(maps):
    layers = torch.as_tensor(maps).mean(1)
    product = torch.eye(layers.shape[-1], dtype=layers.dtype)
    for layer in layers:
        layer.fill_diagonal_(1.0)
        product = (layer / layer.sum(dim=-1, keepdim=True)).mm(product)
    return product


def not_renormalized__recursion(maps):
    if len(maps) == 0:
        return np.eye(maps.shape[-1])
    below = not_renormalized__recursion(maps[:-1])
    return maps[-1].mean(axis=0) @ below + below


def columns_normalized__torch(maps):
    product = torch.eye(maps.shape[-1], dtype=torch.float64)
    for layer in torch.tensor(maps):
        a = layer.mean(dim=0) + torch.eye(layer.shape[-1])
        product = torch.nn.functional.normalize(a, p=1, dim=0) @ product
    return product


def softmax_again__torch(maps):
    layers = torch.tensor(maps).mean(dim=1) + torch.eye(maps.shape[-1])
    product = torch.eye(maps.shape[-1]).double()
    for layer in layers.softmax(dim=-1):
        product = layer @ product
    return product.numpy()


def layers_in_the_wrong_order__einsum(maps):
    product = np.eye(maps.shape[-1])
    for layer in (maps.mean(axis=1) + np.eye(maps.shape[-1])) / 2:
        product = np.einsum("ik,kj->ij", product, layer)
    return product


def layers_in_the_wrong_order__multi_dot(maps):
    halves = (maps.mean(axis=1) + np.eye(maps.shape[-1])) / 2
    return np.linalg.multi_dot([np.eye(len(halves[0])), *halves])


def cell_by_cell__loops(maps):
    layers, heads, n, _ = maps.shape
    result = [[1.0] * n for _ in range(n)]
    for layer in maps:
        for i in range(n):
            row = [sum(head[i][j] for head in layer) / heads for j in range(n)]
            row[i] += 1
            for j in range(n):
                result[i][j] *= row[j] / sum(row)
    return result


def layers_added__sum(maps):
    eye = np.eye(maps.shape[-1])
    return sum((layer.mean(axis=0) + eye) / 2 for layer in maps)


def layers_added__mean_of_everything(maps):
    a = np.mean(maps, axis=(0, 1)) + np.eye(maps.shape[-1])
    return a / np.sum(a, axis=1)[:, None]


def one_layer_only__overwritten(maps):
    for layer in maps:
        product = np.eye(maps.shape[-1])
        product = (layer.mean(axis=0) + product) / 2 @ product
    return product


def turned_in_between__matvec(maps):
    eye = product = np.eye(maps.shape[-1])
    for layer in maps:
        a = (layer.mean(axis=0) + eye) / 2
        product = np.array([[np.dot(q, k) for k in product] for q in a])
    return product


def result_turned__columns(maps):
    columns = np.eye(maps.shape[-1])
    for layer in reversed(maps):
        half = (layer.mean(axis=0) + np.eye(len(columns))) / 2
        columns = half.T @ columns
    return columns


def one_row_only__vector(maps):
    weights = np.eye(maps.shape[-1])[-1]
    for layer in maps[::-1]:
        weights = (weights @ layer.mean(axis=0) + weights) / 2
    return weights


def columns_summed__vector(maps):
    weights = np.ones(maps.shape[-1])
    for layer in maps[::-1]:
        weights = (weights @ layer.mean(axis=0) + weights) / 2
    return weights / len(weights)


def rounded__formatted(maps):
    rows = right__paths(maps)
    return [[float(f"{share:.3f}") for share in row] for row in rows]


def percent__rounded_for_print(maps):
    return np.round(100 * right__loop(maps), 1)


# ----------------------------------------------------------------- general


def changes_its_input(maps):
    maps += np.eye(maps.shape[-1])
    maps /= 2
    return functools.reduce(lambda done, a: a @ done, maps.mean(axis=1))


def printed_not_returned(maps):
    print(right__loop(maps))


def no_return(maps):
    product = right__loop(maps)
    product = product.round(3)


def signature(maps, heads):
    return right__loop(maps)
