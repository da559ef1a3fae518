"""`python -m twentyone`, and the command `twentyone`."""

import sys

__all__ = ["main"]


def main() -> int:
    """Run a command; a package that cannot even be loaded is refused with a sentence, too."""
    try:
        from twentyone.cli import main as run
    except Exception as broken:
        sys.stderr.write(f"twentyone: the package cannot be loaded ({broken}): install it anew\n")
        return 2
    return run()


if __name__ == "__main__":
    sys.exit(main())
