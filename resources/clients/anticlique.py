"""Independent sets and matchings of graphs in Python, computed by the command `anticlique`.

One file; it needs NumPy and nothing else. Graphs are scipy.sparse matrices or arrays, NetworkX or igraph graphs, or a pair
`(n, edges)` of a number of vertices and an array of shape (m, 2), with weights as `(n, edges, weights)`:

    import anticlique
    members = anticlique.independent_set(graph)
    pairs = anticlique.matching(graph, ties="degree")

Options are those of `anticlique run`: `priority="hash"` is `--priority hash`, `partitions=4` is `--partitions 4`, and True is an
option without a value. `keep=` and `exclude=` take vertices, `root=` one, `column=` a number for each vertex. The command is the one that
ANTICLIQUE_COMMAND names, else `anticlique` in PATH. Loops are left out, arcs are taken as edges, and of parallel edges the
greatest weight counts.
"""

import json
import os
import shlex
import shutil
import subprocess
import tempfile

import numpy as np

__all__ = ["AnticliqueError", "independent_set", "matching", "run", "write_gr"]


class AnticliqueError(Exception):
    """What the command refused or could not do. `failure` has its `code`, `what`, `where` and `remedy`."""

    def __init__(self, failure):
        self.failure = failure
        parts = [failure.get("where"), failure.get("what")]
        text = ": ".join(part for part in parts if part)
        sentence = text if text.endswith((".", "?", "!")) else text + "."
        super().__init__(" ".join(part for part in (sentence, failure.get("remedy")) if part))


def independent_set(graph, **options):
    """A maximal independent set: vertices of the graph, ascending by their number.

    The result is an array of row numbers of a matrix, of vertex numbers of igraph or of `(n, edges)`, or a list of nodes of
    NetworkX. It was verified by separate code.
    """
    return run(graph, **{"algorithm": "ecl-mis", **options})[0]


def matching(graph, **options):
    """A maximal matching of great weight: an array of shape (k, 2), or a list of pairs of nodes of NetworkX, verified."""
    return run(graph, **{"algorithm": "ld-gpu", **options})[0]


def run(graph, algorithm="ecl-mis", command=None, library=None, **options):
    """Runs an algorithm; returns its result and the document that `anticlique run --json` prints.

    Of algorithms that give every vertex a value the result is an array of them, or a dict by nodes of NetworkX. A vertex
    that a search does not reach has -1, or None of NetworkX, where the parents of `bfs-tree` are nodes.

    command: the program and first arguments, in place of the one that is found. library: a folder that keeps the graph and the
    run; without it both go when the result is there. Raises AnticliqueError.
    """
    edges, weights, nodes = _read(graph)
    count = len(nodes)
    words = _command(command)
    with tempfile.TemporaryDirectory(prefix="anticlique-") as folder:
        path = os.path.join(folder, "graph.gr")
        output = os.path.join(folder, "result.txt")
        number = {node: v for v, node in enumerate(nodes)} if isinstance(nodes, list) else None
        write_gr(path, count, edges, weights)
        words += ["--json", "--library", library or os.path.join(folder, "library"), "run", path]
        words += ["--algorithm", algorithm, "--output", output, *_options(options, number, folder, count)]
        if library is not None:
            # What the library keeps must not be a link to a file that goes.
            words[words.index("run") : words.index("run") + 2] = ["run", _imported(words, path, options.get("name"))]
        document = _answer(words)
        kind = document["result"]["kind"]
        if kind == "values":
            return _values(output, nodes, number is not None, algorithm == "bfs-tree"), document
        numbers = np.fromfile(output, dtype=np.int64, sep=" ")
    if kind == "matching":
        numbers = numbers.reshape(-1, 2)
    if number is None:
        return numbers, document
    if numbers.ndim == 2:
        return [(nodes[u], nodes[v]) for u, v in numbers.tolist()], document
    return [nodes[v] for v in numbers.tolist()], document


def write_gr(path, n, edges, weights=None):
    """Writes a canonical Galois binary file (version 1): both arcs of every edge, no loops, neighbours ascending and once.

    edges: integers of shape (m, 2), from 0 to n - 1, in any order and direction. weights: m numbers, kept as 32-bit floats.
    """
    given = np.asarray(edges).reshape(-1, 2)
    edges = given.astype(np.int64)
    if (edges != given).any():
        raise ValueError(f"ends of edges are whole numbers, and one is {given[edges != given][0]}")
    if edges.size and (edges.min() < 0 or edges.max() >= n):
        raise ValueError(f"edges name vertices from {edges.min()} to {edges.max()}, and there are {n}")
    if weights is not None:
        weights = np.asarray(weights, dtype=np.float32).reshape(-1)
        if len(weights) != len(edges):
            raise ValueError(f"{len(weights)} weights are given for {len(edges)} edges")
    proper = edges[:, 0] != edges[:, 1]
    sources = np.concatenate([edges[proper, 0], edges[proper, 1]])
    targets = np.concatenate([edges[proper, 1], edges[proper, 0]])
    if weights is None:
        arcs = np.unique(np.stack([sources, targets], axis=1), axis=0) if len(sources) else np.empty((0, 2), np.int64)
        sources, targets, values = arcs[:, 0], arcs[:, 1], None
    else:
        values = np.concatenate([weights[proper]] * 2)
        order = np.lexsort((-values, targets, sources))
        sources, targets, values = sources[order], targets[order], values[order]
        first = np.ones(len(sources), dtype=bool)
        first[1:] = (sources[1:] != sources[:-1]) | (targets[1:] != targets[:-1])
        sources, targets, values = sources[first], targets[first], values[first]
    with open(path, "wb") as file:
        np.array([1, 0 if values is None else 4, n, len(targets)], dtype="<u8").tofile(file)
        np.cumsum(np.bincount(sources, minlength=n), dtype=np.uint64).astype("<u8").tofile(file)
        targets.astype("<u4").tofile(file)
        if len(targets) % 2:
            np.zeros(1, dtype="<u4").tofile(file)
        if values is not None:
            values.astype("<f4").tofile(file)


