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

Weights are what the program stores, 32-bit floats above zero. As on the command line negative entries of a matrix count by their size, and its
zeros are no edges; of other graphs such weights are refused where the algorithm compares weights, unless `weight_rule=` says
`absolute`, `drop` (the edge) or `shift` (all, so that the least is 1).
"""

import hashlib
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


# Algorithms that compare or add the weights of edges; others do without those that cannot be stored.
_WEIGHING = {"ld-gpu", "mis2-aggregates", "spin-glass"}
_WEIGHT_RULES = ("reject", "absolute", "drop", "shift")


def run(graph, algorithm="ecl-mis", command=None, library=None, weight_rule=None, output=None, **options):
    """Runs an algorithm; returns its result and the document that `anticlique run --json` prints.

    Of algorithms that give every vertex a value the result is an array of them, or a dict by nodes of NetworkX. A vertex
    that a search does not reach has -1, or None of NetworkX, where the parents of `bfs-tree` are nodes.

    command: the program and first arguments, in place of the one that is found. library: a folder that keeps the graph and the
    run; without it both go when the result is there. A graph that the library has is known by its checksum, and not stored again.
    output: a file that keeps the result with its record beside it, in numbers from 0. Raises AnticliqueError.
    """
    edges, weights, nodes, canonical = _read(graph, weight_rule, algorithm in _WEIGHING)
    count = len(nodes)
    program = _command(command)
    with tempfile.TemporaryDirectory(prefix="anticlique-") as folder:
        path = os.path.join(folder, "graph.gr")
        result = os.path.join(folder, "result.txt")
        number = {node: v for v, node in enumerate(nodes)} if isinstance(nodes, list) else None
        if canonical is None:
            write_gr(path, count, edges, weights)
        else:
            _write_csr(path, *canonical)
        call = [*program, "--json", "--library", os.fspath(library or os.path.join(folder, "library"))]
        # What the library keeps must not be a link to a file that goes.
        dataset = path if library is None else _imported(call, path, options.get("name"), _is_weighted(path))
        words = ["--algorithm", algorithm, "--output", result, *_options(options, number, folder, count)]
        document = _answer([*call, "run", dataset, *words])
        if output is not None:
            _answer([*call, "export", document["run"], "--output", os.fspath(output)])
            document["files"] = [os.fspath(output), os.fspath(output) + ".run.json"]
        kind = document["result"]["kind"]
        if kind == "values":
            return _values(result, nodes, number is not None, algorithm == "bfs-tree"), document
        numbers = np.fromfile(result, dtype=np.int64, sep=" ")
    if kind == "matching":
        numbers = numbers.reshape(-1, 2)
    if number is None:
        return numbers, document
    if numbers.ndim == 2:
        return [(nodes[u], nodes[v]) for u, v in numbers.tolist()], document
    return [nodes[v] for v in numbers.tolist()], document


def write_gr(path, n, edges, weights=None):
    """Writes a canonical Galois binary file (version 1): both arcs of every edge, no loops, neighbours ascending and once.

    edges: integers of shape (m, 2), from 0 to n - 1, in any order and direction. weights: m numbers, kept as 32-bit floats. Arcs are sorted as
    keys of 64 bits, the source above the target.
    """
    if not 0 <= n < 2**32 - 1:
        raise ValueError(f"a graph has at most {2**32 - 2} vertices, and this one would have {n}")
    given = np.asarray(edges).reshape(-1, 2)
    ends = given.astype(np.int64, copy=False)
    if ends is not given and (ends != given).any():
        raise ValueError(f"ends of edges are whole numbers, and one is {given[ends != given][0]}")
    if ends.size and (ends.min() < 0 or ends.max() >= n):
        raise ValueError(f"edges name vertices from {ends.min()} to {ends.max()}, and there are {n}")
    if weights is not None:
        weights = _stored(np.asarray(weights).reshape(-1), ends)
        if len(weights) != len(ends):
            raise ValueError(f"{len(weights)} weights are given for {len(ends)} edges")
    sources, targets = ends[:, 0].astype(np.uint64), ends[:, 1].astype(np.uint64)
    proper = sources != targets
    if not proper.all():
        sources, targets = sources[proper], targets[proper]
        weights = None if weights is None else weights[proper]
    count = len(sources)
    keys = np.empty(2 * count, dtype=np.uint64)
    np.left_shift(sources, 32, out=keys[:count])
    keys[:count] |= targets
    np.left_shift(targets, 32, out=keys[count:])
    keys[count:] |= sources
    del sources, targets, proper
    if weights is None:
        keys.sort()
        values = None
    else:
        order = np.argsort(keys)
        keys = keys[order]
        order %= max(count, 1)
        values = weights[order]
        del order
    first = np.empty(len(keys), dtype=bool)
    first[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    if not first.all():
        # Of repeats the greatest weight counts.
        values = None if values is None else np.maximum.reduceat(values, np.flatnonzero(first))
        keys = keys[first]
    offsets = np.searchsorted(keys, np.arange(1, n + 1, dtype=np.uint64) << np.uint64(32)) if n > 0 else np.empty(0)
    _write_csr(path, offsets, keys.astype(np.uint32), values)


def _write_csr(path, ends, targets, values):
    """Writes arcs that are in order: where each list ends, the neighbours, and their weights or None."""
    with open(path, "wb") as file:
        np.array([1, 0 if values is None else 4, len(ends), len(targets)], dtype="<u8").tofile(file)
        np.asarray(ends).astype("<u8").tofile(file)
        np.asarray(targets).astype("<u4", copy=False).tofile(file)
        if len(targets) % 2:
            np.zeros(1, dtype="<u4").tofile(file)
        if values is not None:
            values.astype("<f4", copy=False).tofile(file)


def _values(path, nodes, named, of_nodes):
    """Of lines of a vertex, a tab and its value, which is empty where it has none."""
    with open(path, encoding="ascii") as file:
        words = [line.rstrip("\n").partition("\t")[2] for line in file]
    if not named:
        return np.array([int(word or -1) for word in words], dtype=np.int64)
    values = [int(word) if word else None for word in words]
    return dict(zip(nodes, [None if v is None else nodes[v] for v in values] if of_nodes else values))


def _read(graph, rule, compares):
    """Edges of shape (m, 2), weights or None, the nodes (a range of numbers, or a list of what they are called), and arcs in order or None."""
    if rule is not None and rule not in _WEIGHT_RULES:
        raise ValueError(f"weight_rule is one of {', '.join(_WEIGHT_RULES)}, and not {rule!r}")
    if isinstance(graph, np.ndarray) and graph.ndim == 2:
        graph = _Dense(graph)
    if hasattr(graph, "tocoo"):  # scipy.sparse
        if graph.shape[0] != graph.shape[1]:
            raise ValueError(f"a matrix of {graph.shape[0]} x {graph.shape[1]} is no graph")
        if np.iscomplexobj(graph):
            graph = abs(graph)
        nodes = range(graph.shape[0])
        arcs = _canonical_arcs(graph, rule or "absolute")
        if arcs is not None:
            return None, None, nodes, arcs
        matrix = graph.tocoo()
        there = matrix.data != 0
        edges = np.stack([matrix.row[there], matrix.col[there]], axis=1)
        values = None if matrix.data.dtype == bool else matrix.data[there]
        return *_weighed(edges, values, rule or "absolute", compares), nodes, None
    rule = rule or "reject"
    if hasattr(graph, "vcount"):  # igraph
        weights = graph.es["weight"] if "weight" in graph.es.attributes() else None
        edges = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
        return *_weighed(edges, weights, rule, compares), range(graph.vcount()), None
    if hasattr(graph, "adjacency"):  # NetworkX
        nodes = list(graph.nodes)
        number = {node: v for v, node in enumerate(nodes)}
        triples = list(graph.edges(data="weight"))
        edges = np.array([(number[u], number[v]) for u, v, _ in triples], dtype=np.int64).reshape(-1, 2)
        given = [weight for _, _, weight in triples]
        has = [weight is not None for weight in given]
        weights = [1 if weight is None else weight for weight in given] if any(has) else None
        return *_weighed(edges, weights, rule, compares), nodes, None
    if isinstance(graph, tuple) and len(graph) in (2, 3):
        weights = graph[2] if len(graph) == 3 else None
        return *_weighed(np.asarray(graph[1]).reshape(-1, 2), weights, rule, compares), range(graph[0]), None
    raise TypeError(f"{type(graph).__name__} is no graph: give a matrix, a NetworkX or igraph graph, or (n, edges)")


class _Dense:
    """A square array of NumPy, whose entries that are not zero are edges."""

    def __init__(self, array):
        self.shape = array.shape
        self.dtype = array.dtype
        self._array = array

    def tocoo(self):
        self.row, self.col = np.nonzero(self._array)
        self.data = self._array[self.row, self.col]
        return self

    def __abs__(self):
        return _Dense(abs(self._array))


def _canonical_arcs(matrix, rule):
    """Of a CSR matrix that is symmetric, in order and without loops: its arcs as they are. None for others, which are sorted."""
    if getattr(matrix, "format", None) != "csr" or rule != "absolute" or matrix.nnz == 0:
        return None
    if not matrix.has_canonical_format or not matrix.data.all() or matrix.diagonal().any():
        return None
    other = matrix.T.tocsr()
    other.sort_indices()
    if not (np.array_equal(matrix.indptr, other.indptr) and np.array_equal(matrix.indices, other.indices)):
        return None
    if matrix.data.dtype == bool:
        return matrix.indptr[1:], matrix.indices, None
    size, mirrored = np.abs(matrix.data), np.abs(other.data)
    if not np.array_equal(size, mirrored):
        return None
    values = _stored(size)
    return matrix.indptr[1:], matrix.indices, None if (values == 1).all() else values


def _weighed(edges, values, rule, compares):
    """Edges and weights by a rule of the command line. No weights where all are 1, or none can be stored and nothing compares them."""
    if values is None:
        return edges, None
    values = np.asarray(values)
    if values.dtype.kind not in "biuf":
        values = values.astype(np.float64)
    if rule == "absolute":
        values = np.abs(values)
    elif rule == "drop":
        edges, values = edges[values > 0], values[values > 0]
    elif rule == "shift" and values.size and values.min() <= 0:
        values = values - values.min() + 1
    try:
        values = _stored(values, edges)
    except ValueError:
        if compares:
            raise
        return edges, None
    return edges, None if values.size == 0 or (values == 1).all() else values


def _stored(values, edges=None):
    """Weights as the program stores them: finite 32-bit floats above zero. Raises ValueError that names the first other one."""
    with np.errstate(over="ignore"):
        stored = values.astype(np.float32)
    wrong = ~(np.isfinite(stored) & (values > 0))
    if not wrong.any():
        return np.maximum(stored, np.float32(2.0**-149))
    at = int(np.argmax(wrong))
    value = float(values[at])
    place = "" if edges is None else f" of the edge between {int(edges[at][0])} and {int(edges[at][1])}"
    why = "is past the range of 32-bit floats" if np.isfinite(value) and value > 0 else "is not finite and greater than zero"
    others = int(wrong.sum()) - 1
    first = f", the first of {others + 1}" if others else ""
    remedy = "" if value > 0 or not np.isfinite(value) else ' Say weight_rule="absolute", "drop" or "shift".'
    raise ValueError(f"the weight {value:g}{place} {why}{first}.{remedy}")


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
            words.append(",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value))
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


def _imported(call, path, name, weighted):
    """The dataset of a library that was made of such a file: the one with its checksum, else a new one."""
    with open(path, "rb") as file:
        checksum = _sha256(file)
    datasets = _answer([*call, "datasets"])["datasets"]
    for dataset in datasets:
        if dataset["report"]["sourceSha256"] == checksum and dataset["weighted"] == weighted:
            return dataset["name"]
    taken = {dataset["name"] for dataset in datasets}
    new = name if name and name not in taken else f"{name or 'graph'}-{checksum[:12]}"
    return _answer([*call, "import", path, "--name", new])["dataset"]["name"]


def _is_weighted(path):
    return np.fromfile(path, dtype="<u8", count=2)[1] != 0


def _sha256(file):
    digest = hashlib.sha256()
    while chunk := file.read(1 << 20):
        digest.update(chunk)
    return digest.hexdigest()


def _answer(words):
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except OSError as error:
        remedy = "Give command= or ANTICLIQUE_COMMAND the program that runs Anticlique."
        raise AnticliqueError({"where": words[0], "what": f"the command cannot be started: {error}", "remedy": remedy}) from error
    try:
        document = json.loads(done.stdout.decode("utf-8"))
    except ValueError:
        document = {"error": {"what": done.stderr.decode("utf-8", "replace").strip() or f"ended with {done.returncode}"}}
    if "error" in document:
        raise AnticliqueError(document["error"])
    if done.returncode != 0:
        raise AnticliqueError({"what": done.stderr.decode("utf-8", "replace").strip()})
    return document
