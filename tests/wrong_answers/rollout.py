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


# ------------------------------------------------ one loop with weak places


def _shares(a):
    return a / a.sum(axis=-1, keepdims=True)


def _rolled(maps, mean=None, add=None, norm=_shares, join=None):
    eye = np.eye(maps.shape[-1])
    product = None
    for layer in maps:
        a = layer.mean(axis=0) if mean is None else mean(layer)
        a = norm(a + eye if add is None else add(a))
        if product is None:
            product = a
        else:
            product = a @ product if join is None else join(product, a)
    return product


# ------------------------------------------------------------------- heads


def one_head_only(maps):
    return _rolled(maps, mean=lambda layer: layer[0])


def one_head_only__last(maps):
    return _rolled(maps, mean=lambda layer: layer[-1])


def heads_added(maps):
    return _rolled(maps, mean=lambda layer: layer.sum(axis=0))


def heads_added__loop(maps):
    def together(layer):
        total = np.zeros(layer.shape[1:])
        for head in layer:
            total += head
        return total

    return _rolled(maps, mean=together)


def largest_head(maps):
    return _rolled(maps, mean=lambda layer: layer.max(axis=0))


def largest_head__smallest(maps):
    return _rolled(maps, mean=lambda layer: layer.min(axis=0))


def heads_multiplied(maps):
    return _rolled(maps, mean=lambda layer: layer.prod(axis=0))


def averaged_over_layers(maps):
    return right__loop(maps.swapaxes(0, 1))


def each_head_rolled_apart(maps):
    heads = [right__loop(maps[:, [h]]) for h in range(maps.shape[1])]
    return sum(heads) / len(heads)


def maps_turned(maps):
    return _rolled(maps, mean=lambda layer: layer.mean(axis=0).T)


# ---------------------------------------------------------------- identity


def no_identity(maps):
    return _rolled(maps, add=lambda a: a)


def no_identity__multi_dot(maps):
    product = np.eye(maps.shape[-1])
    for layer in maps:
        product = layer.mean(axis=0) @ product
    return product


def ones_not_identity(maps):
    return _rolled(maps, add=lambda a: a + 1)


def ones_not_identity__uniform(maps):
    return _rolled(maps, add=lambda a: a + np.full(a.shape, 1 / len(a)))


def identity_in_the_first_layer_only(maps):
    first = maps[0].mean(axis=0) + np.eye(maps.shape[-1])
    product = _shares(first)
    for layer in maps[1:]:
        product = layer.mean(axis=0) @ product
    return product


def identity_taken_away(maps):
    return _rolled(maps, add=lambda a: a - np.eye(len(a)))


def diagonal_replaced(maps):
    def fill(a):
        a = a.copy()
        np.fill_diagonal(a, 1)
        return a

    return _rolled(maps, add=fill)


# -------------------------------------------------------------------- norm


def not_renormalized(maps):
    return _rolled(maps, norm=lambda a: a)


def columns_normalized(maps):
    return _rolled(maps, norm=lambda a: a / a.sum(axis=0))


def divided_by_the_whole(maps):
    return _rolled(maps, norm=lambda a: a / a.sum())


def divided_by_the_whole__by_n(maps):
    return _rolled(maps, norm=lambda a: a / len(a))


def divided_by_the_largest(maps):
    return _rolled(maps, norm=lambda a: a / a.max(axis=1, keepdims=True))


def softmax_again(maps):
    return _rolled(maps, norm=lambda a: _shares(np.exp(a)))


def softmax_again__at_the_end(maps):
    return _shares(np.exp(right__loop(maps)))


# ------------------------------------------------------------------- order


def layers_in_the_wrong_order(maps):
    return _rolled(maps, join=lambda done, a: done @ a)


def layers_in_the_wrong_order__reversed(maps):
    return right__loop(maps[::-1])


def cell_by_cell(maps):
    return _rolled(maps, join=lambda done, a: done * a)


def layers_added(maps):
    return _rolled(maps, join=lambda done, a: done + a)


def layers_added__mean(maps):
    return _rolled(maps, join=lambda done, a: done + a) / len(maps)


def one_layer_only(maps):
    return _rolled(maps, join=lambda done, a: a)


def one_layer_only__return_in_the_loop(maps):
    for layer in maps:
        return _shares(layer.mean(axis=0) + np.eye(layer.shape[-1]))


def turned_in_between(maps):
    return _rolled(maps, join=lambda done, a: a @ done.T)


def starts_with_zeros(maps):
    product = np.zeros(maps.shape[-2:])
    for layer in maps:
        product = _shares(layer.mean(axis=0) + np.eye(len(product))) @ product
    return product


def a_layer_left_out(maps):
    product = np.eye(maps.shape[-1])
    for layer in maps[1:]:
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


# -------------------------------------------------------------------- then


def result_turned(maps):
    return right__loop(maps).T


def one_row_only(maps):
    return right__loop(maps)[-1]


def one_row_only__first(maps):
    return right__loop(maps)[0]


def columns_summed(maps):
    return right__loop(maps).sum(axis=0)


def columns_summed__mean(maps):
    return right__loop(maps).mean(axis=0)


def diagonal_dropped(maps):
    product = right__loop(maps)
    np.fill_diagonal(product, 0)
    return product


def diagonal_dropped__and_normalized(maps):
    return _shares(diagonal_dropped(maps))


def percent(maps):
    return 100 * right__loop(maps)


def rounded(maps):
    return right__loop(maps).round(2)


def batch_axis(maps):
    return right__loop(maps)[np.newaxis]


def places_not_shares(maps):
    return right__loop(maps).argmax(axis=1)


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
