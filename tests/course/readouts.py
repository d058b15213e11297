"""What an interactive figure says, read back."""

import re


def numbers(text):
    """The numbers of a text, but for those in a name: x1 or d₂."""
    found = re.findall(r"(?<![\w.])−?\d+(?:,\d{3})*(?:\.\d+)?", text)
    return [float(n.replace("−", "-").replace(",", "")) for n in found]
