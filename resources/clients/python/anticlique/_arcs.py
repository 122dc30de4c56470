"""Edges as a canonical Galois file: both arcs of each edge, every list ascending, no loops and no repeats.

Ends and places are sorted together as keys of 64 bits, the end above the place, so that nothing but plain arrays of whole numbers is sorted and
weights follow by their places (sorting by digits, the last one first). With NumPy 2 five million edges take 0.6 s and 140 MB beside
them, weighted ones 1.3 s and 330 MB. A canonical CSR matrix of SciPy is written as it is, by write_arcs.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

MOST_VERTICES = 2**32 - 2


def write_gr(path: str | os.PathLike[str], n: int, edges: Any, weights: Any = None) -> None:
    """Writes a canonical Galois binary file (version 1): both arcs of every edge, no loops, neighbours ascending and once.

    edges: integers of shape (m, 2), from 0 to n - 1, in any order and direction. weights: m numbers above zero; of an edge that is repeated the
    greatest counts. They are written as 32-bit floats where all of them are such, and else as 64-bit floats: none is rounded.
    """
    if not 0 <= n <= MOST_VERTICES:
        raise ValueError(f"a graph has at most {MOST_VERTICES} vertices, and this one would have {n}")
    given = np.asarray(edges).reshape(-1, 2)
    ends = given.astype(np.int64, copy=False)
    if ends is not given and (ends != given).any():
        raise ValueError(f"ends of edges are whole numbers, and one is {given[ends != given][0]}")
    if ends.size and (ends.min() < 0 or ends.max() >= n):
        raise ValueError(f"edges name vertices from {ends.min()} to {ends.max()}, and there are {n}")
    if len(ends) >= 2**32:
        raise ValueError(f"{len(ends)} edges are more than one array may have here: write a file of text, and import it")
    if weights is not None:
        weights = checked(np.asarray(weights).reshape(-1), ends)
        if len(weights) != len(ends):
            raise ValueError(f"{len(weights)} weights are given for {len(ends)} edges")
    write_arcs(path, *_arcs(n, ends, weights))


def write_arcs(path: str | os.PathLike[str], ends: Any, targets: Any, values: Any) -> None:
    """Writes arcs that are in order: where each list ends, the neighbours, and their weights or None."""
    kept = None if values is None else _narrow(values)
    with open(path, "wb") as file:
        np.array([1, 0 if kept is None else kept.itemsize, len(ends), len(targets)], dtype="<u8").tofile(file)
        np.asarray(ends).astype("<u8", copy=False).tofile(file)
        np.asarray(targets).astype("<u4", copy=False).tofile(file)
        if len(targets) % 2:
            np.zeros(1, dtype="<u4").tofile(file)
        if kept is not None:
            kept.tofile(file)


def checked(values: Any, edges: Any = None) -> Any:
    """Weights as 64-bit floats, finite and above zero. Raises ValueError that names the first other one."""
    exact = values.astype(np.float64, copy=False)
    if exact.size == 0 or (exact.min() > 0 and exact.max() < np.inf):
        return exact
    wrong = ~(np.isfinite(exact) & (exact > 0))
    at = int(np.argmax(wrong))
    value = float(exact[at])
    place = "" if edges is None else f" of the edge between {int(edges[at][0])} and {int(edges[at][1])}"
    others = int(wrong.sum()) - 1
    first = f", the first of {others + 1}" if others else ""
    remedy = ' Say weight_rule="absolute", "drop" or "shift".' if np.isfinite(value) else " Leave the edge out, or give it a number."
    raise ValueError(f"the weight {value:g}{place} is not finite and greater than zero{first}.{remedy}")


def edges_of(ends: Any, targets: Any, values: Any) -> tuple[Any, Any]:
    """The edges of arcs that are in order, each once, and their weights or None."""
    sources = np.repeat(np.arange(len(ends)), np.diff(np.concatenate([[0], ends])))
    once = sources < targets
    return np.stack([sources[once], targets[once]], axis=1), None if values is None else values[once]


def _narrow(values: Any) -> Any:
    """As 32-bit floats, where these are the same numbers; else as they are."""
    if values.dtype == np.float32:
        return values.astype("<f4", copy=False)
    with np.errstate(over="ignore"):
        narrow = values.astype("<f4")
    return narrow if np.array_equal(narrow, values) else values.astype("<f8", copy=False)


def _arcs(n: int, ends: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Where each list ends, the neighbours, and their weights or None."""
    low, high, weights = _edges_in_order(n, ends, weights)
    count = len(low)
    # The other direction: edges by their higher end, then by the lower one, or where weights follow by their place, which is the same order.
    keys = _keys(high, low if weights is None else np.arange(count, dtype=np.uint32))
    keys.sort()
    back = keys.astype(np.uint32)
    keys >>= np.uint64(32)
    sources = keys.astype(np.uint32)
    del keys
    lower, higher = _starts(n, sources), _starts(n, low)
    # The lower neighbours stand in front of the higher ones in each list.
    targets = np.empty(2 * count, dtype=np.uint32)
    values = None if weights is None else np.empty(2 * count)
    places = np.arange(count)
    places += higher[sources]
    targets[places] = back if weights is None else low[back]
    if values is not None:
        values[places] = weights[back]
    del sources, back
    places = np.arange(count)
    places += lower[1:][low]
    targets[places] = high
    if values is not None:
        values[places] = weights
    return (lower + higher)[1:], targets, values


def _starts(n: int, ascending: Any) -> Any:
    """Where the numbers from 0 to n begin in an array in order."""
    starts = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(ascending, minlength=n), out=starts[1:])
    return starts


def _edges_in_order(n: int, ends: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Lower and higher ends, ascending by both, each edge once and no loops; of repeats the greatest weight."""
    low = np.minimum(ends[:, 0], ends[:, 1]).astype(np.uint32)
    high = np.maximum(ends[:, 0], ends[:, 1]).astype(np.uint32)
    proper = low != high
    if not proper.all():
        low, high, weights = low[proper], high[proper], None if weights is None else weights[proper]
    del proper
    # The place of the lower end in a key: above the higher one.
    shift = 32
    if weights is None:
        keys = _keys(low, high)
        keys.sort()
    else:
        shift, place_bits = n.bit_length(), len(low).bit_length()
        numbers = np.arange(len(low), dtype=np.uint32)
        if 2 * shift + place_bits <= 64:
            keys = _keys(_keys(low, high, shift), numbers, place_bits)
            keys.sort()
            order = (keys & np.uint64(2**place_bits - 1)).astype(np.uint32)
            keys >>= np.uint64(place_bits)
        else:
            order = _places(high, numbers)
            order = order[_places(low[order], numbers)]
            keys = _keys(low[order], high[order], shift)
        del numbers
        weights = weights[order]
        del order
    del low, high
    first = np.empty(len(keys), dtype=bool)
    first[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    if not first.all():
        weights = None if weights is None else np.maximum.reduceat(weights, np.flatnonzero(first))
        keys = keys[first]
    high = (keys & np.uint64(2**shift - 1)).astype(np.uint32)
    keys >>= np.uint64(shift)
    return keys.astype(np.uint32), high, weights


def _places(values: Any, numbers: Any) -> Any:
    """The places of values in their order; of equal ones the first place first."""
    keys = _keys(values, numbers)
    keys.sort()
    return keys.astype(np.uint32)


def _keys(above: Any, below: Any, shift: int = 32) -> Any:
    """Keys of 64 bits with one number above another, which has as many bits at most as the shift."""
    keys = above.astype(np.uint64)
    keys <<= np.uint64(shift)
    keys |= below
    return keys
