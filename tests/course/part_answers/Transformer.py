"""Answers to `class Transformer`, in other styles than the reference.

A class is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.checks.parts.DecoderLayer import DecoderLayer
from transformer_course.checks.parts.EncoderLayer import EncoderLayer
from transformer_course.checks.parts.PositionalEncoding import (
    PositionalEncoding,
)
from transformer_course.checks.parts.TokenEmbedding import TokenEmbedding


class _Base(nn.Module):
    """Each step a method; the stacks are lists, the norms PyTorch's."""

    def __init__(
        self, vocab_size, d_model, n_heads, d_ff, n_layers,
        dropout=0.1, norm_first=False,
    ):  # fmt: skip
        super().__init__()
        self.encoder, self.decoder = nn.ModuleList(), nn.ModuleList()
        for _ in range(n_layers):
            args = d_model, n_heads, d_ff, dropout, norm_first
            self.encoder.append(EncoderLayer(*args))
            self.decoder.append(DecoderLayer(*args))
        self.embedding = TokenEmbedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, 64, dropout)
        norm = nn.LayerNorm if norm_first else nn.Identity
        self.encoder_norm, self.decoder_norm = norm(d_model), norm(d_model)

    def start(self, ids):
        return self.positions(self.embedding(ids))

    def past(self, ids):
        i = torch.arange(ids.shape[1], device=ids.device)
        return i[:, None] >= i

    def real(self, ids):
        return ids.ne(0)[:, None]

    def encode(self, source, mask):
        return self.encoder_norm(self.read(self.start(source), mask))

    def read(self, x, mask):
        for layer in self.encoder:
            x = layer(x, mask)
        return x

    def decode(self, target, memory, memory_mask):
        x = self.write(
            self.start(target), memory, self.past(target), memory_mask
        )
        return self.embedding.logits(self.decoder_norm(x))

    def write(self, x, memory, mask, memory_mask):
        for layer in self.decoder:
            x = layer(x, memory, mask, memory_mask)
        return x

    def forward(self, source, target):
        memory = self.encode(source, self.real(source))
        return self.decode(target, memory, self.real(source))


class right__methods(_Base):
    pass


class right__recursion(_Base):
    def read(self, x, mask, i=0):
        if i == len(self.encoder):
            return x
        return self.read(self.encoder[i](x, mask), mask, i + 1)

    def write(self, x, *given, layers=None):
        layers = list(self.decoder) if layers is None else layers
        for first in layers[:1]:
            return self.write(first(x, *given), *given, layers=layers[1:])
        return x


class right__linear_and_mm(_Base):
    def start(self, ids):
        table = self.embedding.weight
        hot = F.one_hot(ids, len(table)).to(table.dtype)
        return self.positions(hot @ table * math.sqrt(table.shape[1]))

    def decode(self, target, memory, memory_mask):
        x = self.start(target)
        given = memory, self.past(target), memory_mask
        for i in range(len(self.decoder)):
            x = self.decoder[i](x, *given)
        return F.linear(self.decoder_norm(x), self.embedding.weight)


class right__masks_in_place(_Base):
    def past(self, ids):
        n = ids.size(-1)
        mask = torch.zeros(n, n, dtype=torch.bool, device=ids.device)
        for i in range(n):
            mask[i, : i + 1] = True
        return mask

    def real(self, ids):
        mask = torch.ones_like(ids, dtype=torch.bool)
        return mask.masked_fill_(ids == 0, False).unsqueeze(-2)


class right__norms_called_if_wanted(_Base):
    def __init__(
        self, vocab, width, heads, inner, layers, dropout=0.1, norm_first=False
    ):
        super().__init__(
            vocab, width, heads, inner, layers, dropout, norm_first
        )
        self.pre = norm_first

    def forward(self, src, tgt):
        mask = (src != 0).unsqueeze(1)
        return self.decode(tgt, self.encode(src, mask), mask)

    def encode(self, src, mask):
        x = self.read(self.start(src), mask)
        return self.encoder_norm(x) if self.pre else x


class right__target_padding_hidden_too(_Base):
    """Padding stands behind the target, where the future is hidden anyway."""

    def past(self, ids):
        return super().past(ids) & self.real(ids)


class decoder_layer_reads_encoder_layer_of_its_number(_Base):
    def read(self, x, mask):
        self.memories = []
        for layer in self.encoder:
            x = layer(x, mask)
            self.memories.append(x)
        return x

    def write(self, x, memory, mask, memory_mask):
        for layer, memory in zip(self.decoder, self.memories, strict=True):
            x = layer(x, memory, mask, memory_mask)
        return x


