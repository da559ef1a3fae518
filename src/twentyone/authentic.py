"""Is this package what was signed? Its files are compared with the manifest that was made and signed at build.

Only the standard library is imported, and what checks a signature only where there is one: this runs before anything
else of the package does.
"""

from __future__ import annotations

import json
import marshal
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.version import __version__

__all__ = [
    "MANIFEST",
    "MANIFEST_FORMAT",
    "NO_MANIFEST",
    "PACKAGE",
    "TRUSTED",
    "Difference",
    "ExaminedPackage",
    "NotAuthentic",
    "at_start",
    "code_digest",
    "examine",
    "files_of",
    "package_digest",
    "read_public",
    "refuse_altered",
    "signed_part",
    "trusted_key",
]

PACKAGE = Path(__file__).parent
"""The folder of this package."""
MANIFEST, MANIFEST_FORMAT = "manifest.json", "package-manifest/1"
TRUSTED = "TWENTYONE_PUBLIC_KEY"
"""The setting that names the public key of whoever signs the package; where it is set, nothing unsigned is played."""
NO_MANIFEST = "an unsigned build: not authenticated"
HEADER = 16
"""Bytes before the code in a file that Python has compiled."""
COMPILED, SCRIPTS = "__pycache__", ("tests", "conformance")
"""Folders that are left out: compiled code is compared as code; scripts of the law and the suite deal no game."""


class NotAuthentic(TwentyoneError):
    """A package that is not what was signed."""


class Difference(NamedTuple):
    """One file that is not as the manifest says."""

    file: str
    """Its path in the package."""
    what: str
    """What is wrong with it."""

    def __str__(self) -> str:
        return f"{self.file} {self.what}"


class ExaminedPackage(NamedTuple):
    """A package, compared with its manifest."""

    digest: str
    """SHA-256 of the list of its files, as `sha256sum` prints it."""
    files: int
    """How many it has."""
    signer: str
    """The public key that signed its manifest, in hexadecimal; empty where it has no manifest."""
    differences: tuple[Difference, ...] = ()
    """Where it is not what was signed."""

    @property
    def authentic(self) -> bool:
        """Whether it is what was signed."""
        return bool(self.signer) and not self.differences

    @property
    def words(self) -> str:
        """What came out, in a few words."""
        if self.authentic:
            return f"authentic, signed by {self.signer[:16]}"
        return self.first if self.differences else NO_MANIFEST

    @property
    def first(self) -> str:
        """The first difference, and how many more there are."""
        more = len(self.differences) - 1
        return f"{self.differences[0]}{f', and {more} more' if more else ''}"

    def to_json(self) -> dict[str, Any]:
        """For a program."""
        differences = [one._asdict() for one in self.differences]
        return {**self._asdict(), "authentic": self.authentic, "words": self.words, "differences": differences}


def examine(root: Path = PACKAGE, trusted: str = "") -> ExaminedPackage:
    """Compare a package with its manifest; a key that is trusted must have signed it."""
    files = files_of(root)
    digest, differences, signer = _digest(files), list[Difference](), ""
    if (root / MANIFEST).exists():
        manifest = _manifest(root / MANIFEST)
        signer = str(manifest.get("public", "")) or "nobody"
        differences += _unlike(root, files, manifest, trusted) if manifest else [Difference(MANIFEST, "is not signed")]
    return ExaminedPackage(digest, len(files), signer, tuple(differences))


@cache
def package_digest() -> str:
    """The digest of this package, as it was when it was first asked for."""
    return _digest(files_of(PACKAGE))


@cache
def at_start() -> ExaminedPackage:
    """This package as it was when the process began."""
    return examine(PACKAGE, trusted_key())


def refuse_altered() -> None:
    """Refuse to begin with a package that is not what was signed; of one without a manifest nothing is said here."""
    found = at_start() if (PACKAGE / MANIFEST).exists() else None
    if found is not None and found.differences:
        raise NotAuthentic(
            f"the package is not what was signed ({found.first}): nothing was started; install it anew; "
            "`twentyone authenticate` lists every file"
        )


def trusted_key() -> str:
    """The public key that the setting names, in hexadecimal; empty where it names none."""
    path = os.environ.get(TRUSTED, "")
    return read_public(path, TRUSTED) if path else ""


def read_public(path: str, named_by: str) -> str:
    """The public key in a file, in hexadecimal."""
    try:
        return bytes.fromhex(json.loads(Path(path).read_text(encoding="ascii"))["public"]).hex()
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        raise NotAuthentic(
            f"{named_by} names {path}, and that is not a file with a public key: `twentyone key public` writes one"
        ) from None


# -- the files


