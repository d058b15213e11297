"""Answers to `encoder_decoder(...)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted. The masks are called s (source) and t (target).
"""

import numpy as np
import torch


def right__two_loops(x, y, encoder_layers, decoder_layers, s, t):
    for layer in encoder_layers:
        x = layer(x, s)
    for layer in decoder_layers:
        y = layer(y, x, t, s)
    return y


def right__memory_named(x, y, enc, dec, source_mask, target_mask):
    memory = x
    for layer in enc:
        memory = layer(memory, source_mask)
    out = y
    for i in range(len(dec)):
        out = dec[i](out, memory, target_mask, source_mask)
    return out


def right__classes(x, y, encoder_layers, decoder_layers, s, t):
    class Encoder:
        def __init__(self, layers):
            self.layers = layers

        def __call__(self, x, mask):
            for layer in self.layers:
                x = layer(x, mask)
            return x

    class Decoder(Encoder):
        def __call__(self, y, memory, mask, memory_mask):
            for layer in self.layers:
                y = layer(y, memory, mask, memory_mask)
            return y

    memory = Encoder(encoder_layers)(x, s)
    return Decoder(decoder_layers)(y, memory, t, s)


def right__recursive(x, y, encoder_layers, decoder_layers, s, t):
    def up(h, layers, *rest):
        return up(layers[0](h, *rest), layers[1:], *rest) if layers else h

    return up(y, decoder_layers, up(x, encoder_layers, s), t, s)


def right__all_kept(x, y, encoder_layers, decoder_layers, s, t):
    kept = [x]
    for layer in encoder_layers:
        kept.append(layer(kept[-1], s))
    written = [y]
    for layer in decoder_layers:
        written.append(layer(written[-1], kept[-1], t, s))
    return written[-1]


def right__torch(x, y, encoder_layers, decoder_layers, s, t):
    x, y = torch.tensor(x), torch.tensor(y)
    s, t = torch.tensor(s), torch.tensor(t)
    for layer in encoder_layers:
        x = layer(x, s)
    for layer in decoder_layers:
        y = layer(y, x, t, s)
    return y


def right__by_name(x, y, encoder_layers, decoder_layers, s, t):
    for layer in encoder_layers:
        x = layer(x, source_mask=s)
    for layer in decoder_layers:
        y = layer(y, memory=x, source_mask=s, target_mask=t)
    return y


def right__as_a_list(x, y, encoder_layers, decoder_layers, s, t):
    return right__two_loops(x, y, encoder_layers, decoder_layers, s, t).tolist()


# ------------------------------------------------------------ the memory


def decoder_layer_reads_encoder_layer_of_its_number(x, y, enc, dec, s, t):
    outputs = []
    for layer in enc:
        x = layer(x, s)
        outputs.append(x)
    for i, layer in enumerate(dec):
        y = layer(y, outputs[i], t, s)
    return y


def decoder_layer_reads_encoder_layer_of_its_number__zip(
    x, y, encoder_layers, decoder_layers, source_mask, target_mask
):
    for below, above in zip(encoder_layers, decoder_layers, strict=False):
        x = below(x, source_mask)
        y = above(y, x, target_mask, source_mask)
    return y


def decoder_layer_reads_encoder_layer_of_its_number__then_the_last(
    x, y, enc, dec, s, t
):
    for i in range(max(len(enc), len(dec))):
        x = enc[i](x, s) if i < len(enc) else x
        y = dec[i](y, x, t, s) if i < len(dec) else y
    return y


def decoder_reads_the_encoder_upside_down(x, y, enc, dec, s, t):
    outputs = []
    for layer in enc:
        x = layer(x, s)
        outputs.append(x)
    for layer in dec:
        y = layer(y, outputs.pop(), t, s)
    return y


def memory_one_layer_too_low(x, y, enc, dec, s, t):
    outputs = []
    for layer in enc:
        outputs.append(x)
        x = layer(x, s)
    for i, layer in enumerate(dec):
        y = layer(y, outputs[i], t, s)
    return y


def memory_one_layer_too_low__last_but_one(x, y, enc, dec, s, t):
    for layer in enc:
        memory = x
        x = layer(x, s)
    for layer in dec:
        y = layer(y, memory, t, s)
    return y


def memory_of_the_first_layer(x, y, enc, dec, s, t):
    memory = None
    for layer in enc:
        x = layer(x, s)
        memory = x if memory is None else memory
    for layer in dec:
        y = layer(y, memory, t, s)
    return y


def decoder_reads_the_embeddings(x, y, enc, dec, s, t):
    memory = x
    for layer in enc:
        memory = layer(memory, s)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def memory_in_the_first_layer_only(x, y, enc, dec, s, t):
    memory = x
    for layer in enc:
        memory = layer(memory, s)
    for layer in dec:
        y = layer(y, memory, t, s)
        memory = x
    return y