def _values(path, nodes, named, of_nodes):
    """Of lines of a vertex, a tab and its value, which is empty where it has none."""
    with open(path, encoding="ascii") as file:
        words = [line.rstrip("\n").partition("\t")[2] for line in file]
    if not named:
        return np.array([int(word or -1) for word in words], dtype=np.int64)
    values = [int(word) if word else None for word in words]
    return dict(zip(nodes, [None if v is None else nodes[v] for v in values] if of_nodes else values))


def _read(graph):
    """Edges of shape (m, 2), weights or None, and the nodes: a range of numbers, or a list of what they are called."""
    if hasattr(graph, "tocoo"):  # scipy.sparse
        matrix = graph.tocoo()
        if matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"a matrix of {matrix.shape[0]} x {matrix.shape[1]} is no graph")
        there = matrix.data != 0
        edges = np.stack([matrix.row[there], matrix.col[there]], axis=1)
        values = matrix.data[there]
        return edges, _weights(None if values.dtype == bool else values), range(matrix.shape[0])
    if hasattr(graph, "vcount"):  # igraph
        weights = graph.es["weight"] if "weight" in graph.es.attributes() else None
        return np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2), _weights(weights), range(graph.vcount())
    if hasattr(graph, "adjacency"):  # NetworkX
        nodes = list(graph.nodes)
        number = {node: v for v, node in enumerate(nodes)}
        triples = list(graph.edges(data="weight"))
        edges = np.array([(number[u], number[v]) for u, v, _ in triples], dtype=np.int64).reshape(-1, 2)
        given = [weight for _, _, weight in triples]
        has = [weight is not None for weight in given]
        weights = [1 if weight is None else weight for weight in given] if any(has) else None
        return edges, _weights(weights), nodes
    if isinstance(graph, tuple) and len(graph) in (2, 3):
        return np.asarray(graph[1]).reshape(-1, 2), _weights(graph[2] if len(graph) == 3 else None), range(graph[0])
    raise TypeError(f"{type(graph).__name__} is no graph: give a scipy.sparse, NetworkX or igraph one, or (n, edges)")


def _weights(values):
    """None where all are alike: such a graph has no weights."""
    if values is None:
        return None
    values = np.asarray(values, dtype=np.float32)
    if values.size and not (np.isfinite(values).all() and (values > 0).all()):
        raise ValueError("weights must be finite and greater than zero")
    return None if values.size == 0 or (values == 1).all() else values


def _command(command):
    if command is not None:
        return [command] if isinstance(command, str) else list(command)
    if "ANTICLIQUE_COMMAND" in os.environ:
        return shlex.split(os.environ["ANTICLIQUE_COMMAND"], posix=os.name != "nt")
    found = shutil.which("anticlique")
    if found is None:
        raise AnticliqueError({"what": "there is no command anticlique in PATH", "remedy": "Set ANTICLIQUE_COMMAND."})
    return [found]


def _options(options, number, folder, count):
    words = [] if "verify" in options else ["--verify"]
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if name in ("keep", "exclude"):
            words.append(_list(folder, name, [_vertex(v, number) for v in value]))
        elif name == "root":
            words.append(_vertex(value, number))
        elif name == "column":
            given = value if number is None else [value[node] for node in number]
            if len(given) != count:
                raise ValueError(f"{len(given)} values are given for {count} vertices")
            words.append(_list(folder, name, [f"{v},{float(x)!r}" for v, x in enumerate(given)]))
        elif value is not True:
            words.append(str(value))
    return words


def _vertex(node, number):
    if number is None:
        return str(int(node))
    if node not in number:
        raise ValueError(f"the graph has no node {node!r}")
    return str(number[node])


def _list(folder, name, lines):
    path = os.path.join(folder, name + ".txt")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    return path


def _imported(words, path, name):
    """The dataset that the library of these words made of a file."""
    at = words.index("run")
    naming = ["--name", name] if name else []
    return _answer([*words[:at], "import", path, *naming])["dataset"]["name"]


def _answer(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    try:
        document = json.loads(done.stdout.decode("utf-8"))
    except ValueError:
        document = {"error": {"what": done.stderr.decode("utf-8", "replace").strip() or f"ended with {done.returncode}"}}
    if "error" in document:
        raise AnticliqueError(document["error"])
    if done.returncode != 0:
        raise AnticliqueError({"what": done.stderr.decode("utf-8", "replace").strip()})
    return document
