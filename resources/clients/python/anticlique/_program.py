"""Finding and calling the command `anticlique`, and what it refuses as an exception."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

import numpy as np


class AnticliqueError(Exception):
    """What the command refused or could not do. `failure` has its `code`, `what`, `where` and `remedy`."""

    failure: dict[str, Any]

    def __init__(self, failure: dict[str, Any]) -> None:
        self.failure = failure
        parts = [failure.get("where"), failure.get("what")]
        text = ": ".join(part for part in parts if part)
        sentence = text if text.endswith((".", "?", "!")) else text + "."
        super().__init__(" ".join(part for part in (sentence, failure.get("remedy")) if part))

    @property
    def remedy(self) -> str:
        """How to mend it; empty where the program says nothing."""
        return str(self.failure.get("remedy") or "")


def command_words(command: str | Sequence[str] | None = None) -> list[str]:
    """The program and its first arguments: as given, as ANTICLIQUE_COMMAND says, beside this package, or `anticlique` in PATH."""
    if command is not None:
        return [command] if isinstance(command, str) else list(command)
    if "ANTICLIQUE_COMMAND" in os.environ:
        return shlex.split(os.environ["ANTICLIQUE_COMMAND"], posix=os.name != "nt")
    found = shutil.which("anticlique")
    words = _beside() or ([found] if found else [])
    if not words:
        remedy = "Install the program, or set ANTICLIQUE_COMMAND to what runs it, such as \"node /path/to/anticlique/electron/launch.mjs\"."
        raise AnticliqueError({"what": "there is no command anticlique in PATH", "remedy": remedy})
    return words


def _beside() -> list[str]:
    """The program that this package came with: of an unpacked archive, of an npm package, or of a clone. Empty where there is none."""
    node = shutil.which("node")
    for folder in pathlib.Path(__file__).resolve().parents[2:5]:
        command = folder / "bin" / ("anticlique.cmd" if os.name == "nt" else "anticlique")
        launcher = folder / "electron" / "launch.mjs"
        if command.is_file():
            return [str(command)]
        if launcher.is_file() and node is not None:
            return [node, str(launcher)]
    return []


def imported(call: list[str], path: str, name: str | None, weighted: bool) -> str:
    """The dataset of a library that was made of such a file: the one with its checksum, else a new one."""
    with open(path, "rb") as file:
        checksum = _sha256(file)
    datasets = answer([*call, "datasets"])["datasets"]
    for dataset in datasets:
        if dataset["report"]["sourceSha256"] == checksum and dataset["weighted"] == weighted:
            return str(dataset["name"])
    taken = {dataset["name"] for dataset in datasets}
    new = name if name and name not in taken else f"{name or 'graph'}-{checksum[:12]}"
    return str(answer([*call, "import", path, "--name", new])["dataset"]["name"])


def is_weighted(path: str) -> bool:
    """Whether a Galois file has weights."""
    return bool(np.fromfile(path, dtype="<u8", count=2)[1] != 0)


def _sha256(file: Any) -> str:
    digest = hashlib.sha256()
    while chunk := file.read(1 << 20):
        digest.update(chunk)
    return digest.hexdigest()


def answer(words: list[str], progress: bool = False) -> Any:
    """The document that a call prints. Raises AnticliqueError. progress: the program may draw its bar where this one's errors go."""
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=None if progress else subprocess.PIPE, check=False)
    except OSError as error:
        remedy = "Give command= or ANTICLIQUE_COMMAND the program that runs Anticlique."
        raise AnticliqueError({"where": words[0], "what": f"the command cannot be started: {error}", "remedy": remedy}) from error
    try:
        document = json.loads(done.stdout.decode("utf-8"))
    except ValueError:
        document = None
    said = (done.stderr or b"").decode("utf-8", "replace").strip()
    if isinstance(document, dict) and "error" in document:
        raise AnticliqueError(document["error"])
    if document is None or done.returncode != 0:
        raise AnticliqueError({"what": said or f"the program ended with {done.returncode}"})
    return document
