"""A package that was altered after it was signed: refused before it starts, found wherever it was altered."""

from __future__ import annotations

import json
import marshal
import os
import sys
import zipfile
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from tests.faults.packages import KEYS, edited, flipped, flips, is_refused, run_copy, signed_copy

from twentyone import authentic
from twentyone.authentic import MANIFEST, PACKAGE, TRUSTED, NotAuthentic, examine, package_digest, refuse_altered
from twentyone.cli import DONE, FOUND_WRONG, REFUSED, main
from twentyone.ledger.keys import Keyring
from twentyone.ledger.public_keys import PublicKey
from twentyone.ledger.sealing import seal

SHIFT = ("shift", "classic-blackjack", "--rounds", "3")
PAYS = b"net = pay.odds.pays(amount)\n"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed package; whoever alters it puts it back."""
    return signed_copy(tmp_path_factory.mktemp("signed"))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A small package of one's own, signed."""
    root = tmp_path / "own"
    (root / "rules").mkdir(parents=True)
    (root / "pay.py").write_text("def pay(amount):\n    return amount\n", encoding="utf-8")
    (root / "rules" / "law.md").write_text("# 1\n", encoding="utf-8")
    seal(root, KEYS)
    assert examine(root).authentic
    return root


def test_ninety_flipped_bytes_are_found_and_nothing_else(package: Path) -> None:
    assert examine(package).authentic
    for flip in flips(package, 90, seed=19):
        with flipped(package, flip):
            found = examine(package)
        assert [difference.file for difference in found.differences] == [flip.file], flip
    assert examine(package).authentic


def test_ten_flipped_bytes_are_refused_at_the_start(package: Path, tmp_path: Path) -> None:
    """The rest of a hundred, as processes; `make prove PART=authentic` does all of them so."""
    ledger = tmp_path / "t.db"
    for flip in flips(package, 10, seed=21):
        with flipped(package, flip):
            ran = run_copy(package, *SHIFT, "--ledger", str(ledger))
        assert is_refused(ran, flip), (flip, ran)
        assert not list(tmp_path.iterdir())


def test_without_the_check_an_altered_package_is_not_refused(monkeypatch: pytest.MonkeyPatch, own: Path) -> None:
    """The negative control."""
    monkeypatch.setattr(authentic, "PACKAGE", own)
    authentic.at_start.cache_clear()
    with edited(own / "pay.py", b"def pay(amount):\n    return 2 * amount\n"):
        with pytest.raises(NotAuthentic, match=r"pay\.py differs.*nothing was started"):
            refuse_altered()
        authentic.at_start.cache_clear()
        monkeypatch.setattr(authentic, "_unlike", lambda *_: [])
        refuse_altered()
    authentic.at_start.cache_clear()


def test_a_program_that_pays_double_is_refused_whatever_its_own_verify_says(package: Path, tmp_path: Path) -> None:
    """Signed, it does not start; with its manifest removed it runs and finds itself well, but not on a known ledger."""
    known, other = str(tmp_path / "known.db"), str(tmp_path / "other.db")
    assert run_copy(package, *SHIFT, "--ledger", known, "--require-authentic").returncode == DONE
    paying, manifest = package / "round" / "state.py", package / MANIFEST
    honest = paying.read_bytes()
    assert PAYS in honest
    with edited(paying, honest.replace(PAYS, PAYS.replace(b"amount)", b"amount + amount)"))):
        refused = run_copy(package, *SHIFT, "--ledger", known)
        assert (refused.returncode, "round/state.py differs" in refused.stderr) == (REFUSED, True)
        signed = manifest.read_bytes()
        manifest.unlink()
        try:
            control = run_copy(package, *SHIFT, "--ledger", other)
            assert control.returncode == DONE, control.stderr
            assert "all well" in run_copy(package, "verify", other).stdout
            refused = run_copy(package, *SHIFT, "--ledger", known)
            assert (refused.returncode, refused.stdout) == (REFUSED, "")
            assert "only signed software may play on this ledger" in refused.stderr
        finally:
            manifest.write_bytes(signed)
    assert "all well" in run_copy(package, "verify", known).stdout


# -- other ways to alter a package


def _extra(root: Path) -> None:
    (root / "pay.cpython-311-x86_64-linux-gnu.so").write_bytes(b"\x7fELF")


def _shadow(root: Path) -> None:
    (root / "pay.pyc").write_bytes(b"")


def _link(root: Path) -> None:
    (root / "more").symlink_to(root / "rules")


def _remove(root: Path) -> None:
    (root / "rules" / "law.md").unlink()


def _rewrite(root: Path) -> None:
    """Who alters a file writes its new digest into the manifest, too."""
    (root / "pay.py").write_text("def pay(amount):\n    return 2 * amount\n", encoding="utf-8")
    body = json.loads((root / MANIFEST).read_text(encoding="ascii"))
    body["files"]["pay.py"] = authentic.files_of(root)["pay.py"]
    (root / MANIFEST).write_text(json.dumps(body), encoding="ascii")


def _nonsense(root: Path) -> None:
    (root / MANIFEST).write_bytes(b'{"public": 7, "signature": []}')


@pytest.mark.parametrize(
    ("alter", "says"),
    [
        (_extra, "pay.cpython-311-x86_64-linux-gnu.so is extra: nobody signed it"),
        (_shadow, "pay.pyc is extra: nobody signed it"),
        (_link, "more is extra: nobody signed it"),
        (_remove, "rules/law.md is missing"),
        (_rewrite, "manifest.json is not signed"),
        (_nonsense, "manifest.json is not signed"),
    ],
)
def test_whatever_is_altered_is_named(own: Path, alter: Callable[[Path], None], says: str) -> None:
    alter(own)
    assert [str(difference) for difference in examine(own).differences] == [says]


