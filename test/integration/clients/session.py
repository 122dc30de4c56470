"""A session and the results of the package, by laws that are checked here in NumPy and NetworkX alone."""

import os
import sys

import networkx as nx
import numpy as np
import scipy.sparse as sp

sys.path.insert(0, sys.argv[1])
import anticlique  # noqa: E402
from anticlique import _program  # noqa: E402

# The program that came with the package is found by itself.
named = os.environ.pop("ANTICLIQUE_COMMAND")
words = _program.command_words()
assert os.path.exists(words[-1]) and words[-1].endswith(("launch.mjs", "anticlique")), words
os.environ["ANTICLIQUE_COMMAND"] = named

graphs = [nx.gnp_random_graph(20 + number % 60, 0.08, seed=number) for number in range(120)]
for graph in graphs:
    for u, v in graph.edges:
        graph[u][v]["weight"] = 1 + (u * 31 + v * 17) % 9
seen = []
with anticlique.Session(parallel=2) as session:
    # In order, each a maximal independent set, the one of a call of its own.
    results = list(session.map(graphs, priority="hash", progress=seen.append))
    assert seen == list(range(1, 121))
    for graph, result in zip(graphs, results):
        inside = set(result)
        assert result.verified and len(inside) == result.size <= result.upper_bound
        assert not any(u in inside and v in inside for u, v in graph.edges)
        assert all(v in inside or inside & set(graph[v]) for v in graph)
    single = anticlique.compute(graphs[7], priority="hash")
    assert (single.value, single.hash) == (results[7].value, results[7].hash)
    assert single.facts().keys() == results[7].facts().keys() and "<th>hash</th>" in single._repr_html_()

    # Matrices, arrays and tuples are the same graph; values and pairs come by vertex.
    graph = graphs[3]
    matrix = nx.to_scipy_sparse_array(graph, format="csr")
    edges = np.array(graph.edges)
    same = [matrix, sp.coo_array(matrix), matrix.toarray(), (len(graph), edges, [graph[u][v]["weight"] for u, v in edges])]
    answers = list(session.map(same, "ld-gpu"))
    assert len({answer.hash for answer in answers}) == 1 and answers[0].weight > 0
    assert answers[0].value.shape == (answers[0].size, 2)
    assert nx.is_matching(graph, {tuple(pair) for pair in answers[0].value.tolist()})
    levels = session.run(nx.relabel_nodes(graph, str), "bfs", root="0").value
    assert levels == {str(v): nx.single_source_shortest_path_length(graph, 0).get(v) for v in graph}
    kept = session.run(nx.star_graph(["hub", 1, 2, 3]), keep=["hub"]).value
    assert kept == ["hub"], kept

    # Tiles are of their own graph; spins and levels are those of a single call.
    assert all(result.verified for result in session.map(graphs[:9], "tc-mis"))
    for algorithm, options in (("spin-glass", {"sweeps": 20}), ("bfs", {"root": 0})):
        alone = anticlique.compute(matrix, algorithm, **options)
        assert (alone.value == session.run(matrix, algorithm, **options).value).all(), algorithm
        assert alone.record["outcome"]["result"]["hash"] == alone.hash
    assert set(session.run(matrix, "spin-glass", sweeps=20).value.tolist()) == {-1, 1}

    # A graph that cannot be computed ends nothing but its own answer.
    mixed = [graph, (2, [[0, 5]]), graph]
    answers = list(session.map(mixed, errors="return", priority="hash"))
    assert isinstance(answers[1], anticlique.AnticliqueError) and "vertex 5" in str(answers[1]), answers[1]
    assert answers[0].value == answers[2].value == results[3].value
    try:
        list(session.map(mixed))
    except anticlique.AnticliqueError as error:
        assert error.remedy == "Vertices count from 0."
    else:
        raise AssertionError("an error was due")
    # Nor does a loop that is left, or a graph that is none.
    first = session.map(graphs)
    next(first)
    first.close()
    for wrong in ("no graph", (2, [[0, 0.5]])):
        try:
            session.run(wrong)
        except (TypeError, ValueError):
            pass
        else:
            raise AssertionError(wrong)
    assert session.run(graphs[5], priority="hash").value == results[5].value

    # Tables: by the names of columns, or the first two.
    try:
        import pandas as pd
    except ImportError:
        print("without pandas")
    else:
        table = pd.DataFrame({"source": ["a", "b", "c"], "target": ["b", "c", "d"], "weight": [1.0, 5.0, 1.0]})
        assert session.run(table).size == 2 and session.run(table, "ld-gpu", quality="best").weight == 5
        named = table.rename(columns={"source": "from", "target": "to"})
        assert session.run(named, columns=("from", "to", "weight")).size == 2
        numbers = pd.DataFrame({"u": [10, 20], "v": [20, 7]})
        assert session.run(numbers).value == [7, 10]
        for wrong in ({"columns": ("u", "w")}, {"columns": ("u", "v", "cost")}, {"columns": ("u",)}):
            try:
                session.run(numbers, **wrong)
            except ValueError as error:
                assert "'w'; it has u, v" in str(error) or "'cost'" in str(error) or "1 names" in str(error), error
            else:
                raise AssertionError(wrong)

try:
    with anticlique.Session(command="no-such-program") as session:
        session.run(graphs[0])
except anticlique.AnticliqueError as error:
    assert "no-such-program" in str(error) and "ANTICLIQUE_COMMAND" in error.remedy
print("sessions")
