"""Independent sets, matchings and values of vertices of graphs in Python, computed by the command `anticlique`.

It needs NumPy and nothing else. Graphs are matrices of SciPy or NumPy, NetworkX or igraph graphs, tables of pandas or polars with columns `source`, `target` and
perhaps `weight`, arrays of edges, or `(n, edges)` or `(n, edges, weights)` with ends from 0:

    import anticlique
    members = anticlique.independent_set(graph)
    pairs = anticlique.matching(graph, ties="degree")
    result = anticlique.compute(graph, "colouring")          # with size, bound, time and whether it was verified
    with anticlique.Session() as session:                    # one engine for thousands of graphs
        sizes = [result.size for result in session.map(graphs)]

Options are those of `anticlique run`: `priority="hash"` is `--priority hash`, `partitions=4` is `--partitions 4`, and True is an
option without a value. `keep=` and `exclude=` take vertices, `root=` one, `column=` a number for each vertex. The command is the one that
ANTICLIQUE_COMMAND names, else the one that came with this package, else `anticlique` in PATH. Loops are left out, arcs are taken as edges, and of parallel edges the
greatest weight counts.

Every algorithm has a function with its own options in `anticlique.algorithms`. Weights are 64-bit floats above zero, compared and added as they are. As on the command line negative entries of a matrix count by their size, and its
zeros are no edges; of other graphs such weights are refused where the algorithm compares weights, unless `weight_rule=` says
`absolute`, `drop` (the edge) or `shift` (all, so that the least is 1).
"""

from __future__ import annotations

from typing import Any

from . import algorithms
from ._arcs import write_gr
from ._program import AnticliqueError
from ._results import Result
from ._runs import compute, run
from ._session import Session

__version__ = "0.1.0"
__all__ = [
    *("AnticliqueError", "Result", "Session", "algorithms", "compute", "run", "write_gr"),
    *("bfs", "colouring", "components", "core_numbers", "independent_set", "matching"),
]


def independent_set(graph: Any, *, priority: str | None = None, seed: int | None = None, quality: str | None = None, **options: Any) -> Any:
    """A maximal independent set: vertices of the graph, ascending by their number.

    priority: `degree` (the default), `hash`, `ecl`, or `column` with `column=`. seed: another one gives another set. quality: `better` or `best` (with `time=` in
    seconds) makes it larger. The result is an array of row numbers of a matrix, of vertex numbers of igraph or of `(n, edges)`, or a list of nodes of
    NetworkX or of ids of a table. It was verified by separate code.
    """
    return run(graph, **{"algorithm": "ecl-mis", "priority": priority, "seed": seed, "quality": quality, **options})[0]


def matching(graph: Any, *, ties: str | None = None, quality: str | None = None, **options: Any) -> Any:
    """A maximal matching of great weight: an array of shape (k, 2), or a list of pairs of nodes, verified.

    ties: `hash` (the default), `id` or `degree`. quality: `better` or `best` makes it heavier, or proves that it is the heaviest.
    """
    return run(graph, **{"algorithm": "ld-gpu", "ties": ties, "quality": quality, **options})[0]


def colouring(graph: Any, *, priority: str | None = None, balance: bool = False, **options: Any) -> Any:
    """A colour from 0 on for every vertex, so that no two neighbours have one: an array, or a dict by node."""
    return run(graph, **{"algorithm": "colouring", "priority": priority, "balance": balance, **options})[0]


def bfs(graph: Any, root: Any, **options: Any) -> Any:
    """The number of edges from the root to every vertex; -1, or None in a dict by node, where there is no way."""
    return run(graph, **{"algorithm": "bfs", "root": root, **options})[0]


def components(graph: Any, **options: Any) -> Any:
    """A number for every vertex, the same in one connected component."""
    return run(graph, **{"algorithm": "connected-components", **options})[0]


def core_numbers(graph: Any, **options: Any) -> Any:
    """The core number of every vertex."""
    return run(graph, **{"algorithm": "k-core", **options})[0]
