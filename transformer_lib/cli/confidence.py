"""The command ``confidence``."""

from argparse import Namespace
from pathlib import Path

from transformer_lib.cli.options import device_of
from transformer_lib.confidence_training import learn_toy_confidence
from transformer_lib.files import read_json

__all__ = ["confidence"]


def _corpus_of(args: Namespace) -> tuple[str, int]:
    """Return the preset and the seed that a model was trained on."""
    path = Path(args.model) / "run.json"
    if not path.exists():
        if args.preset is None:
            raise ValueError(
                f"{args.model} does not say what it was trained on; give "
                "--preset"
            )
        return args.preset, 0
    data = read_json(path).get("data", {})
    preset = data.get("preset")
    if preset is None:
        raise ValueError(
            f"{args.model} was trained on files; confidence is learned on "
            "the toy corpus only"
        )
    if args.preset not in (None, preset):
        raise ValueError(
            f"{args.model} was trained on {preset}, not on {args.preset}; "
            "leave --preset out"
        )
    return preset, data.get("seed", 0)


def confidence(args: Namespace) -> None:
    """Learn how sure a toy translator may be, and say what that separates.

    Args:
        args: what the parser made of the command line.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: options or a model that do not fit; the message says
            which.
    """
    device = device_of(args)
    if not (Path(args.model) / "model.json").exists():
        raise ValueError(
            f"--model {args.model}: no trained model there; give the folder "
            "that train --out wrote"
        )
    found = learn_toy_confidence(args.model, *_corpus_of(args), device)
    print(
        "unsure in the half that chose the threshold: "
        f"{found.right_flagged} of {found.right} right translations, "
        f"{found.wrong_flagged} of {found.wrong} wrong ones, "
        f"{found.spoilt_flagged} of {found.spoilt} spoilt sentences"
    )
