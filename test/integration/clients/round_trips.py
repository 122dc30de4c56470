"""Round trips of graphs through the module, by laws that are checked here in NumPy and NetworkX alone."""

import os
import sys
import tempfile

import networkx as nx
import numpy as np
import scipy.sparse as sp

sys.path.insert(0, sys.argv[1])
import anticlique  # noqa: E402
from anticlique import _arcs, _graphs  # noqa: E402


def is_maximal_independent(graph, members):
    inside = set(members)
    assert len(inside) == len(members) > 0
    assert not any(u in inside and v in inside for u, v in graph.edges if u != v)
    assert all(v in inside or any(u in inside for u in graph[v]) for v in graph)


# A process for each call takes a second; what one session answers is read, numbered and named by the same code.
session = anticlique.Session()


def answered(graph, algorithm="ecl-mis", **options):
    result = session.run(graph, algorithm, **options)
    return result.value, result.document


def independent_set(graph, **options):
    return session.run(graph, **options).value


def matching(graph, **options):
    return session.run(graph, "ld-gpu", **options).value


checked = 0
for seed in range(2):
    run = anticlique.run if seed == 0 else answered
    graph = nx.gnp_random_graph(120, 0.05, seed=seed)
    graph.add_edge(7, 7)
    for u, v in graph.edges:
        graph[u][v]["weight"] = 1 + (u * 31 + v * 17) % 9
    named = nx.relabel_nodes(graph, lambda v: f"node {v}" if v % 2 else v)
    members, document = run(named, priority="hash")
    assert document["verified"] and document["result"]["size"] == len(members)
    is_maximal_independent(named, members)

    # The same graph as a matrix, as edges, and with its arcs in one direction gives the same set.
    matrix = nx.to_scipy_sparse_array(graph, format="csr")
    numbers, again = run(matrix, priority="hash")
    is_maximal_independent(graph, numbers.tolist())
    checked += 1
    assert again["result"] == document["result"]
    assert [list(named)[v] for v in numbers] == members
    if seed > 0:
        continue
    edges = np.array(graph.edges)[::-1, ::-1]
    assert (anticlique.independent_set((120, edges), priority="hash") == numbers).all()
    assert (independent_set(sp.triu(matrix), priority="hash") == numbers).all()

    pairs = anticlique.matching(named, ties="id")
    assert nx.is_maximal_matching(nx.Graph((u, v) for u, v in named.edges if u != v), {tuple(pair) for pair in pairs})
    rows = matching(matrix, ties="id")
    assert rows.shape == (len(pairs), 2)
    least = sum(graph[u][v]["weight"] for u, v in rows.tolist())
    best = nx.max_weight_matching(graph)
    assert 2 * least >= sum(graph[u][v]["weight"] for u, v in best)

kept = anticlique.independent_set(nx.star_graph(9), keep=[0])
assert kept == [0], kept
assert (independent_set((4, np.empty((0, 2)))) == np.arange(4)).all()
assert anticlique.independent_set((0, [])).size == 0
assert matching((3, [])).shape == (0, 2)
levels = answered((7, [[0, 1], [1, 2]]), "bfs", root=0)[0]
assert levels.tolist() == [0, 1, 2, -1, -1, -1, -1], levels

# Searches begin at a node, and miss what is not connected to it.
halves = nx.relabel_nodes(nx.disjoint_union(nx.path_graph(4), nx.path_graph(2)), {0: "start", 3: 0})
levels = nx.single_source_shortest_path_length(halves, "start")
assert answered(halves, "bfs", root="start")[0] == {node: levels.get(node) for node in halves}
assert anticlique.run(halves, "bfs-tree", root=0)[0] == {"start": 1, 1: 2, 2: 0, 0: 0, 4: None, 5: None}
plain = nx.to_scipy_sparse_array(halves)
assert answered(plain, "bfs", root=3)[0].tolist() == [3, 2, 1, 0, -1, -1]
assert answered(plain, "bfs-tree", root=3)[0].tolist() == [1, 2, 3, 3, -1, -1]

