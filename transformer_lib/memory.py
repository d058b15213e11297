"""How much memory is free, so that a large model is refused in time.

Linux ends a process that takes too much without a word: in a notebook, the
kernel dies. Only there it says what is free; elsewhere nobody is asked.
"""

import re
from pathlib import Path

__all__ = ["check_room", "free_memory"]

_SYSTEM = Path("/proc/meminfo")
_CONTAINER = Path("/sys/fs/cgroup")  # of this process, inside a container


def check_room(wanted: int, what: str) -> None:
    """Refuse what would not fit into memory.

    Args:
        wanted: bytes it takes.
        what: that takes them, as the subject of a sentence.

    Raises:
        ValueError: fewer are free. (A MemoryError would be taken for one
            that the system has raised.)
    """
    free = free_memory()
    if free is not None and free < wanted:
        raise ValueError(
            f"{what} takes about {wanted / 1e9:.1f} GB of memory, and "
            f"{free / 1e9:.1f} GB are free; close other programs and "
            "notebooks, or use a larger machine"
        )


def free_memory() -> int | None:
    """Ask the system how much memory a process can still take.

    Returns:
        Bytes, the least of what the machine and a container allow; None
        where the system does not say.
    """
    known = [one for one in (_machine(), _container()) if one is not None]
    return min(known, default=None)


def _machine() -> int | None:
    try:
        text = _SYSTEM.read_text("ascii")
    except (OSError, ValueError):
        return None
    found = re.search(r"^MemAvailable: *(\d+) kB$", text, re.M)
    return int(found[1]) * 1024 if found else None


def _container() -> int | None:
    """What is left of a limit; files that are kept in memory can go."""
    try:
        limit = int((_CONTAINER / "memory.max").read_text("ascii"))
        used = int((_CONTAINER / "memory.current").read_text("ascii"))
        text = (_CONTAINER / "memory.stat").read_text("ascii")
    except (OSError, ValueError):  # no container, or no limit: "max"
        return None
    kept = re.search(r"^inactive_file (\d+)$", text, re.M)
    return max(limit - used + (int(kept[1]) if kept else 0), 0)
