"""The toy language: English and Korean sentences that a grammar makes.

    grammar       says what can be said, in both languages at once
    corpus        draws sentence pairs from it, and splits them
    shipped       reads the corpus that comes with the package
    kept          keeps any other that was drawn, for the next process
    korean        particles and endings; hangul: letters of a syllable
    romanization  Korean in Latin letters
    tables        reads the tables of words in data/
    typed         sentences that people typed, with the answers they want
    baselines     what a table or a nearest sentence gets right

It knows nothing of the Transformer, and the Transformer nothing of it: whoever
trains on two files of their own loads no module of this package.
"""

__all__ = ["JOINER", "PRESETS", "SPLITS"]

JOINER = "+"  # a token that starts with it is written on to the one before
PRESETS = ("small", "full")
SPLITS = ("train", "valid", "test", "composition", "role", "contrast",
          "noun", "length")  # fmt: skip
