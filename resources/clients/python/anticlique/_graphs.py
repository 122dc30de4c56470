"""What people call a graph, as edges, and as a canonical Galois file.

Matrices of SciPy and NumPy, graphs of NetworkX and igraph, tables of pandas and polars, and `(n, edges, weights)` become ends of edges from 0. A file is made by one sort of
keys of 64 bits, the source above the target: 5 million edges take 0.6 s and 163 MB. A canonical CSR matrix is not sorted.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

# Algorithms that compare or add the weights of edges; others do without those that cannot be stored.
WEIGHING = frozenset(("ld-gpu", "mis2-aggregates", "spin-glass"))
WEIGHT_RULES = ("reject", "absolute", "drop", "shift")
# The names of the columns of a table.
Columns = tuple[str, str, str]
# Where each list ends, the neighbours, their weights or None.
Arcs = tuple[Any, Any, Any]
# Edges of shape (m, 2), weights or None, what vertices are called, and arcs in place of edges or None.
Read = tuple[Any, Any, Sequence[Any], "Arcs | None"]


def read(graph: Any, rule: str | None, compares: bool, columns: Columns = ("source", "target", "weight")) -> Read:
    """Edges of shape (m, 2), weights or None, the nodes (a range of numbers, or a list of what they are called), and arcs in order or None."""
    if rule is not None and rule not in WEIGHT_RULES:
        raise ValueError(f"weight_rule is one of {', '.join(WEIGHT_RULES)}, and not {rule!r}")
    if isinstance(graph, np.ndarray) and graph.ndim == 2:
        if graph.shape[1] == 2 and graph.shape[0] != 2:
            return np.asarray(graph), None, range(int(graph.max(initial=-1)) + 1), None
        graph = _Dense(graph)
    if hasattr(graph, "columns") and hasattr(graph, "shape"):  # pandas, polars
        return *_frame(graph, rule or "reject", compares, columns), None
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


def _frame(table: Any, rule: str, compares: bool, columns: Columns) -> tuple[Any, Any, list[Any]]:
    """Edges of the rows of a table, by the named columns, else its first two; weights where there is that column."""
    names = list(table.columns)
    source, target, weight = columns
    if source not in names or target not in names:
        if len(names) < 2 or (source, target) != ("source", "target"):
            raise ValueError(f"the table has no columns {source!r} and {target!r}; it has {', '.join(map(str, names))}")
        source, target = names[0], names[1]
    ends = [np.asarray(table[name].to_numpy()) for name in (source, target)]
    for name, values in zip((source, target), ends):
        missing = [v for v in values.tolist() if v is None or v != v] if values.dtype.kind in "Of" else []
        if missing:
            raise ValueError(f"{len(missing)} cells of the column {name!r} are empty")
    if ends[0].dtype.kind in "iu" and ends[1].dtype.kind in "iu":
        both = np.concatenate(ends)
    else:
        both = np.concatenate([values.astype(object) for values in ends])
    nodes, places = _numbered(both)
    edges = np.stack([places[: len(ends[0])], places[len(ends[0]) :]], axis=1)
    values = np.asarray(table[weight].to_numpy(), dtype=np.float64) if weight in names else None
    return *_weighed(edges, values, rule, compares), nodes


def _numbered(ids: Any) -> tuple[list[Any], Any]:
    """What ids there are, ascending where they can be compared, and the place of each."""
    if ids.dtype.kind in "iu":
        found, places = np.unique(ids, return_inverse=True)
        return found.tolist(), places
    number: dict[Any, int] = {}
    places = np.array([number.setdefault(one, len(number)) for one in ids.tolist()], dtype=np.int64)
    return list(number), places


class _Dense:
    """A square array of NumPy, whose entries that are not zero are edges."""

    def __init__(self, array: Any) -> None:
        self.shape = array.shape
        self.dtype = array.dtype
        self._array = array

    def tocoo(self) -> _Dense:
        self.row, self.col = np.nonzero(self._array)
        self.data = self._array[self.row, self.col]
        return self

    def __abs__(self) -> _Dense:
        return _Dense(abs(self._array))


def _canonical_arcs(matrix: Any, rule: str) -> Arcs | None:
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


def _weighed(edges: Any, values: Any, rule: str, compares: bool) -> tuple[Any, Any]:
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


def _stored(values: Any, edges: Any = None) -> Any:
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


def write_gr(path: str | os.PathLike[str], n: int, edges: Any, weights: Any = None) -> None:
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
    write_arcs(path, offsets, keys.astype(np.uint32), values)


def write_arcs(path: str | os.PathLike[str], ends: Any, targets: Any, values: Any) -> None:
    """Writes arcs that are in order: where each list ends, the neighbours, and their weights or None."""
    with open(path, "wb") as file:
        np.array([1, 0 if values is None else 4, len(ends), len(targets)], dtype="<u8").tofile(file)
        np.asarray(ends).astype("<u8").tofile(file)
        np.asarray(targets).astype("<u4", copy=False).tofile(file)
        if len(targets) % 2:
            np.zeros(1, dtype="<u4").tofile(file)
        if values is not None:
            values.astype("<f4", copy=False).tofile(file)
