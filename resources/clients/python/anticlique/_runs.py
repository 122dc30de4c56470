"""One run of the command: a graph to a file, options to words, the result back to the vertices of the graph."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._graphs import WEIGHING, Columns, read, write_arcs, write_gr
from ._program import answer, command_words, imported, is_weighted
from ._results import Vertices


def run(
    graph: Any,
    algorithm: str = "ecl-mis",
    command: str | Sequence[str] | None = None,
    library: str | os.PathLike[str] | None = None,
    weight_rule: str | None = None,
    output: str | os.PathLike[str] | None = None,
    columns: Columns = ("source", "target", "weight"),
    **options: Any,
) -> tuple[Any, dict[str, Any]]:
    """Runs an algorithm; returns its result and the document that `anticlique run --json` prints.

    Of algorithms that give every vertex a value the result is an array of them, or a dict by nodes of NetworkX. A vertex
    that a search does not reach has -1, or None of NetworkX, where the parents of `bfs-tree` are nodes.

    command: the program and first arguments, in place of the one that is found. library: a folder that keeps the graph and the
    run; without it both go when the result is there. A graph that the library has is known by its checksum, and not stored again.
    output: a file that keeps the result with its record beside it, in numbers from 0. Raises AnticliqueError.
    """
    edges, weights, nodes, canonical = read(graph, weight_rule, algorithm in WEIGHING, columns)
    vertices = Vertices(nodes)
    program = command_words(command)
    with tempfile.TemporaryDirectory(prefix="anticlique-") as folder:
        path = os.path.join(folder, "graph.gr")
        result = os.path.join(folder, "result.txt")
        if canonical is None:
            write_gr(path, len(vertices), edges, weights)
        else:
            write_arcs(path, *canonical)
        call = [*program, "--json", "--library", os.fspath(library or os.path.join(folder, "library"))]
        # What the library keeps must not be a link to a file that goes.
        dataset = path if library is None else imported(call, path, options.get("name"), is_weighted(path))
        words = ["--algorithm", algorithm, "--output", result, *_words(options, vertices, folder)]
        document = answer([*call, "run", dataset, *words])
        if output is not None:
            answer([*call, "export", document["run"], "--output", os.fspath(output)])
            document["files"] = [os.fspath(output), os.fspath(output) + ".run.json"]
        kind = document["result"]["kind"]
        if kind == "values":
            with open(result, encoding="ascii") as file:
                # A vertex, a tab, and its value, which is empty where it has none.
                found = [line.rstrip("\n").partition("\t")[2] for line in file]
            values = [int(word) if word else None for word in found]
            return vertices.values(values, algorithm == "bfs-tree"), document
        numbers = np.fromfile(result, dtype=np.int64, sep=" ")
    return vertices.pairs(numbers) if kind in ("matching", "b-matching") else vertices.members(numbers), document


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
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _list(folder: str, name: str, lines: list[str]) -> str:
    path = os.path.join(folder, name + ".txt")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    return path
