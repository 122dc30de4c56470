"""Results in the vertices of the caller's graph, with what is known of them."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# The value of a vertex that has none, in files.
_NO_VALUE = 2**32 - 1


class Vertices:
    """What the vertices of a graph are called: by numbers from 0, or as the nodes of a list."""

    def __init__(self, nodes: Sequence[Any]) -> None:
        self.nodes = nodes
        self._numbers: dict[Any, int] | None = None

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def are_named(self) -> bool:
        return isinstance(self.nodes, list)

    def number(self, node: Any) -> int:
        if not self.are_named:
            return int(node)
        if self._numbers is None:
            self._numbers = {one: v for v, one in enumerate(self.nodes)}
        if node not in self._numbers:
            raise ValueError(f"the graph has no node {node!r}")
        return self._numbers[node]

    def column(self, given: Any) -> list[float]:
        """A number for each vertex: in their order, or by node."""
        values = [given[node] for node in self.nodes] if self.are_named else given
        if len(values) != len(self):
            raise ValueError(f"{len(values)} values are given for {len(self)} vertices")
        return [float(value) for value in values]

    def members(self, numbers: Any) -> Any:
        if self.are_named:
            return [self.nodes[v] for v in _listed(numbers)]
        return np.asarray(numbers, dtype=np.int64)

    def pairs(self, numbers: Any) -> Any:
        if self.are_named:
            return [(self.nodes[u], self.nodes[v]) for u, v in _listed(numbers)]
        return np.asarray(numbers, dtype=np.int64).reshape(-1, 2)

    def values(self, numbers: Any, algorithm: str) -> Any:
        """By vertex, of an array of whole numbers; -1, or None of nodes, where a vertex has none."""
        if algorithm == "spin-glass":
            numbers = 2 * numbers - 1
        if not self.are_named:
            return numbers
        hasnone = algorithm in ("bfs", "bfs-tree")
        of = self.nodes if algorithm == "bfs-tree" else None
        named = [None if hasnone and v < 0 else v if of is None else of[v] for v in numbers.tolist()]
        return dict(zip(self.nodes, named))


def _listed(numbers: Any) -> Any:
    return numbers if isinstance(numbers, list) else numbers.tolist()


def pairs_of_groups(groups: Any) -> Any:
    """Pairs, by the group that each vertex is in: two that are matched share one. Ascending by the smaller vertex."""
    order = np.argsort(groups, kind="stable")
    first = np.flatnonzero(groups[order][1:] == groups[order][:-1])
    pairs = np.stack([order[first], order[first + 1]], axis=1)
    return pairs[np.argsort(pairs[:, 0])]


def words_as_values(words: Any) -> Any:
    """Values of a file, -1 where a vertex has none."""
    values = words.astype(np.int64)
    values[values == _NO_VALUE] = -1
    return values


@dataclass(frozen=True)
class Result:
    """A set, a matching, or values of vertices, in the vertices of the graph that was given."""

    #: The members of a set, the pairs of a matching, or the value of every vertex.
    value: Any
    #: What `anticlique run --json` prints, or a row of `anticlique batch`.
    document: Mapping[str, Any] = field(repr=False)
    #: The record, which repeats the run where `library=` or `output=` kept its graph; None of a session.
    record: Mapping[str, Any] | None = field(default=None, repr=False)

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
        """What a matching weighs, or a set of weighted vertices; else None."""
        weight = self.document["result"].get("weight")
        return None if weight is None else float(weight)

    @property
    def upper_bound(self) -> float | None:
        """What no set, or no matching, exceeds; None where it was not verified."""
        bound = self.document.get("upperBound")
        return None if bound is None else float(bound)

    @property
    def is_optimal(self) -> bool:
        """Whether the bound proves that there is no better one."""
        bound = self.upper_bound
        reached = self.weight if self.weight is not None else self.size
        return bound is not None and reached >= bound

    @property
    def verified(self) -> bool | None:
        """Whether separate code found it right; None where it was not asked."""
        verified = self.document.get("verified")
        return None if verified is None else bool(verified)

    @property
    def seconds(self) -> float:
        """How long the computation took, without starting the program."""
        return float(self.document["time"]["totalMs"]) / 1000

    @property
    def hash(self) -> str:
        """The fingerprint that records and `anticlique rerun` compare."""
        return str(self.document["result"]["hash"])

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that it was computed with, by the names of records."""
        return dict(self.document.get("options", {}))

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def __contains__(self, one: object) -> bool:
        return one in self.value

    def facts(self) -> dict[str, Any]:
        """What is known of it, by name: a row of a table of results, such as `pandas.DataFrame(r.facts() for r in results)`."""
        known = {"algorithm": self.algorithm, "size": self.size, "weight": self.weight, "upper bound": self.upper_bound}
        more = {"verified": self.verified, "seconds": self.seconds, "seed": self.options.get("seed"), "hash": self.hash}
        return {name: value for name, value in {**known, **more}.items() if value is not None}

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>" for name, value in self.facts().items())
        return f"<table>{rows}</table>"
