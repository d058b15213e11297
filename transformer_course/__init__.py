"""The instruments of the book: checks, interactive figures, still figures.

    from transformer_course import checks, explorers, plots, workbook

They stand beside the library, not in it: they may use it, and it imports none
of them.
"""

__all__ = ["checks", "explorers", "plots", "workbook"]

# What the book brings, whatever another one imports standing before it.
PACKAGES = ("toy_language", "transformer_lib", "transformer_course")
