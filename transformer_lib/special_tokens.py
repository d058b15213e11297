"""The tokens that are not words, and the mark that joins two tokens."""

PAD, BOS, EOS, UNK = 0, 1, 2, 3
SPECIAL_TOKENS = ["<pad>", "<bos>", "<eos>", "<unk>"]

JOINER = "+"  # a token that starts with it is written on to the one before
