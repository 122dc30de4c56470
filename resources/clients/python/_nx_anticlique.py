"""What NetworkX asks when it is imported, without loading NumPy: which of its functions the package anticlique computes. See anticlique/_networkx.py."""

from __future__ import annotations

from typing import Any

FUNCTIONS = {
    "connected_components": "By labels of components; sets in the order of their first nodes.",
    "core_number": "Undirected graphs.",
    "is_connected": "By labels of components.",
    "max_weight_matching": "Proved to be the heaviest; NetworkX computes the graphs whose proof is missing, or whose weights 64-bit floats do not hold.",
    "maximal_independent_set": "The one of a seed that is drawn from the generator.",
    "maximal_matching": "Locally dominant by a hash of the edges.",
    "min_weight_matching": "As max_weight_matching, of as many pairs as there can be the cheapest.",
    "node_connected_component": "By a search.",
    "number_connected_components": "By labels of components.",
    "single_source_shortest_path_length": "Undirected graphs.",
}


def info() -> dict[str, Any]:
    """The entry point networkx.backend_info."""
    return {
        "backend_name": "anticlique",
        "project": "anticlique",
        "package": "anticlique",
        "url": "https://anticlique.github.io",
        "short_summary": "Maximal independent sets, matchings, cores and components by one engine on processors and GPUs, verified",
        "functions": {name: {"additional_docs": text} for name, text in FUNCTIONS.items()},
    }
