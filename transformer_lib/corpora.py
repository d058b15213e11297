"""Published corpora: where they are, what they may be used for, checksums.

Another corpus is another entry of `CORPORA`.
"""

from dataclasses import dataclass

__all__ = ["CORPORA", "MULTI30K", "Corpus", "CorpusFile"]


@dataclass(frozen=True)
class CorpusFile:
    """One text of a corpus, published as NAME.gz.

    Attributes:
        name: of the unpacked text, such as "train.en".
        packed_size: of NAME.gz, in bytes.
        packed_sha256: of NAME.gz, in hexadecimal.
        sha256: of the unpacked text.
    """

    name: str
    packed_size: int
    packed_sha256: str
    sha256: str


@dataclass(frozen=True)
class Corpus:
    """A published corpus of texts that translate each other.

    Attributes:
        name: as the command line calls it.
        url: of the folder that holds its files.
        files: all that belongs to it.
        training: names of the source and of the target to train on.
        validation: the same, to validate on.
        home: address of the page that says what it may be used for.
        terms: what that page says.
        citation: the paper to cite.
    """

    name: str
    url: str
    files: tuple[CorpusFile, ...]
    training: tuple[str, str]
    validation: tuple[str, str]
    home: str
    terms: str
    citation: str


MULTI30K = Corpus(
    name="multi30k",
    url=(  # of one commit: what lies there does not change
        "https://raw.githubusercontent.com/multi30k/dataset/"
        "a3d2e0d26b56f3846f66a952536ffed4e401d05a/data/task1/raw"
    ),
    files=(
        CorpusFile(
            "train.en",
            568929,
            "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f",
            "460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6",
        ),
        CorpusFile(
            "train.de",
            637044,
            "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6",
            "2c2b73fd2b548fbcde3a875e0a78d6ee94d498bfdee6bd3eae3945779e9ddf72",
        ),
        CorpusFile(
            "val.en",
            21650,
            "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28",
            "1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227",
        ),
        CorpusFile(
            "val.de",
            24681,
            "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a",
            "660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660",
        ),
        CorpusFile(
            "test_2016_flickr.en",
            21077,
            "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
            "399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182",
        ),
        CorpusFile(
            "test_2016_flickr.de",
            22890,
            "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
            "4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16",
        ),
    ),
    training=("train.en", "train.de"),
    validation=("val.en", "val.de"),
    home="https://github.com/multi30k/dataset",
    terms="""\
Multi30k: 31,014 descriptions of pictures in English, translated into German.
Its README (https://github.com/multi30k/dataset, "Use of the data") says that
it is for "researchers and educators who wish to use the dataset for
non-commercial research and/or educational purposes". There is no license.""",
    citation="""\
D. Elliott, S. Frank, K. Sima'an and L. Specia (2016), "Multi30K:
Multilingual English-German Image Descriptions", Proceedings of the 5th
Workshop on Vision and Language.""",
)
CORPORA = {corpus.name: corpus for corpus in (MULTI30K,)}