# Negative entries of a matrix count by their size, as on the command line; zeros are no edges.
laplacian = nx.laplacian_matrix(graph).astype(float)
assert (independent_set(laplacian, priority="hash") == numbers).all()
assert (matching(laplacian, ties="id") == matching(abs(laplacian), ties="id")).all()
assert (independent_set(laplacian.toarray(), priority="hash") == numbers).all()
assert (independent_set(abs(matrix).tocsr() * -1, priority="hash") == numbers).all()
# Of other graphs a rule says what becomes of them, where weights are compared.
zeros = nx.path_graph(4)
nx.set_edge_attributes(zeros, {(0, 1): 0, (1, 2): 0, (2, 3): 7}, "weight")
is_maximal_independent(zeros, independent_set(zeros))
assert matching(zeros, weight_rule="drop") == [(2, 3)]
assert matching(zeros, weight_rule="shift") == [(0, 1), (2, 3)]
# The same bytes from a canonical CSR, without a sort, as from its entries.
with tempfile.TemporaryDirectory() as folder:
    paths = [os.path.join(folder, name) for name in ("csr.gr", "coo.gr")]
    entries = sp.coo_array(laplacian)
    off = entries.row != entries.col
    lists = sp.coo_array((entries.data[off], (entries.row[off], entries.col[off])), shape=(120, 120)).tocsr()
    weighted = lists.multiply(np.arange(120)[:, None] + np.arange(120)[None, :] + 1).tocsr()
    canonical = _graphs.read(weighted, None, True).arcs
    assert canonical is not None and _graphs.read(sp.triu(weighted).tocsr(), None, True).arcs is None
    _arcs.write_arcs(paths[0], *canonical)
    entries = abs(weighted).tocoo()
    anticlique.write_gr(paths[1], 120, np.stack([entries.row, entries.col], axis=1)[::-1], entries.data[::-1])
    assert open(paths[0], "rb").read() == open(paths[1], "rb").read()
    # Files by the rules of the format alone: repeats keep the greatest weight, loops go, and no weight is rounded.
    generator = np.random.default_rng(3)
    for number in range(60):
        n = int(generator.integers(1, 50)) if number % 3 else 2**31 + 9
        ends = generator.integers(max(0, n - 40), n, (int(generator.integers(0, 200)), 2))
        given = (None, generator.random(len(ends)), generator.integers(1, 9, len(ends)).astype(np.float32))[number % 4 % 3]
        low, high, values = _arcs._edges_in_order(n, ends, given)
        most = {}
        for at, (u, v) in enumerate(ends.tolist()):
            if u != v:
                edge = (min(u, v), max(u, v))
                most[edge] = max(most.get(edge, 0), 1 if given is None else float(given[at]))
        assert list(zip(low.tolist(), high.tolist())) == sorted(most)
        assert given is None or values.tolist() == [most[edge] for edge in sorted(most)]
        if n > 50:
            continue
        anticlique.write_gr(paths[0], n, ends, given)
        head = np.fromfile(paths[0], dtype="<u8", count=4 + n)
        narrow = given is None or given.dtype == np.float32
        assert head[:4].tolist() == [1, 0 if given is None else 4 if narrow or not most else 8, n, 2 * len(most)]
        lists = [[] for _ in range(n)]
        for (u, v), weight in most.items():
            lists[u].append((v, weight))
            lists[v].append((u, weight))
        arcs = [arc for one in lists for arc in sorted(one)]
        assert head[4:].tolist() == np.cumsum([len(one) for one in lists]).tolist()
        body = open(paths[0], "rb").read()[8 * (4 + n) :]
        assert np.frombuffer(body, dtype="<u4", count=len(arcs)).tolist() == [v for v, _ in arcs]
        if given is not None:
            kind = "<f4" if head[1] == 4 else "<f8"
            assert np.frombuffer(body, dtype=kind, offset=4 * len(arcs)).tolist() == [weight for _, weight in arcs]
    # Weights that no 32-bit float tells apart, and one past their range: the heavier one counts, in a file and in a row.
    close = (4, [[0, 1], [1, 2], [2, 3]], [2.0**53 - 1, 2.0**53 - 2, 1e300])
    for pairs in (anticlique.matching((3, *(part[:2] for part in close[1:]))), session.run(close, "ld-gpu", quality="best").value):
        assert pairs.tolist() == [[0, 1], [2, 3]][: len(pairs)], pairs
    # A kept library knows the graph again, whatever the run is called, and keeps one copy.
    library = os.path.join(folder, "library")
    kept = [anticlique.run(matrix, library=library, priority="hash", name=name)[0] for name in (None, "again")]
    assert all((one == numbers).all() for one in kept)
    assert len(os.listdir(os.path.join(library, "datasets"))) == 1
    output = os.path.join(folder, "set.npy")
    saved, document = anticlique.run(matrix, priority="hash", output=output)
    assert (np.load(output) == saved).all() and os.path.exists(output + ".run.json"), document["files"]

for wrong, words in [
    (lambda: anticlique.run(halves, "bfs", root="nowhere"), "no node 'nowhere'"),
    (lambda: anticlique.independent_set(halves, keep=["nowhere"]), "no node 'nowhere'"),
    (lambda: anticlique.independent_set((3, [[0, 3]])), "from 0 to 3"),
    (lambda: anticlique.independent_set((3, [[0, 1.5]])), "one is 1.5"),
    (lambda: anticlique.matching((2, [[0, 1]], [-1])), "the weight -1 of the edge between 0 and 1"),
    (lambda: anticlique.matching((3, [[0, 1], [1, 2]], [2, np.inf])), "the weight inf of the edge between 1 and 2 is not finite"),
    (lambda: anticlique.matching((3, [[0, 1], [1, 2]], [2])), "1 weights are given for 2 edges"),
    (lambda: anticlique.matching((2, [[0, 1]], [0]), weight_rule="best"), "weight_rule is one of"),
    (lambda: anticlique.independent_set((2**33, [])), "at most 4294967294 vertices"),
    (lambda: anticlique.independent_set("a file"), "str is no graph"),
    (lambda: anticlique.independent_set((2, [[0, 1]]), priority="best"), "--priority best"),
    (lambda: anticlique.run((2, [[0, 1]]), "no-algorithm"), "and auto. See"),
    (lambda: anticlique.independent_set((2, [[0, 1]]), command="no-such-program"), "no-such-program"),
]:
    try:
        wrong()
    except (anticlique.AnticliqueError, ValueError, TypeError, OSError) as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)

try:
    import igraph
except ImportError:
    print("without igraph")
else:
    same = igraph.Graph(n=120, edges=[e for e in graph.edges if e[0] != e[1]])
    assert (independent_set(same, priority="hash") == numbers).all()
    # The edge list that is written for it.
    read = igraph.Graph.Read_Ncol(sys.argv[2], names=True, directed=False)
    assert (read.vcount(), read.ecount()) == (4, 3), read.summary()
    assert igraph.Graph.Read_Edgelist(sys.argv[2], directed=False).ecount() == 3
    print("with igraph")
session.close()
print(checked, "round trips")
