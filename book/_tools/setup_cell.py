# Set-up. At home this cell does nothing. In Colab it fetches the book,
# installs its library beside the torch and NumPy that are there already,
# and moves into chapters/.
import importlib.metadata
import importlib.util
import os
import subprocess
import sys

book = "transformer-book"
if importlib.util.find_spec("transformer_lib") is None:
    home = "https://github.com/OWNER/transformer-step-by-step"
    home = os.environ.get("TRANSFORMER_BOOK_REPOSITORY", home)
    clone = ["git", "clone", "-q", "--depth", "1", "--branch", "v0.1.0"]
    if not os.path.isdir(book):
        subprocess.run([*clone, home, book], check=True)
    with open(f"{book}/keep.txt", "w") as keep:
        for name in filter(importlib.util.find_spec, ["torch", "numpy"]):
            keep.write(f"{name}=={importlib.metadata.version(name)}\n")
    pip = [sys.executable, "-m", "pip", "install", "-q"]
    subprocess.run([*pip, "-c", f"{book}/keep.txt", f"./{book}"], check=True)
    importlib.invalidate_caches()
if os.path.isdir(f"{book}/chapters"):
    os.chdir(f"{book}/chapters")
