"""``python -m transformer_course COMMAND``: see `transformer_course.cli`."""

import sys

from transformer_course.cli import main

if __name__ == "__main__":
    sys.exit(main())
