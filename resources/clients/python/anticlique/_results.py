"""Results in the vertices of the caller's graph, with what is known of them."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


class Vertices:
    """What the vertices of a graph are called: by numbers from 0, or as the nodes of a list."""

    def __init__(self, nodes: Sequence[Any]) -> None:
        self.nodes = nodes
        self._number = {node: v for v, node in enumerate(nodes)} if isinstance(nodes, list) else None

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def are_named(self) -> bool:
        return self._number is not None

    def number(self, node: Any) -> int:
        if self._number is None:
            return int(node)
        if node not in self._number:
            raise ValueError(f"the graph has no node {node!r}")
        return self._number[node]

    def column(self, given: Any) -> list[float]:
        """A number for each vertex: in their order, or by node."""
        values = [given[node] for node in self.nodes] if self.are_named else given
        if len(values) != len(self):
            raise ValueError(f"{len(values)} values are given for {len(self)} vertices")
        return [float(value) for value in values]

    def members(self, numbers: Any) -> Any:
        found = np.asarray(numbers, dtype=np.int64)
        return [self.nodes[v] for v in found.tolist()] if self.are_named else found

    def pairs(self, numbers: Any) -> Any:
        found = np.asarray(numbers, dtype=np.int64).reshape(-1, 2)
        return [(self.nodes[u], self.nodes[v]) for u, v in found.tolist()] if self.are_named else found

    def values(self, values: Sequence[Any], of_vertices: bool) -> Any:
        """By vertex; -1, or None of nodes, where a vertex has none."""
        if not self.are_named:
            return np.array([-1 if value is None else value for value in values])
        named = [None if v is None else self.nodes[v] for v in values] if of_vertices else values
        return dict(zip(self.nodes, named))


@dataclass(frozen=True)
class Result:
    """A set, a matching, or values of vertices, in the vertices of the graph that was given."""

    #: The members of a set, the pairs of a matching, or the value of every vertex.
    value: Any
    #: What `anticlique run --json` prints, or a row of `anticlique batch`.
    document: Mapping[str, Any] = field(repr=False)

    @property
    def kind(self) -> str:
        """`independent-set`, `matching`, `b-matching` or `values`."""
        return str(self.document["result"]["kind"])

    @property
    def algorithm(self) -> str:
        return str(self.document["algorithm"])

    @property
    def size(self) -> Any:
        """Members, pairs, or the first figure of values, such as colours."""
        return self.document["result"]["pairs" if self.kind in ("matching", "b-matching") else "size"]

    @property
    def weight(self) -> float | None:
        return self.document["result"].get("weight")

    @property
    def upper_bound(self) -> float | None:
        """What no set, or no matching, exceeds; None where it was not verified."""
        return self.document.get("upperBound")

    @property
    def is_optimal(self) -> bool:
        """Whether the bound proves that there is no better one."""
        bound = self.upper_bound
        reached = self.weight if self.weight is not None else self.size
        return bound is not None and reached >= bound

    @property
    def verified(self) -> bool | None:
        return self.document.get("verified")

    @property
    def seconds(self) -> float:
        return float(self.document["time"]["totalMs"]) / 1000

    @property
    def hash(self) -> str:
        return str(self.document["result"]["hash"])

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def __contains__(self, one: object) -> bool:
        return one in self.value

    def facts(self) -> dict[str, Any]:
        """What is known of it, by name: a row of a table of results."""
        options = self.document.get("options", {})
        known = {"algorithm": self.algorithm, "size": self.size, "weight": self.weight, "upper bound": self.upper_bound}
        more = {"verified": self.verified, "seconds": self.seconds, "seed": options.get("seed"), "hash": self.hash}
        return {name: value for name, value in {**known, **more}.items() if value is not None}

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>" for name, value in self.facts().items())
        return f"<table>{rows}</table>"