def test_compiled_code_that_python_would_load_instead_of_its_source_is_found(own: Path) -> None:
    source = own / "pay.py"
    compiled = Path(cache_from_source(source))
    compiled.parent.mkdir()
    header = b"".join((b"\0" * 8, int(source.stat().st_mtime).to_bytes(4, "little"), b"\0" * 4))
    for written, right in (
        (source.read_bytes(), True),
        (b"def pay(amount):\n    return amount + amount\n", False),
        (source.read_bytes() + b"pay.all = 1\n", False),
    ):
        compiled.write_bytes(header + marshal.dumps(compile(written, "/elsewhere/pay.py", "exec", dont_inherit=True)))
        assert examine(own).authentic is right
    compiled.write_bytes(header + b"\xff" * 9)
    assert "what Python keeps compiled of it differs" in examine(own).words


def test_every_byte_of_compiled_instructions_counts(own: Path) -> None:
    """Also those that Python itself hides, which a running program fills with what it has learnt."""
    compiled = Path(cache_from_source(own / "pay.py"))
    compiled.parent.mkdir()
    code = compile((own / "pay.py").read_bytes(), "pay.py", "exec", dont_inherit=True)
    written = b"\0" * 16 + marshal.dumps(code)
    for function in (code, *(one for one in code.co_consts if isinstance(one, type(code)))):
        at = written.find(function.co_code)
        for place in range(at, at + len(function.co_code)):
            compiled.write_bytes(written[:place] + bytes([written[place] ^ 0x55]) + written[place + 1 :])
            assert not examine(own).authentic, f"byte {place - at} of {function.co_name}"
    compiled.write_bytes(written)
    assert examine(own).authentic


def test_a_manifest_made_with_another_python_is_as_good(own: Path) -> None:
    """What it says of compiled code is not used then: the source is compiled and compared."""
    source = own / "pay.py"
    compiled = Path(cache_from_source(source))
    compiled.parent.mkdir()
    compiled.write_bytes(
        b"\0" * 16 + marshal.dumps(compile(source.read_bytes(), str(source), "exec", dont_inherit=True))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("twentyone.ledger.sealing._code", lambda _: "of another Python")
        seal(own, KEYS)
    assert examine(own).authentic
    compiled.write_bytes(b"\0" * 16 + marshal.dumps(compile(b"pay = int\n", str(source), "exec", dont_inherit=True)))
    assert not examine(own).authentic


def test_who_signs_with_a_key_of_his_own_is_not_trusted(own: Path, tmp_path: Path) -> None:
    trusted = tmp_path / "release.pub"
    trusted.write_text(json.dumps(PublicKey.of(KEYS).to_json()), encoding="ascii")
    other = Keyring(os.urandom(32), os.urandom(32))
    with edited(own / "pay.py", b"def pay(amount):\n    return 2 * amount\n"), edited(own / MANIFEST, b""):
        seal(own, other)
        assert examine(own).signer == other.public.hex()
        assert examine(own, KEYS.public.hex()).words.startswith("manifest.json is signed by")
    assert examine(own, authentic.read_public(str(trusted), TRUSTED)).authentic


def test_a_setting_that_names_no_key_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (None, "{}", "7", '{"public": "xy"}', "[" * 100_000):
        if content is not None:
            (tmp_path / "release.pub").write_text(content, encoding="ascii")
        monkeypatch.setenv(TRUSTED, str(tmp_path / "release.pub"))
        with pytest.raises(NotAuthentic, match=TRUSTED):
            authentic.trusted_key()


# -- the command


def test_the_command_says_what_differs(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "version.py").write_text("", encoding="utf-8")
    assert main(["authenticate", "--package", str(own), "--json"]) == FOUND_WRONG
    told = json.loads(capsys.readouterr().out)
    assert told["differences"] == [{"file": "version.py", "what": "is extra: nobody signed it"}]
    seal(own, KEYS)
    assert main(["authenticate", "--package", str(own)]) == DONE
    assert f"authentic, signed by {KEYS.public.hex()[:16]}" in capsys.readouterr().out
    (own / "pay.py").unlink()
    assert main(["authenticate", "--package", str(own)]) == FOUND_WRONG
    assert capsys.readouterr().out.startswith("fault: pay.py is missing\n")
    with pytest.raises(SystemExit):
        main(["authenticate", "--package", str(own.parent)])


def test_a_development_tree_says_so_and_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["authenticate"]) == FOUND_WRONG
    assert "an unsigned build: not authenticated" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--version"])
    assert package_digest() in capsys.readouterr().out
    refuse_altered()


def test_a_wheel_is_signed_where_a_key_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the build puts into a wheel is what the manifest lists."""
    key = tmp_path / "release.key"
    from twentyone.table.shoe import os_source

    public = Keyring.create(key, os_source()).public.hex()
    monkeypatch.setenv("TWENTYONE_SIGNING_KEY", str(key))
    monkeypatch.setattr(sys, "path", [*sys.path])
    (wheel,) = WheelBuilder(str(PACKAGE.parents[1])).build(directory=str(tmp_path / "dist"), versions=["standard"])
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    found = examine(tmp_path / "installed" / PACKAGE.name, public)
    assert (found.authentic, found.digest) == (True, package_digest())
