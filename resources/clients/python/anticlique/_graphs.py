"""What people call a graph, as edges from 0: matrices of SciPy and NumPy, graphs of NetworkX and igraph, tables of pandas and polars, arrays and tuples.

A canonical CSR matrix keeps its arcs, and is not sorted. Weights stay the 64-bit floats that they are. _arcs.py writes the file, _runs.py and
_session.py send it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ._arcs import checked

# Algorithms that compare or add the weights of edges; others do without those that cannot be stored.
WEIGHING = frozenset(("ld-gpu", "b-suitor", "mis2-aggregates", "spin-glass"))
WEIGHT_RULES = ("reject", "absolute", "drop", "shift")
# The names of source, target and weight in a table, of which the third is that of the weight in graphs of NetworkX and igraph, too.
Columns = Sequence[str]
USUAL_COLUMNS = ("source", "target", "weight")


class Read(NamedTuple):
    """A graph as edges of shape (m, 2), or as arcs in order: where each list ends, the neighbours, their weights."""

    edges: Any
    weights: Any
    #: What vertices are called: numbers from 0, or a list.
    nodes: Sequence[Any]
    arcs: tuple[Any, Any, Any] | None = None


def read(graph: Any, rule: str | None, compares: bool, columns: Columns | None = None) -> Read:
    """The edges of a graph. Raises TypeError for what is none, ValueError for edges and weights that cannot be."""
    if rule is not None and rule not in WEIGHT_RULES:
        raise ValueError(f"weight_rule is one of {', '.join(WEIGHT_RULES)}, and not {rule!r}")
    if columns is not None and len(columns) not in (2, 3):
        raise ValueError(f"columns names source, target and perhaps weight, and has {len(columns)} names")
    if isinstance(graph, np.ndarray) and graph.ndim == 2:
        if graph.shape[1] == 2 and graph.shape[0] != 2:
            return Read(np.asarray(graph), None, range(int(graph.max(initial=-1)) + 1))
        graph = _Dense(graph)
    if hasattr(graph, "columns") and hasattr(graph, "shape"):  # pandas, polars
        return _frame(graph, rule or "reject", compares, columns)
    if hasattr(graph, "tocoo"):  # scipy.sparse
        return _matrix(graph, rule or "absolute", compares)
    rule = rule or "reject"
    weight = columns[2] if columns is not None and len(columns) == 3 else "weight"
    if hasattr(graph, "vcount"):  # igraph
        weights = graph.es[weight] if weight in graph.es.attributes() else None
        edges = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
        return _weighed(edges, weights, range(graph.vcount()), rule, compares)
    if hasattr(graph, "adjacency") and hasattr(graph, "nodes"):  # NetworkX
        return _networkx(graph, rule, compares, weight)
    if isinstance(graph, tuple) and len(graph) in (2, 3):
        weights = graph[2] if len(graph) == 3 else None
        return _weighed(np.asarray(graph[1]).reshape(-1, 2), weights, range(graph[0]), rule, compares)
    raise TypeError(f"{type(graph).__name__} is no graph: give a matrix, a table, a NetworkX or igraph graph, or (n, edges)")


def _networkx(graph: Any, rule: str, compares: bool, weight: str) -> Read:
    nodes = list(graph.nodes)
    neighbours: list[Any] = []
    degrees: list[int] = []
    hasdata = False
    for _, beside in graph.adjacency():
        neighbours.extend(beside)
        degrees.append(len(beside))
        hasdata = hasdata or any(beside.values())
    number = None
    if nodes and (nodes != list(range(len(nodes))) or type(nodes[0]) is not int):
        number = {node: v for v, node in enumerate(nodes)}
    if hasdata:
        return _networkx_weighed(graph, nodes, number, rule, compares, weight)
    targets = np.array(neighbours if number is None else list(map(number.__getitem__, neighbours)), dtype=np.int64)
    edges = np.stack([np.repeat(np.arange(len(nodes)), degrees), targets], axis=1)
    # Each edge of an undirected graph is among the neighbours of both of its ends.
    return Read(edges if graph.is_directed() else edges[edges[:, 0] <= edges[:, 1]], None, nodes)


def _networkx_weighed(graph: Any, nodes: list[Any], number: dict[Any, int] | None, rule: str, compares: bool, weight: str) -> Read:
    """The same of a graph whose edges have data: perhaps weights."""
    sources: Sequence[Any]
    targets: Sequence[Any]
    sources, targets, given = zip(*graph.edges(data=weight))
    if number is not None:
        sources, targets = [number[node] for node in sources], [number[node] for node in targets]
    edges = np.array((sources, targets), dtype=np.int64).T
    if given.count(None) == len(given):
        return Read(edges, None, nodes)
    return _weighed(edges, [1 if one is None else one for one in given], nodes, rule, compares)


def _matrix(matrix: Any, rule: str, compares: bool) -> Read:
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a matrix of {matrix.shape[0]} x {matrix.shape[1]} is no graph")
    if np.iscomplexobj(matrix):
        matrix = abs(matrix)
    nodes = range(matrix.shape[0])
    arcs = _canonical_arcs(matrix, rule, compares)
    if arcs is not None:
        return Read(None, None, nodes, arcs)
    entries = matrix.tocoo()
    there = entries.data != 0
    edges = np.stack([entries.row[there], entries.col[there]], axis=1)
    values = None if entries.data.dtype == bool else entries.data[there]
    return _weighed(edges, values, nodes, rule, compares)


def _frame(table: Any, rule: str, compares: bool, columns: Columns | None) -> Read:
    """The rows of a table, by the named columns, else `source` and `target`, else the first two; weights where there is that column."""
    names = list(table.columns)
    source, target, weight = (*(columns or USUAL_COLUMNS), "weight")[:3]
    if columns is None and len(names) > 1 and not {source, target} <= set(names):
        source, target = names[:2]
    needed = [source, target] if columns is None else columns
    missing = [name for name in needed if name not in names]
    if missing:
        raise ValueError(f"the table has no column {missing[0]!r}; it has {', '.join(map(str, names))}. Say columns=(source, target, weight).")
    ends = [_ids(name, np.asarray(table[name].to_numpy())) for name in (source, target)]
    if all(values.dtype.kind in "iu" for values in ends):
        ids, places = np.unique(np.concatenate(ends), return_inverse=True)
        nodes = ids.tolist()
    else:
        number: dict[Any, int] = {}
        texts = np.concatenate([values.astype(object) for values in ends]).tolist()
        places = np.array([number.setdefault(one, len(number)) for one in texts], dtype=np.int64)
        nodes = list(number)
    edges = places.reshape(2, -1).T
    weights = np.asarray(table[weight].to_numpy(), dtype=np.float64) if weight in names else None
    return _weighed(edges, weights, nodes, rule, compares)


def _ids(name: str, values: Any) -> Any:
    """The cells of a column. Raises ValueError where some are empty."""
    empty = sum(v is None or v != v for v in values.tolist()) if values.dtype.kind in "OfM" else 0
    if empty:
        raise ValueError(f"{empty} cells of the column {name!r} are empty")
    return values


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


def _canonical_arcs(matrix: Any, rule: str, compares: bool) -> tuple[Any, Any, Any] | None:
    """The arcs of a CSR matrix that is symmetric, in order and without loops, as they are. None for others, which are sorted."""
    if getattr(matrix, "format", None) != "csr" or rule != "absolute" or matrix.nnz == 0:
        return None
    if not matrix.has_canonical_format or not matrix.data.all() or matrix.diagonal().any():
        return None
    mirrored = matrix.T.tocsr()
    if not (np.array_equal(matrix.indptr, mirrored.indptr) and np.array_equal(matrix.indices, mirrored.indices)):
        return None
    values = matrix.data
    if values.dtype == bool:
        return matrix.indptr[1:], matrix.indices, None
    if values.min() < 0:
        values, mirrored.data = np.abs(values), np.abs(mirrored.data)
    if not np.array_equal(values, mirrored.data):
        return None
    del mirrored
    return matrix.indptr[1:], matrix.indices, _usable(values, None, compares)


def _weighed(edges: Any, values: Any, nodes: Sequence[Any], rule: str, compares: bool) -> Read:
    """Edges with weights by a rule of the command line."""
    if values is None:
        return Read(edges, None, nodes)
    values = np.asarray(values)
    if values.dtype.kind not in "biuf":
        values = values.astype(np.float64)
    if len(values) != len(edges):
        raise ValueError(f"{len(values)} weights are given for {len(edges)} edges")
    if rule == "absolute":
        values = np.abs(values)
    elif rule == "drop":
        edges, values = edges[values > 0], values[values > 0]
    elif rule == "shift" and values.size and values.min() <= 0:
        values = values - values.min() + 1
    return Read(edges, _usable(values, edges, compares), nodes)


def _usable(values: Any, edges: Any, compares: bool) -> Any:
    """Weights; None where all are 1, or where some cannot be used and nothing compares them. Raises ValueError."""
    if values.size == 0 or (values == 1).all():
        return None
    try:
        return checked(values, edges)
    except ValueError:
        if compares:
            raise
        return None
