"""`python -m twentyone`."""

import sys

from twentyone.cli import main

if __name__ == "__main__":
    sys.exit(main())
