"""A backend of NetworkX (3.2 and newer): nx.maximal_independent_set(G, backend="anticlique"), by one session for the whole program.

It serves the functions whose contract the program meets, for undirected graphs; what it cannot prove NetworkX computes itself. Every
answer was verified by the program. _nx_anticlique.py lists the functions for the import of NetworkX.
"""

from __future__ import annotations

import atexit
import math
from collections.abc import Iterator
from typing import Any

import networkx as nx

from ._session import Session

# Whole numbers up to this are exact, and so are their differences.
_MOST_EXACT = 2**52
# Below so many edges NetworkX is done before a row is sent.
_FEW_EDGES = 1000

_session: Session | None = None


def _shared() -> Session:
    global _session
    if _session is None:
        _session = Session()
        atexit.register(_session.close)
    return _session


class Graph:
    """A graph of NetworkX as this backend takes it: itself."""

    __networkx_backend__ = "anticlique"

    def __init__(self, graph: Any) -> None:
        self.graph = graph

    def is_directed(self) -> bool:
        return bool(self.graph.is_directed())

    def is_multigraph(self) -> bool:
        return bool(self.graph.is_multigraph())


def convert_from_nx(graph: Any, *args: Any, **options: Any) -> Graph:
    """NetworkX keeps what this returns until the graph is changed."""
    return graph if isinstance(graph, Graph) else Graph(graph)


def convert_to_nx(result: Any, *args: Any, **options: Any) -> Any:
    """Results are sets, lists and dicts already."""
    return result.graph if isinstance(result, Graph) else result


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Whether the function is served for such a graph, or why not."""
    graph = args[0] if args else kwargs.get("G")
    if graph is not None and graph.is_directed():
        return "arcs would be taken as edges"
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Whether it is worth it where nobody asked for this backend by name."""
    graph = args[0] if args else kwargs.get("G")
    graph = graph.graph if isinstance(graph, Graph) else graph
    return True if graph is None or graph.number_of_edges() >= _FEW_EDGES else "NetworkX is faster on small graphs"


def _plain(graph: Any) -> Any:
    """Its nodes and edges without weights, in the order of its nodes."""
    plain = nx.Graph()
    plain.add_nodes_from(graph)
    plain.add_edges_from(graph.edges())
    return plain


def _undirected(graph: Any) -> Any:
    found = graph.graph if isinstance(graph, Graph) else graph
    if found.is_directed():
        raise NotImplementedError("arcs would be taken as edges")
    return found


def _run(graph: Any, algorithm: str, **options: Any) -> Any:
    return _shared().run(graph, algorithm, **options)


def maximal_independent_set(G: Any, nodes: Any = None, seed: Any = None) -> list[Any]:
    graph = _undirected(G)
    kept = set(nodes) if nodes else set()
    if not kept <= set(graph):
        raise nx.NetworkXUnfeasible(f"{kept} is not a subset of the nodes of G")
    if any(set(graph[node]) & kept for node in kept):
        raise nx.NetworkXUnfeasible(f"{kept} is not an independent set of G")
    if graph.number_of_edges() == 0:
        # Nothing is left to compute but the order, which NetworkX draws.
        return list(nx.maximal_independent_set(graph, nodes, seed, backend="networkx"))
    number = seed.randrange(2**32) if hasattr(seed, "randrange") else nx.utils.create_py_random_state(seed).randrange(2**32)
    return list(_run(_plain(graph), "ecl-mis", priority="hash", seed=number, keep=list(kept) or None).value)


def maximal_matching(G: Any) -> set[Any]:
    return set(_run(_plain(_undirected(G)), "ld-gpu", weights="unit").value)


def max_weight_matching(G: Any, maxcardinality: bool = False, weight: str = "weight") -> set[Any]:
    graph = _undirected(G)
    found = _best(graph, "pairs" if maxcardinality else "weight", weight)
    return nx.max_weight_matching(graph, maxcardinality, weight, backend="networkx") if found is None else found


def min_weight_matching(G: Any, weight: str = "weight") -> set[Any]:
    graph = _undirected(G)
    found = _best(graph, "cost", weight)
    return nx.min_weight_matching(graph, weight, backend="networkx") if found is None else found


def _best(graph: Any, objective: str, weight: str) -> set[Any] | None:
    """The best matching with its proof; None where there is none, or where 64-bit floats do not hold the weights."""
    edges = [(u, v, w) for u, v, w in graph.edges(data=weight, default=1) if u != v]
    weights = [w for _, _, w in edges]
    if not all(type(w) in (int, float) and math.isfinite(w) and (type(w) is float or abs(w) < _MOST_EXACT) for w in weights):
        return None
    if objective == "weight":
        edges = [edge for edge in edges if edge[2] > 0]
    elif weights and min(weights) <= 0:
        # As many pairs in any case: each may weigh as much more.
        if not all(type(w) is int for w in weights):
            return None
        less = min(weights) - 1
        edges = [(u, v, w - less) for u, v, w in edges]
    if not edges:
        return set()
    plain = nx.Graph()
    plain.add_nodes_from(graph)
    plain.add_weighted_edges_from(edges)
    result = _run(plain, "ld-gpu", quality="best", objective=objective)
    figures = result.document["counters"]
    bound = figures.get("matchingBound" if objective == "weight" else "weightBound")
    isproved = result.verified and bound == result.weight and figures.get("pairsBound", result.size) == result.size
    return set(result.value) if isproved else None


def core_number(G: Any) -> dict[Any, int]:
    graph = _undirected(G)
    if nx.number_of_selfloops(graph) > 0:
        raise nx.NetworkXNotImplemented("Input graph has self loops which is not permitted; Consider using G.remove_edges_from(nx.selfloop_edges(G)).")
    return dict(_run(_plain(graph), "k-core").value)


def connected_components(G: Any) -> Iterator[set[Any]]:
    found: dict[int, set[Any]] = {}
    for node, component in _run(_plain(_undirected(G)), "connected-components").value.items():
        found.setdefault(component, set()).add(node)
    yield from found.values()


def number_connected_components(G: Any) -> int:
    return sum(1 for _ in connected_components(G))


def is_connected(G: Any) -> bool:
    if len(_undirected(G)) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_connected_components(G) == 1


def node_connected_component(G: Any, n: Any) -> set[Any]:
    return set(single_source_shortest_path_length(G, n))


def single_source_shortest_path_length(G: Any, source: Any, cutoff: float | None = None) -> dict[Any, int]:
    graph = _undirected(G)
    if source not in graph:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    most = math.inf if cutoff is None else cutoff
    levels = _run(_plain(graph), "bfs", root=source).value
    reached = [(node, level) for node, level in levels.items() if level is not None and level <= most]
    return dict(sorted(reached, key=lambda one: one[1]))
