"""A published model from the hub: one commit, and every byte checked.

What a commit holds does not change. The hub says of each file its size and its
checksum: SHA-256 of large files, git's SHA-1 of small ones. A file is held
against that before it gets its name, so a broken or mixed-up download is
found. The checksums are kept beside the files, in fetched.json, and so is the
commit: the hub is asked for them once. That the hub itself is honest is taken
on trust; nothing of what comes is ever run.
"""

import hashlib
import os
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from transformer_lib.cli.streams import tell
from transformer_lib.files import read_json, write_json
from transformer_lib.opus_mt import PublishedModel

__all__ = ["OTHER_WAY", "TIMEOUT", "Listing", "cause", "fetch_files", "listed"]

TIMEOUT = 30  # seconds without a byte, until a server counts as stalled
OTHER_WAY = "or get the file in another way and give its folder with --from"
CHUNK = 1 << 18  # bytes that are written at once
SUMS = "fetched.json"
TEXTS = ("config.json", "source.spm", "vocab.json")
WEIGHTS = ("model.safetensors", "pytorch_model.bin")  # the first that is there


class Listing(NamedTuple):
    """What a commit of a model holds.

    Attributes:
        commit: its number, of 40 digits.
        files: by name, {"size": bytes, "sha256" or "git_sha1": checksum}.
    """

    commit: str
    files: dict[str, dict[str, Any]]


def listed(model: PublishedModel, folder: Path) -> Listing | None:
    """Read what fetched.json says about a folder.

    Args:
        model: whose files it should hold.
        folder: where to look.

    Returns:
        It, or None if there is no such file.

    Raises:
        ValueError: it is damaged, or of another model or commit.
    """
    path = folder / SUMS
    if not path.exists():
        return None
    found = read_json(path)
    try:
        listing = _listing(found["commit"], found["files"])
    except (KeyError, TypeError, ValueError):
        raise ValueError(
            f"{path} is damaged; remove it, and the files are checked anew"
        ) from None
    if found.get("repository") != model.repository or (
        model.commit not in (None, listing.commit)
    ):
        raise ValueError(
            f"{path} is of another model or commit than {model.name}: choose "
            "another folder"
        )
    return listing


def _listing(commit: Any, files: Any) -> Listing:
    """Check what a listing says.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    _hexadecimal(commit, 40)
    weights = [name for name in WEIGHTS if name in files][:1]
    if not weights:
        raise KeyError(WEIGHTS[-1])
    kept = {}
    for name in (*TEXTS, *weights):
        size = files[name]["size"]
        if type(size) is not int or size < 0:
            raise ValueError(f"{size} is no size")
        kind = "sha256" if "sha256" in files[name] else "git_sha1"
        _hexadecimal(files[name][kind], 64 if kind == "sha256" else 40)
        kept[name] = {"size": size, kind: files[name][kind]}
    return Listing(commit, kept)


def _hexadecimal(text: Any, digits: int) -> None:
    if not re.fullmatch(f"[0-9a-f]{{{digits}}}", text):
        raise ValueError(f"{text!r} is no checksum")


def is_whole(listing: Listing, folder: Path) -> bool:
    """Return whether a folder has all files.

    Args:
        listing: what it should hold.
        folder: where to look.

    Raises:
        ValueError: a file is there and is another one.
    """
    whole = True
    for name, file in listing.files.items():
        path = folder / name
        if not path.exists():
            whole = False
        elif not _is(path, file):
            raise ValueError(
                f"{path} is there, but is not the published file: move it "
                "away, or choose another --out"
            )
    return whole


def fetch_files(
    model: PublishedModel, folder: Path, origin: str | None
) -> None:
    """Fetch the files of a model that a folder lacks.

    Args:
        model: which one.
        folder: where to put them; it is made.
        origin: a folder that has them, or address of a hub; if None, that
            which HF_ENDPOINT says, or else https://huggingface.co.

    Raises:
        OSError: no connection, no room, or a file is missing.
        ValueError: a file is not the published one.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is no folder; choose another --out")
    listing = listed(model, folder)
    if origin and not origin.lower().startswith(("http://", "https://")):
        _from_folder(model, Path(origin), folder, listing)
        return
    hub = origin or os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    hub = hub.rstrip("/")
    if listing is None:
        listing = _ask(model, hub)
        is_whole(listing, folder)
        folder.mkdir(parents=True, exist_ok=True)
        _keep(model, listing, folder)
    for name, file in listing.files.items():
        if not (folder / name).exists():
            url = f"{hub}/{model.repository}/resolve/{listing.commit}/{name}"
            _download(url, folder / f"{name}.part", file["size"])
            _name(folder / f"{name}.part", file, url)


def _keep(model: PublishedModel, listing: Listing, folder: Path) -> None:
    said = {"repository": model.repository, **listing._asdict()}
    write_json(folder / SUMS, said)


def _name(part: Path, file: dict[str, Any], origin: str | Path) -> None:
    """Give a file its name if it is the published one."""
    if not _is(part, file):
        part.unlink()
        raise ValueError(
            f"{origin} is not the published file: another checksum; try again "
            f"later, {OTHER_WAY}"
        )
    part.replace(part.with_suffix(""))


