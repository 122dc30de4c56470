"""One run of the command: a graph to a file, options to words, the result back to the vertices of the graph."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arcs import write_arcs, write_gr
from ._graphs import WEIGHING, Columns, Read, read
from ._program import answer, command_words, imported, is_weighted
from ._results import Result, Vertices, pairs_of_groups, words_as_values


def run(
    graph: Any,
    algorithm: str = "ecl-mis",
    command: str | Sequence[str] | None = None,
    library: str | os.PathLike[str] | None = None,
    weight_rule: str | None = None,
    output: str | os.PathLike[str] | None = None,
    columns: Columns | None = None,
    **options: Any,
) -> tuple[Any, dict[str, Any]]:
    """Runs an algorithm; returns its result and the document that `anticlique run --json` prints.

    Of algorithms that give every vertex a value the result is an array of them, or a dict by nodes of NetworkX. A vertex
    that a search does not reach has -1, or None of NetworkX, where the parents of `bfs-tree` are nodes.

    command: the program and first arguments, in place of the one that is found. library: a folder that keeps the graph and the
    run; without it both go when the result is there. A graph that the library has is known by its checksum, and not stored again.
    output: a file that keeps the result with its record beside it, in numbers from 0. columns: what a table calls source, target and weight.
    progress=True shows the program's bar on a terminal. Raises AnticliqueError.
    """
    result = compute(graph, algorithm, command, library, weight_rule, output, columns, **options)
    return result.value, dict(result.document)


def compute(
    graph: Any,
    algorithm: str = "ecl-mis",
    command: str | Sequence[str] | None = None,
    library: str | os.PathLike[str] | None = None,
    weight_rule: str | None = None,
    output: str | os.PathLike[str] | None = None,
    columns: Columns | None = None,
    progress: bool = False,
    **options: Any,
) -> Result:
    """The result of an algorithm of `anticlique run --help`, with what is known of it. Arguments are those of `run`. Raises AnticliqueError."""
    given = read(graph, weight_rule, algorithm in WEIGHING, columns)
    vertices = Vertices(given.nodes)
    program = command_words(command)
    with tempfile.TemporaryDirectory(prefix="anticlique-") as folder:
        path = os.path.join(folder, "graph.gr")
        # Several partners a vertex are pairs in a file of text alone.
        file = os.path.join(folder, "result.txt" if algorithm == "b-suitor" else "result.npy")
        write_read(path, given)
        call = [*program, "--json", "--library", os.fspath(library or os.path.join(folder, "library"))]
        # What the library keeps must not be a link to a file that goes.
        dataset = path if library is None else imported(call, path, options.get("name"), is_weighted(path))
        words = ["--algorithm", algorithm, "--output", file, *_words(options, vertices, folder)]
        document = answer([*call, "run", dataset, *words], progress)
        with open(file + ".run.json", encoding="utf-8") as text:
            record = json.load(text)
        if output is not None:
            answer([*call, "export", document["run"], "--output", os.fspath(output)])
        document["files"] = [] if output is None else [os.fspath(output), os.fspath(output) + ".run.json"]
        found = np.load(file) if file.endswith(".npy") else np.fromfile(file, dtype=np.int64, sep=" ")
    kind = document["result"]["kind"]
    if kind == "b-matching":
        return Result(vertices.pairs(found.reshape(-1, 2)), document, record)
    if kind == "values":
        return Result(vertices.values(words_as_values(found), algorithm), document, record)
    value = vertices.pairs(pairs_of_groups(found)) if kind == "matching" else vertices.members(found)
    return Result(value, document, record)


def write_read(path: str, given: Read) -> None:
    """Writes a graph that was read."""
    if given.arcs is None:
        write_gr(path, len(given.nodes), given.edges, given.weights)
    else:
        write_arcs(path, *given.arcs)


def _words(options: dict[str, Any], vertices: Vertices, folder: str) -> list[str]:
    words = [] if "verify" in options else ["--verify"]
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if name in ("keep", "exclude"):
            words.append(_list(folder, name, [str(vertices.number(v)) for v in value]))
        elif name == "root":
            words.append(str(vertices.number(value)))
        elif name == "column":
            words.append(_list(folder, name, [f"{v},{x!r}" for v, x in enumerate(vertices.column(value))]))
        elif value is not True:
            words.append(text_of(value))
    return words


def text_of(value: Any) -> str:
    """What the command line takes for a value."""
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _list(folder: str, name: str, lines: list[str]) -> str:
    path = os.path.join(folder, name + ".txt")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    return path
