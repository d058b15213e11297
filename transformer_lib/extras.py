"""Packages that only some need, and what to install where one is missing."""

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["how_to_install", "install_hint"]

# What pyproject.toml leaves to those who want it, and under which name.
EXTRAS = {
    "ipywidgets": "course",
    "matplotlib": "course",
    "sacrebleu": "course",
    "pooch": "fetch",
    "requests": "fetch",
}


def how_to_install(error: ModuleNotFoundError) -> str:
    """Say which package is missing and which command installs it.

    Args:
        error: what an import has raised.

    Returns:
        The package, a colon and the command; "" if it is in no extra.
    """
    package = (error.name or "").partition(".")[0]
    if package not in EXTRAS:
        return ""
    return f"{package}: pip install 'transformer-lib[{EXTRAS[package]}]'"


@contextmanager
def install_hint() -> Iterator[None]:
    """Let an import inside, if it fails, say what to install.

    Yields:
        Nothing.

    Raises:
        ModuleNotFoundError: as the import, with other words.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if how := how_to_install(error):
            raise ModuleNotFoundError(
                f"this needs {how}", name=error.name
            ) from None
        raise
