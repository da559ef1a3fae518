"""The version and the oldest Python for it, where everything can read them: an older Python can read this file, too."""

__all__ = ["OLDEST", "__version__", "too_old"]

__version__ = "0.1.0"
OLDEST = (3, 11)


def too_old(python: "tuple[int, int]") -> str:
    """What is said to a Python that is too old; nothing where it is not.

    >>> too_old((3, 8))
    'Python 3.11 or newer is needed, this is 3.8: run it with a newer one'
    """
    if python >= OLDEST:
        return ""
    needed, this = (".".join(str(part) for part in version) for version in (OLDEST, python))
    return "Python " + needed + " or newer is needed, this is " + this + ": run it with a newer one"
