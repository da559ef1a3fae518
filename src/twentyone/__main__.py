"""`python -m twentyone`, and the command `twentyone`.

Any Python 3 can read this file and those that it loads first: an older one can then be told that it is one.
"""

import sys

from twentyone.version import too_old

__all__ = ["main"]


def main() -> int:
    """Run a command; a package that cannot even be loaded is refused with a sentence, too."""
    wrong = too_old(sys.version_info[:2])
    if wrong:
        sys.stderr.write("twentyone: " + wrong + "\n")
        return 2
    try:
        from twentyone.cli import main as run
    except Exception as broken:
        sys.stderr.write("twentyone: the package cannot be loaded (" + str(broken) + "): install it anew\n")
        return 2
    return run()


if __name__ == "__main__":
    sys.exit(main())