class decoder_reads_the_embeddings(_Base):
    def read(self, x, mask):
        for layer in self.encoder:
            layer(x, mask)
        return x


class only_the_last_layer_applied__encoder(_Base):
    def read(self, x, mask):
        for layer in self.encoder:
            y = layer(x, mask)
        return y


class only_the_first_layer_applied(_Base):
    def write(self, x, *given):
        for layer in self.decoder:
            return layer(x, *given)


class layers_shared(_Base):
    def read(self, x, mask):
        for _ in self.encoder:
            x = self.encoder[0](x, mask)
        return x


class one_layer_many_times(_Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for i in range(len(self.encoder)):
            self.encoder[i] = self.encoder[0]
            self.decoder[i] = self.decoder[0]


class from_the_top(_Base):
    def write(self, x, *given):
        for layer in reversed(self.decoder):
            x = layer(x, *given)
        return x


class first_layer_skipped(_Base):
    def read(self, x, mask):
        for i in range(1, len(self.encoder)):
            x = self.encoder[i](x, mask)
        return x


class skip_around_the_layer(_Base):
    def read(self, x, mask):
        for layer in self.encoder:
            x = torch.add(x, layer(x, mask))
        return x


class decoder_left_out(_Base):
    def write(self, x, *given):
        return x


class memory_not_passed(_Base):
    def write(self, x, memory, mask, memory_mask):
        for layer in self.decoder:
            x = layer(x, x, mask)
        return x


class memory_not_passed__with_its_mask(_Base):
    def write(self, x, memory, mask, memory_mask):
        for layer in self.decoder:
            x = layer(x, x, mask, memory_mask)
        return x


class source_and_target_exchanged(_Base):
    def forward(self, target, source):
        return super().forward(source, target)


class mask_ignored(_Base):
    def past(self, ids):
        return None


class mask_ignored__padding_alone(_Base):
    def past(self, ids):
        return self.real(ids)


class mask_on_its_side(_Base):
    def past(self, ids):
        n = ids.shape[1]
        return torch.ones(n, n, dtype=torch.bool, device=ids.device).triu()


class no_own_token(_Base):
    def past(self, ids):
        i = torch.arange(ids.shape[1], device=ids.device)
        return i[:, None] > i


class masks_exchanged(_Base):
    def write(self, x, memory, mask, memory_mask):
        return super().write(x, memory, memory_mask, mask)


class target_mask_in_the_encoder(_Base):
    def read(self, x, mask):
        return super().read(x, mask & self.past(x))


class padding_not_hidden(_Base):
    def read(self, x, mask):
        return super().read(x, None)


class mask_reversed(_Base):
    def real(self, ids):
        return ids.eq(0)[:, None]


class no_masks(_Base):
    def past(self, ids):
        return None

    def real(self, ids):
        return None


class no_positions(_Base):
    def start(self, ids):
        return self.embedding(ids)


class input_doubled(_Base):
    def start(self, ids):
        x = self.embedding(ids)
        return x + self.positions(x)


class rows_without_the_root(_Base):
    def start(self, ids):
        return self.positions(F.embedding(ids, self.embedding.weight))


class softmax_at_the_end(_Base):
    def forward(self, source, target):
        return torch.softmax(super().forward(source, target), dim=2)


class no_logits(_Base):
    def decode(self, target, memory, memory_mask):
        return self.write(
            self.start(target), memory, self.past(target), memory_mask
        )


class untied_output(_Base):
    def __init__(self, vocab_size, d_model, *args, **kwargs):
        super().__init__(vocab_size, d_model, *args, **kwargs)
        self.out = nn.Linear(d_model, vocab_size)

    def forward(self, source, target):
        memory = self.encode(source, self.real(source))
        given = memory, self.past(target), self.real(source)
        return self.out(self.write(self.start(target), *given))


class target_shortened(_Base):
    def forward(self, source, target):
        return super().forward(source, target[..., :-1])


class last_token_only(_Base):
    def forward(self, source, target):
        return super().forward(source, target)[:, -1, :]


class gradient_cut(_Base):
    def forward(self, source, target):
        with torch.no_grad():
            memory = self.encode(source, self.real(source))
        return self.decode(target, memory, self.real(source))


class plain_list__of_stacks(_Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        encoder, decoder = list(self.encoder), list(self.decoder)
        del self.encoder, self.decoder
        self.encoder, self.decoder = encoder, decoder


class list_called(_Base):
    def read(self, x, mask):
        return self.encoder(x, mask)


class too_few_inputs(_Base):
    def write(self, x, memory, mask, memory_mask):
        for layer in self.decoder:
            x = layer(x)
        return x


class too_many_inputs(_Base):
    def read(self, x, mask):
        for layer in self.encoder:
            x = layer(x, x, x, mask)
        return x


class norm_first_not_handed_on(_Base):
    def __init__(self, *args):
        super().__init__(*args)
        for layer in (*self.encoder, *self.decoder):
            layer.norm_first = False


class norm_at_the_end_not_called(_Base):
    def encode(self, source, mask):
        return self.read(self.start(source), mask)


class pre_norm_wrong(_Base):
    def encode(self, source, mask):
        memory = super().encode(source, mask)
        return self.encoder_norm(memory)


class no_dropout(_Base):
    def __init__(
        self, vocab_size, d_model, n_heads, d_ff, n_layers,
        dropout=0.1, norm_first=False,
    ):  # fmt: skip
        sizes = vocab_size, d_model, n_heads, d_ff, n_layers
        super().__init__(*sizes, 0.0, norm_first)


class another_dropout__forgotten_in_the_layers(_Base):
    def __init__(self, *args):
        super().__init__(*args)
        for layer in (*self.encoder, *self.decoder):
            layer.dropout.p = 0.1


class dropout_in_eval(_Base):
    def start(self, ids):
        p = self.positions.dropout.p
        return F.dropout(super().start(ids), p)


class encode_wrong(_Base):
    def encode(self, source, mask):
        return super().encode(source, self.real(source))


class decode_wrong(_Base):
    def decode(self, target, memory, memory_mask):
        return super().decode(target, memory, self.kept)

    def forward(self, source, target):
        self.kept = self.real(source)
        return super().forward(source, target)


class input_changed(_Base):
    def decode(self, target, memory, memory_mask):
        logits = super().decode(target, memory, memory_mask)
        target[:, 0] = 2
        return logits


class other_device(_Base):
    def forward(self, source, target):
        logits = super().forward(source, target)
        return logits + torch.zeros(logits.shape)


class signature(_Base):
    def forward(self, source):
        return super().forward(source, source)


class causal_mask_of_the_sentences__len(_Base):
    def past(self, ids):
        return torch.ones(len(ids), len(ids), device=ids.device).tril() > 0


class mask_not_handed_over__to_decode(_Base):
    def forward(self, source, target):
        memory = self.encode(source, self.real(source))
        return self.decode(target, memory)


class dropout_taken_for_the_length__by_its_place(_Base):
    def __init__(
        self, vocab_size, d_model, n_heads, d_ff, n_layers,
        dropout=0.1, norm_first=False,
    ):  # fmt: skip
        super().__init__(
            vocab_size, d_model, n_heads, d_ff, n_layers, dropout, norm_first
        )
        self.positions = PositionalEncoding(d_model, dropout)


class vectors_looked_up__at_the_end(_Base):
    def decode(self, target, memory, memory_mask):
        given = memory, self.past(target), memory_mask
        x = self.write(self.start(target), *given)
        return self.embedding(self.decoder_norm(x))


class vectors_looked_up__by_torchs(_Base):
    def decode(self, target, memory, memory_mask):
        given = memory, self.past(target), memory_mask
        x = self.write(self.start(target), *given)
        return F.embedding(self.decoder_norm(x), self.embedding.weight)


class memory_and_target_exchanged__in_forward(_Base):
    def forward(self, source, target):
        mask = self.real(source)
        return self.decode(self.encode(source, mask), target, mask)


class positions_too_few__twelve(_Base):
    def __init__(
        self, vocab_size, d_model, n_heads, d_ff, n_layers,
        dropout=0.1, norm_first=False,
    ):  # fmt: skip
        sizes = vocab_size, d_model, n_heads, d_ff, n_layers
        super().__init__(*sizes, dropout, norm_first)
        self.positions = PositionalEncoding(d_model, 12, dropout)


class one_layer_too_few__popped(_Base):
    def __init__(
        self, vocab_size, d_model, n_heads, d_ff, n_layers,
        dropout=0.1, norm_first=False,
    ):  # fmt: skip
        sizes = vocab_size, d_model, n_heads, d_ff, n_layers
        super().__init__(*sizes, dropout, norm_first)
        del self.encoder[0], self.decoder[0]
