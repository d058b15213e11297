"""``python -m transformer_course COMMAND``: see `transformer_course.cli`."""

import os
import sys

# Python puts the current folder first. If the package is not from there, a
# file in it must not stand for one of Python's, such as argparse.py.
_HERE, _HOME = os.getcwd(), os.path.dirname(os.path.dirname(__file__))
if os.path.realpath(_HERE) != os.path.realpath(_HOME):
    sys.path[:1] = [path for path in sys.path[:1] if path not in ("", _HERE)]

from transformer_course.cli import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
