"""Translators from before the Transformer, which walk the same road.

Word for word, and an encoder and a decoder of GRUs that hand over one
vector or attend. The latter have `begin` and `extend` as the Transformer
does, so that the library trains them and decodes with them unchanged.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from toy_language.corpus import SentencePair, join_morphemes
from transformer_lib.attention import scaled_dot_product_attention
from transformer_lib.embedding import TokenEmbedding
from transformer_lib.masks import padding_mask
from transformer_lib.model import Transformer
from transformer_lib.special_tokens import PAD


class WordForWord:
    """Each source word's most frequent partner, in the source's order.

    A word is counted once for each link of the gold alignment, and once as
    silent where it has none; one that is mostly silent is left out. So is a
    word that training did not have.
    """

    def __init__(self, pairs: Iterable[SentencePair]):
        counts: dict[str, Counter] = {}
        for pair in pairs:
            source, target = pair.source.split(), pair.target.split()
            for place, word in enumerate(source):
                partners = [target[t] for s, t in pair.alignment if s == place]
                counts.setdefault(word, Counter()).update(partners or [None])
        self.partner = {
            word: found.most_common(1)[0][0] for word, found in counts.items()
        }

    def translate(self, sentences: list[str]) -> list[str]:
        """Return the translations as printed text."""
        found = (map(self.partner.get, text.split()) for text in sentences)
        return [join_morphemes(" ".join(filter(None, one))) for one in found]


@dataclass(frozen=True)
class RecurrentConfig:
    """The sizes and the one choice that make a recurrent translator.

    Attributes:
        vocab_size: V, tokens of the joint vocabulary.
        d_model: width of the embedding, of the encoder's two directions
            together and of the decoder.
        attention: attend to all words, or take one vector for a sentence.
        max_length: most tokens to write; greedy and the translator ask.
    """

    vocab_size: int
    d_model: int
    attention: bool
    max_length: int = 64


@dataclass(frozen=True)
class RecurrentState:
    """All that the decoder remembers; extending it makes a new one.

    Attributes:
        hidden: (B, D), what the GRU carries on.
        vector: (B, D), the sentence in one vector.
        keys, values: (B, S, D), one row a source token.
        mask: (B, 1, S), True at real source tokens.
    """

    hidden: Tensor
    vector: Tensor
    keys: Tensor
    values: Tensor
    mask: Tensor

    def select(self, rows: Tensor) -> "RecurrentState":
        """Return the state of some sentences, in the order given."""
        return RecurrentState(*(part[rows] for part in vars(self).values()))


class Recurrent(Transformer):
    """An encoder of two GRUs and a decoder of one: no layer of the library.

    It is a Transformer by its outside only: what trains and decodes one
    takes it. One matrix embeds source and target and scores the output.

    Without attention the sentence is one vector, the last state of the GRU
    that reads forward beside that of the one that reads backward. The
    decoder starts from it and sees it again at every step, both where it
    reads a word and where it scores the next one (Cho et al. 2014; handing
    over one vector is also Sutskever et al. 2014).

    With attention the decoder starts from that vector, and where it scores
    the next word it has an average of the encoder's states instead, weighted
    anew at each step (Bahdanau et al. 2015). The scores are dot products
    with transformed states, the "general" form of Luong et al. 2015, over
    the square root of the width. They are taken after the GRU's step
    and do not feed back into it, so that in training one call of a fused
    GRU runs over the whole target.
    """

    def __init__(self, config: RecurrentConfig):
        nn.Module.__init__(self)  # none of a Transformer's weights
        self.config = config
        d = config.d_model
        self.embedding = TokenEmbedding(config.vocab_size, d)
        self.encoder = nn.GRU(d, d // 2, batch_first=True, bidirectional=True)
        self.initial = nn.Linear(d, d)
        read = d if config.attention else 2 * d
        self.decoder = nn.GRU(read, d, batch_first=True)
        if config.attention:
            self.key = nn.Linear(d, d, bias=False)
        self.readout = nn.Linear(2 * d, d)

    def start(self, source: Tensor) -> RecurrentState:
        """Read the source; <pad> on its right changes nothing."""
        lengths = (source != PAD).sum(dim=1).cpu()
        packed = pack_padded_sequence(
            self.embedding(source),
            lengths,
            batch_first=True,
            enforce_sorted=False,
        )
        states, last = self.encoder(packed)
        values, _ = pad_packed_sequence(
            states, batch_first=True, total_length=source.shape[1]
        )
        vector = torch.cat([last[0], last[1]], dim=-1)
        keys = self.key(values) if self.config.attention else values
        hidden = self.initial(vector).tanh()
        return RecurrentState(
            hidden, vector, keys, values, padding_mask(source)
        )

    def decode(
        self, tokens: Tensor, state: RecurrentState
    ) -> tuple[Tensor, RecurrentState]:
        """Read target tokens and score what follows each of them."""
        read = self.embedding(tokens)
        context = state.vector[:, None].expand(-1, tokens.shape[1], -1)
        if not self.config.attention:
            read = torch.cat([read, context], dim=-1)
        x, last = self.decoder(read, state.hidden[None])
        if self.config.attention:
            context = scaled_dot_product_attention(
                x, state.keys, state.values, state.mask
            )
        x = self.readout(torch.cat([x, context], dim=-1)).tanh()
        return self.embedding.logits(x), replace(state, hidden=last[0])
