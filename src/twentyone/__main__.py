"""`python -m twentyone`, and the command `twentyone`."""

import sys

__all__ = ["main"]

OLDEST = (3, 11)


def main() -> int:
    """Run a command; a package that cannot even be loaded is refused with a sentence, too."""
    if sys.version_info[:2] < OLDEST:
        needed, this = (".".join(map(str, version)) for version in (OLDEST, sys.version_info[:2]))
        sys.stderr.write(f"twentyone: Python {needed} or newer is needed, this is {this}: run it with a newer one\n")
        return 2
    try:
        from twentyone.cli import main as run
    except Exception as broken:
        sys.stderr.write(f"twentyone: the package cannot be loaded ({broken}): install it anew\n")
        return 2
    return run()


if __name__ == "__main__":
    sys.exit(main())