def _is(path: Path, file: dict[str, Any]) -> bool:
    """Return whether a file has the size and the checksum of a listing."""
    size = path.stat().st_size
    if size != file["size"]:
        return False
    digest = hashlib.sha256() if "sha256" in file else hashlib.sha1()
    if "sha256" not in file:
        digest.update(b"blob %d\0" % size)  # git's own
    with open(path, "rb") as data:
        while some := data.read(1 << 20):
            digest.update(some)
    return digest.hexdigest() == file.get("sha256", file.get("git_sha1"))


# ------------------------------------------------------------------- from a hub


def _ask(model: PublishedModel, hub: str) -> Listing:
    """Ask the hub for the commit, if nobody has named one, and its files."""
    address = f"{hub}/api/models/{model.repository}"
    commit = model.commit
    if commit is None:
        url = f"{address}/revision/main"
        commit = _json(url, lambda found: _commit(found["sha"]))
        tell(
            f"{model.name}: the hub says that main is commit {commit}; from "
            "now on this folder keeps to it"
        )
    return _json(
        f"{address}/tree/{commit}",
        lambda found: _listing(commit, {x["path"]: _sums(x) for x in found}),
    )


def _commit(text: Any) -> str:
    _hexadecimal(text, 40)
    return text


def _sums(entry: dict[str, Any]) -> dict[str, Any]:
    if large := entry.get("lfs"):
        digest = large["oid"].removeprefix("sha256:")
        return {"size": entry["size"], "sha256": digest}
    return {"size": entry.get("size"), "git_sha1": entry.get("oid")}


def _json(url: str, read: Any) -> Any:
    """Read what the hub answers; anything else is no answer."""
    from requests import RequestException

    with _get(url) as answer:
        try:
            return read(answer.json())
        except (AttributeError, KeyError, TypeError, ValueError):
            raise OSError(
                f"{url}: what came is no list of the files of a translator; "
                f"check the address and try again, {OTHER_WAY}"
            ) from None
        except RequestException as error:
            raise _no_answer(url, error) from None


def _get(url: str, **headers: str) -> Any:
    """Ask a server, and say in one sentence if there is none."""
    import requests

    try:
        answer = requests.get(
            url,
            timeout=TIMEOUT,
            stream=True,
            headers={"Accept-Encoding": "identity", **headers},
        )
        answer.raise_for_status()
    except requests.RequestException as error:
        raise _no_answer(url, error) from None
    return answer


def _no_answer(url: str, error: Exception) -> OSError:
    return OSError(
        f"{url}: {cause(error)}; check the address and the connection and "
        f"try again, {OTHER_WAY}"
    )


def _download(url: str, part: Path, size: int) -> None:
    """Download a file, or what is still missing of it."""
    import requests
    from tqdm import tqdm

    have = part.stat().st_size if part.exists() else 0
    if have == size:
        return
    if have > size:  # of something else
        have = 0
    ask = {"Range": f"bytes={have}-"} if have else {}
    with _get(url, **ask) as answer:
        if answer.status_code != 206:  # it sends all
            have = 0
        bar = tqdm(
            desc=part.stem,
            total=size,
            initial=have,
            unit="B",
            unit_scale=True,
            disable=None,
        )
        try:
            with bar, open(part, "ab" if have else "wb") as file:
                for data in answer.iter_content(CHUNK):
                    file.write(data)
                    bar.update(len(data))
                    if file.tell() > size:
                        break  # another file: its checksum says so
        except requests.RequestException as error:
            raise OSError(
                f"{url}: {cause(error)}; run the command again, and it goes on "
                "where it stopped"
            ) from None


def cause(error: BaseException) -> str:
    """Say what went wrong below all the layers of a connection.

    Args:
        error: of the package `requests`.

    Returns:
        The innermost reason, in a few words.
    """
    response = getattr(error, "response", None)
    if response is not None:
        return f"HTTP {response.status_code} {response.reason}"
    while error.__context__ is not None:
        error = error.__context__
    return getattr(error, "strerror", None) or str(error)


# --------------------------------------------------------------- from a folder


def _from_folder(
    model: PublishedModel, origin: Path, folder: Path, listing: Listing | None
) -> None:
    """Take files that are in a folder, checked if their sums are there."""
    if not origin.is_dir():
        raise ValueError(
            f"{origin} is no folder; give one that has the files of "
            f"{model.name}, or an address that starts with https://"
        )
    listing = listing or listed(model, origin)
    names = [*listing.files] if listing else [*TEXTS, *_weights(origin)]
    for name in names:
        if not (origin / name).exists() and not (folder / name).exists():
            raise OSError(
                f"{origin} has no {name}; get the file there, or leave out "
                "--from"
            )
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        if (folder / name).exists():
            continue
        part = folder / f"{name}.part"
        shutil.copyfile(origin / name, part)
        if listing:
            _name(part, listing.files[name], origin / name)
        else:
            part.replace(folder / name)
    if listing:
        is_whole(listing, folder)
        _keep(model, listing, folder)
    else:
        tell(
            f"{origin} has no {SUMS}: nobody has checked these files. Give "
            "the command again without --from where there is a network, and "
            "they are held against what the hub says"
        )


def _weights(origin: Path) -> list[str]:
    """Name the weights of a folder, or those that it should have."""
    there = [name for name in WEIGHTS if (origin / name).exists()]
    return there[:1] or [WEIGHTS[-1]]
