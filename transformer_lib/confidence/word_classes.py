"""Word classes from data: words that occur in the same contexts.

Nobody says what a noun is. Every word starts in some class; then each word
in turn moves to the class in which the training sentences become most
probable under a class bigram model, until no word moves any more.
"""

from collections.abc import Sequence

import numpy as np

from transformer_lib.special_tokens import BOS

__all__ = ["word_classes"]

ROUNDS = 20  # most often all words have found their class after ten


def word_classes(
    sentences: Sequence[Sequence[int]], vocab_size: int, n_classes: int
) -> np.ndarray:
    r"""Sort the words of some sentences into classes.

    $$\max_c \sum_{i,j} N_{ij} \log \frac{N_{ij}}{N_i N_j}$$

    where N counts how often class j follows class i.

    Args:
        sentences: as ids.
        vocab_size: V.
        n_classes: how many classes of words.

    Returns:
        The class of each id, 1 to n_classes; 0 is the edge of a sentence,
        and ids that do not occur have n_classes + 1.

    Source: Brown et al. 1992; the exchange of Kneser and Ney 1993.
    """
    follows = _bigrams(sentences, vocab_size)
    frequency = follows.sum(axis=0)
    frequency[BOS] = 0
    by_frequency = np.argsort(-frequency, kind="stable").tolist()
    words = [word for word in by_frequency if frequency[word]]
    classes = np.full(vocab_size, n_classes + 1)
    classes[BOS] = 0
    # the most frequent words, most of them function words, start alone
    for rank, word in enumerate(words):
        alone = rank < n_classes
        classes[word] = 1 + (rank if alone else rank % n_classes)
    member = np.zeros((vocab_size, n_classes + 1))
    for word in [BOS, *words]:
        member[word, classes[word]] = 1
    counts = member.T @ follows @ member
    for _ in range(ROUNDS):
        moved = [_exchange(w, follows, member, counts) for w in words]
        if not any(moved):
            break
    classes[words] = member[words].argmax(axis=1)
    return classes


def _bigrams(sentences: Sequence[Sequence[int]], vocab_size: int) -> np.ndarray:
    """Count which id follows which; <bos> stands at both edges."""
    edged = [(BOS, *sentence) for sentence in sentences]
    text = np.array([i for sentence in edged for i in sentence] + [BOS])
    pairs = text[:-1] * vocab_size + text[1:]
    counts = np.bincount(pairs, minlength=vocab_size * vocab_size)
    return counts.reshape(vocab_size, vocab_size).astype(float)


def _x_log_x(x: np.ndarray) -> np.ndarray:
    return x * np.log(np.maximum(x, 1))


def _exchange(
    word: int, follows: np.ndarray, member: np.ndarray, counts: np.ndarray
) -> bool:
    """Put a word into its best class; return whether that is a new one.

    The tables are changed in place.
    """
    home = int(member[word].argmax())
    itself = follows[word, word]
    member[word, home] = 0
    after, before = follows[word] @ member, follows[:, word] @ member
    counts[home] -= after
    counts[:, home] -= before
    counts[home, home] -= itself
    old = _x_log_x(counts)
    rows, columns = _x_log_x(counts + after), _x_log_x(counts.T + before)
    gain = (rows - old).sum(axis=1) + (columns - old.T).sum(axis=1)
    # what stands twice in that sum: the class followed by itself
    twice = after + before + itself
    gain += _x_log_x(np.diag(counts) + twice) + np.diag(old)
    gain -= np.diag(rows) + np.diag(columns)
    for total, more in (
        (counts.sum(axis=1), after.sum() + itself),
        (counts.sum(axis=0), before.sum() + itself),
    ):
        gain -= _x_log_x(total + more) - _x_log_x(total)
    gain[0] = -np.inf  # the edge of a sentence is no class of words
    best = int(gain.argmax())
    if gain[best] <= gain[home] + 1e-6:
        best = home
    counts[best] += after
    counts[:, best] += before
    counts[best, best] += itself
    member[word, best] = 1
    return best != home
