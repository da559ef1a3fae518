"""Puts the signed manifest of the package into a wheel, where TWENTYONE_SIGNING_KEY names the key of whoever signs."""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManifestHook(BuildHookInterface):  # type: ignore[type-arg]
    """A part of `make package`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Sign what goes into the wheel; a tree that is installed to be edited is not signed."""
        key = os.environ.get("TWENTYONE_SIGNING_KEY", "")
        if not key or version == "editable":
            return
        sys.path.insert(0, str(Path(self.root, "src")))
        from twentyone.authentic import MANIFEST, PACKAGE
        from twentyone.ledger.keys import Keyring
        from twentyone.ledger.sealing import manifest_of

        builder = self.build_config.builder
        paths = [Path(file.path) for file in builder.recurse_included_files()]
        only = {path.relative_to(PACKAGE).as_posix() for path in paths if path.is_relative_to(PACKAGE)}
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
            file.write(json.dumps(manifest_of(PACKAGE, Keyring.load(key), only), indent=1) + "\n")
        self._made = file.name
        build_data["force_include"][file.name] = f"{PACKAGE.name}/{MANIFEST}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """The wheel has it; the file beside it is not needed any more."""
        if hasattr(self, "_made"):
            Path(self._made).unlink()