def files_of(root: Path) -> dict[str, str]:
    """The SHA-256 of every file of a package by its path; compiled code and the scripts of the law are left out."""
    found: dict[str, str] = {}
    for folder, folders, names in os.walk(root):
        linked = [name for name in folders if Path(folder, name).is_symlink()]
        folders[:] = [name for name in folders if name != COMPILED and name not in linked]
        if Path(folder) == root:
            folders[:] = [name for name in folders if name not in SCRIPTS]
        place = Path(folder).relative_to(root).as_posix()
        for name in (*names, *linked):
            found[name if place == "." else f"{place}/{name}"] = sha256(_content(f"{folder}/{name}")).hexdigest()
    found.pop(MANIFEST, None)
    return dict(sorted(found.items()))


def _content(path: str) -> bytes:
    """What a file says; what cannot be read, as a link to a folder, has a content that nobody has signed."""
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 (half the time: every start waits for this)
            return file.read()
    except OSError as wrong:
        return f"not readable: {wrong.strerror}".encode()


def _digest(files: Mapping[str, str]) -> str:
    return sha256("".join(f"{own}  {name}\n" for name, own in files.items()).encode()).hexdigest()


# -- the manifest


def signed_part(manifest: Mapping[str, Any]) -> bytes:
    """What is signed of a manifest: all of it but the signature, in one form only."""
    part = {name: value for name, value in manifest.items() if name != "signature"}
    return json.dumps(part, sort_keys=True, separators=(",", ":")).encode()


def _manifest(path: Path) -> dict[str, Any]:
    """The manifest in a file, if the key that it names has signed it; else nothing."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        manifest: dict[str, Any] = json.loads(path.read_bytes())
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(manifest["public"]))
        key.verify(bytes.fromhex(manifest["signature"]), signed_part(manifest))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError, InvalidSignature):
        return {}
    return manifest if _formed(manifest) else {}


def _formed(manifest: Mapping[str, Any]) -> bool:
    """Whether a manifest says all that is asked of it: a key that nobody trusts signs anything."""
    texts, tables = ("version", "python", "public"), ("files", "code")
    return (
        manifest.get("format") == MANIFEST_FORMAT
        and all(isinstance(manifest.get(name), str) for name in texts)
        and all(isinstance(manifest.get(name), dict) for name in tables)
    )


def _unlike(root: Path, files: Mapping[str, str], manifest: dict[str, Any], trusted: str) -> Iterator[Difference]:
    if trusted and manifest["public"] != trusted:
        yield Difference(MANIFEST, f"is signed by {manifest['public'][:16]}, not by the key that is trusted here")
    if manifest["version"] != __version__ and root == PACKAGE:
        yield Difference(MANIFEST, f"is of version {manifest['version']}, this is {__version__}")
    listed = manifest["files"]
    for name in sorted({*listed, *files}):
        if name not in files:
            yield Difference(name, "is missing")
        elif name not in listed:
            yield Difference(name, "is extra: nobody signed it")
        elif files[name] != listed[name]:
            yield Difference(name, "differs")
        elif name.endswith(".py") and not _compiled_alike(root / name, _known(manifest, name)):
            yield Difference(name, "is as it was signed, but what Python keeps compiled of it differs: delete that")


# -- what Python keeps compiled, and loads instead of a source


def _known(manifest: Mapping[str, Any], name: str) -> str:
    """The digest of a file's code, where the manifest was made with this Python."""
    return str(manifest["code"].get(name)) if manifest["python"] == sys.implementation.cache_tag else ""


def _compiled_alike(source: Path, known: str) -> bool:
    """Whether the compiled file that Python would load, if there is one, has the code of its source."""
    try:
        compiled = Path(cache_from_source(source)).read_bytes()
    except OSError:
        return True
    digest = code_digest(compiled[HEADER:])
    return digest == known or digest == code_digest(
        marshal.dumps(compile(source.read_bytes(), str(source), "exec", dont_inherit=True))
    )


def code_digest(marshalled: bytes) -> str:
    """A digest of compiled code, wherever its source lies; empty where it is not code as the compiler wrote it."""
    try:
        code: CodeType = marshal.loads(marshalled)
        name = code.co_filename.encode("utf-8", "surrogatepass")
        written = marshal.dumps(code, 2)  # in this form the same code always gives the same bytes
        as_compiled = _is_as_compiled(code, marshalled)
    except Exception:  # a forged file can raise anything
        return ""
    return sha256(written.replace(_text(name), _text(b""))).hexdigest() if as_compiled else ""


def _is_as_compiled(code: CodeType, marshalled: bytes) -> bool:
    """Whether every instruction is stored as the compiler wrote it: Python hides what a running program made of it."""
    at = 0
    for part in _parts(code):
        instructions = len(part.co_code).to_bytes(4, "little") + part.co_code
        at = marshalled.find(instructions, at)
        if at < 0:
            return False
        at += len(instructions)
    return True


def _parts(code: CodeType) -> Iterator[CodeType]:
    """A piece of code and all within it, in the order in which they are stored."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _parts(inner)


def _text(utf8: bytes) -> bytes:
    return b"u" + len(utf8).to_bytes(4, "little") + utf8