def memory_in_the_first_layer_only__then_itself(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    memory = x
    for layer in dec:
        y = layer(y, memory, t, s)
        memory = y
    return y


def memory_in_the_last_layer_only(x, y, enc, dec, s, t):
    memory = x
    for layer in enc:
        memory = layer(memory, s)
    for layer in dec[:-1]:
        y = layer(y, x, t, s)
    return dec[-1](y, memory, t, s)


def one_loop_inside_the_other(x, y, enc, dec, s, t):
    for below in enc:
        x = below(x, s)
        for above in dec:
            y = above(y, x, t, s)
    return y


def memory_not_passed(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, y, t, s)
    return y


def memory_not_passed__input(x, y, enc, dec, s, t):
    h = y
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        h = layer(h, y, t, s)
    return h


def all_encoder_layers_added(x, y, enc, dec, s, t):
    memory = 0
    for layer in enc:
        x = layer(x, s)
        memory = memory + x
    for layer in dec:
        y = layer(y, memory, t, s)
    return y


def all_encoder_layers_added__mean(x, y, enc, dec, s, t):
    outputs = []
    for layer in enc:
        x = layer(x, s)
        outputs.append(x)
    for layer in dec:
        y = layer(y, np.mean(outputs, axis=0), t, s)
    return y


def embeddings_added_to_the_memory(x, y, enc, dec, s, t):
    memory = x
    for layer in enc:
        memory = layer(memory, s)
    for layer in dec:
        y = layer(y, x + memory, t, s)
    return y


def memory_squeezed_into_one_vector(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    one = np.repeat(x.mean(axis=0, keepdims=True), len(x), axis=0)
    for layer in dec:
        y = layer(y, one, t, s)
    return y


def memory_squeezed_into_one_vector__last(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, np.array([x[-1]] * len(x)), t, s)
    return y


# ------------------------------------------------- what goes into the decoder


def decoder_starts_from_the_memory(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    h = x
    for layer in dec:
        h = layer(h, x, t, s)
    return h


def decoder_starts_from_the_source(x, y, enc, dec, s, t):
    memory = x
    for layer in enc:
        memory = layer(memory, s)
    for layer in dec:
        x = layer(x, memory, t, s)
    return x


def target_sent_through_the_encoder(x, y, enc, dec, s, t):
    for layer in enc:
        x, y = layer(x, s), layer(y, t)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def memory_added_to_the_decoder_input(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    y = y + x
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def memory_added_to_the_decoder_input__mean(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    y = y + x.mean(axis=0)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


# ---------------------------------------------------------------- the layers


def only_the_last_layer_applied(x, y, enc, dec, s, t):
    for layer in enc:
        memory = layer(x, s)
    for layer in dec:
        h = layer(y, memory, t, s)
    return h


def only_the_last_layer_applied__encoder(x, y, enc, dec, s, t):
    for layer in enc:
        memory = layer(x, s)
    for layer in dec:
        y = layer(y, memory, t, s)
    return y


def only_the_last_layer_applied__decoder(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        h = layer(y, x, t, s)
    return h


def only_the_first_layer_applied(x, y, enc, dec, s, t):
    x = enc[0](x, s)
    return dec[0](y, x, t, s)


def only_the_first_layer_applied__return_in_the_loop(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, t, s)
        return y


def memory_of_the_first_layer__break(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
        break
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def layers_shared(x, y, enc, dec, s, t):
    for layer in [enc[0]] * len(enc):
        x = layer(x, s)
    for layer in [dec[0]] * len(dec):
        y = layer(y, x, t, s)
    return y


def layers_shared__encoder(x, y, enc, dec, s, t):
    for _ in enc:
        x = enc[0](x, s)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def layers_shared__decoder(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for _ in dec:
        y = dec[0](y, x, t, s)
    return y


def layers_shared__last(x, y, enc, dec, s, t):
    for _ in enc:
        x = enc[-1](x, s)
    for _ in dec:
        y = dec[-1](y, x, t, s)
    return y


def layers_shared__last_encoder(x, y, enc, dec, s, t):
    for _ in enc:
        x = enc[-1](x, s)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def layers_shared__last_decoder(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for _ in dec:
        y = dec[-1](y, x, t, s)
    return y


def first_layer_skipped(x, y, enc, dec, s, t):
    for i in range(1, len(enc)):
        x = enc[i](x, s)
    for i in range(1, len(dec)):
        y = dec[i](y, x, t, s)
    return y


def first_layer_skipped__encoder(x, y, enc, dec, s, t):
    for layer in enc[1:]:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def first_layer_skipped__decoder(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec[1:]:
        y = layer(y, x, t, s)
    return y


def last_layer_skipped(x, y, enc, dec, s, t):
    for i in range(len(enc) - 1):
        x = enc[i](x, s)
    for i in range(len(dec) - 1):
        y = dec[i](y, x, t, s)
    return y


def last_layer_skipped__decoder(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec[:-1]:
        y = layer(y, x, t, s)
    return y


def from_the_top(x, y, enc, dec, s, t):
    for layer in reversed(enc):
        x = layer(x, s)
    for layer in reversed(dec):
        y = layer(y, x, t, s)
    return y


def from_the_top__encoder(x, y, enc, dec, s, t):
    enc = list(enc)
    while enc:
        x = enc.pop()(x, s)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def from_the_top__decoder(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec[::-1]:
        y = layer(y, x, t, s)
    return y


def layers_side_by_side(x, y, enc, dec, s, t):
    memory = sum(layer(x, s) for layer in enc)
    return sum(layer(y, memory, t, s) for layer in dec)


def layers_side_by_side__encoder(x, y, enc, dec, s, t):
    memory = sum(layer(x, s) for layer in enc)
    for layer in dec:
        y = layer(y, memory, t, s)
    return y


def layers_side_by_side__mean(x, y, enc, dec, s, t):
    memory = np.mean([layer(x, s) for layer in enc], axis=0)
    return np.mean([layer(y, memory, t, s) for layer in dec], axis=0)


def skip_around_the_layer(x, y, enc, dec, s, t):
    for layer in enc:
        x = x + layer(x, s)
    for layer in dec:
        y = y + layer(y, x, t, s)
    return y


def skip_around_the_layer__encoder(x, y, enc, dec, s, t):
    for layer in enc:
        x = x + layer(x, s)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def skip_around_the_layer__decoder(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = y + layer(y, x, t, s)
    return y


def layers_run_twice(x, y, enc, dec, s, t):
    for _ in range(2):
        for layer in enc:
            x = layer(x, s)
    for layer in dec + dec:
        y = layer(y, x, t, s)
    return y


def layers_run_twice__encoder(x, y, enc, dec, s, t):
    for layer in enc * 2:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def layers_run_twice__decoder(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec * 2:
        y = layer(y, x, t, s)
    return y


def decoder_left_out(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        layer(y, x, t, s)
    return y


# ----------------------------------------------------------------- the masks


def masks_exchanged(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, s, t)
    return y


def masks_exchanged__everywhere(x, y, enc, dec, target_mask, source_mask):
    for layer in enc:
        x = layer(x, source_mask)
    for layer in dec:
        y = layer(y, x, target_mask, source_mask)
    return y


def target_mask_in_the_encoder(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, t)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def target_mask_for_everything(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, t, t)
    return y


def target_mask_for_everything__encoder_too(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, t)
    for layer in dec:
        y = layer(y, x, t, t)
    return y


def source_mask_for_everything(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, s, s)
    return y


def no_masks(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, None)
    for layer in dec:
        y = layer(y, x)
    return y


def decoder_without_masks(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x)
    return y


def future_not_hidden(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, None, s)
    return y


def mask_in_the_first_layer_only(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for i, layer in enumerate(dec):
        y = layer(y, x, None if i else t, s)
    return y


def mask_in_the_first_layer_only__encoder(x, y, enc, dec, s, t):
    x = enc[0](x, s)
    for layer in enc[1:]:
        x = layer(x)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def past_hidden_in_place_of_the_future(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, t.T, s)
    return y


def padding_not_hidden(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x)
    for layer in dec:
        y = layer(y, x, t)
    return y


def padding_not_hidden__encoder(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def padding_not_hidden__memory(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, t)
    return y


def masks_turned(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, ~s)
    for layer in dec:
        y = layer(y, x, ~t, ~s)
    return y


def masks_turned__target(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, np.logical_not(t), s)
    return y


def masks_turned__source(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, ~s)
    for layer in dec:
        y = layer(y, x, t, ~s)
    return y


# -------------------------------------------------------------- what is given


def memory_returned(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, t, s)
    return x


def all_layers_returned(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    outputs = []
    for layer in dec:
        y = layer(y, x, t, s)
        outputs.append(y)
    return outputs


def layer_outputs_added(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    total = 0
    for layer in dec:
        y = layer(y, x, t, s)
        total = total + y
    return total


def layer_outputs_added__mean(x, y, enc, dec, s, t):
    return np.mean(all_layers_returned(x, y, enc, dec, s, t), axis=0)


def input_added_at_the_end(x, y, enc, dec, s, t):
    return y + right__two_loops(x, y, enc, dec, s, t)


def input_added_at_the_end__memory(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, t, s)
    return y + x


def softmax_at_the_end(x, y, enc, dec, s, t):
    risen = np.exp(right__two_loops(x, y, enc, dec, s, t))
    return risen / risen.sum(axis=-1, keepdims=True)


def one_more_norm(x, y, enc, dec, s, t):
    out = right__two_loops(x, y, enc, dec, s, t)
    away = out - out.mean(axis=-1, keepdims=True)
    return away / np.sqrt(away.var(axis=-1, keepdims=True) + 1e-5)


def last_token_only(x, y, enc, dec, s, t):
    return right__two_loops(x, y, enc, dec, s, t)[-1]


# ------------------------------------------------------------- in any exercise


def changes_its_input(x, y, enc, dec, s, t):
    while enc:
        x = enc.pop(0)(x, s)
    for layer in dec:
        y = layer(y, x, t, s)
    return y


def printed_not_returned(x, y, enc, dec, s, t):
    print(right__two_loops(x, y, enc, dec, s, t))


def no_return(x, y, enc, dec, s, t):
    for layer in enc:
        x = layer(x, s)
    for layer in dec:
        y = layer(y, x, t, s)


def signature(x, y, layers, mask):
    for layer in layers:
        x = layer(x, mask)
    return x
