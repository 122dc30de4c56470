"""A notebook's worth of tasks, each at most three lines, by the installed wheel; laws are checked here in NumPy, SciPy and NetworkX alone.

The one argument is a folder for files. What needs a package that is not here is left out, and named.
"""

import inspect
import os
import sys

import anticlique
import networkx as nx
import numpy as np
import scipy.sparse as sp

folder = sys.argv[1]
les = nx.les_miserables_graph()
grid = sp.diags([-1.0, 4.0, -1.0], [-1, 0, 1], shape=(90, 90)).tocsr()
rng = np.random.default_rng(1)
graphs = [nx.gnp_random_graph(30, 0.1, seed=seed) for seed in range(40)]
session = anticlique.Session()
left_out = []


def independent(graph, members):
    return not any(u in members and v in members for u, v in graph.edges if u != v)


def a_set_of_a_networkx_graph():
    members = anticlique.independent_set(les)
    assert independent(les, set(members))


def a_larger_set_with_its_bound():
    result = session.run(les, quality="best", steps=10**5)
    assert result.is_optimal and result.size == result.upper_bound


def some_must_be_inside_and_others_outside():
    result = session.run(les, keep=["Valjean"], exclude=["Napoleon"])
    assert "Valjean" in result and "Napoleon" not in result


def the_heaviest_matching_is_that_of_networkx():
    result = session.run(les, "ld-gpu", quality="best")
    assert result.weight == sum(les[u][v]["weight"] for u, v in nx.max_weight_matching(les))


def an_assignment_of_least_cost_is_that_of_scipy():
    costs = rng.integers(1, 99, (8, 8))
    result = session.run(sp.bmat([[None, costs], [costs.T, None]]), "ld-gpu", quality="best", objective="cost")
    assert result.weight == costs[sp.csgraph.min_weight_full_bipartite_matching(sp.csr_matrix(costs))].sum()


def colours_of_a_matrix():
    colours = session.run(grid, "colouring").value
    assert all(colours[u] != colours[v] for u, v in zip(*grid.nonzero()) if u != v)


def aggregates_for_a_multigrid():
    groups = session.run(grid, "mis2-aggregates").value
    assert 90 / 5 <= groups.max() + 1 <= 90 / 2


def ways_from_one_vertex():
    levels = session.run(les, "bfs", root="Valjean").value
    assert levels == nx.single_source_shortest_path_length(les, "Valjean")


def cores_and_components():
    assert session.run(les, "k-core").value == nx.core_number(les)
    assert len(set(session.run(graphs[0], "connected-components").value.values())) == nx.number_connected_components(graphs[0])


def a_spin_glass():
    spins = session.run(grid, "spin-glass", sweeps=50).value
    assert set(spins.tolist()) == {-1, 1}


def edges_of_numpy():
    result = session.run((5, np.array([[0, 1], [1, 2], [3, 4]])))
    assert result.value.dtype == np.int64 and result.size == 3


def a_table_of_pandas():
    import pandas as pd

    table = pd.DataFrame({"from": ["a", "b", "c"], "to": ["b", "c", "d"], "cost": [1.0, 5.0, 1.0]})
    pairs = session.run(table, "ld-gpu", columns=("from", "to", "cost"), quality="best").value
    assert pairs == [("b", "c")]


def a_table_of_polars():
    import polars as pl

    table = pl.DataFrame({"source": [10, 20], "target": [20, 7]})
    assert session.run(table).value == [7, 10]


def a_graph_of_igraph():
    import igraph

    assert session.run(igraph.Graph.Ring(9)).size == 4


def weights_that_no_short_float_tells_apart():
    result = session.run((3, [[0, 1], [1, 2]], [2.0**53 - 2, 2.0**53 - 1]), "ld-gpu")
    assert result.value.tolist() == [[1, 2]] and result.weight == 2.0**53 - 1


def many_graphs_in_one_go():
    sizes = [result.size for result in session.map(graphs, priority="hash")]
    assert sizes == [len(session.run(graph, priority="hash")) for graph in graphs]


def the_best_of_twenty_seeds():
    best = max(session.map([les] * 20, priority="hash", seed=7), key=len)
    assert best.options["seed"] == 7 and best.verified


def results_in_a_table():
    rows = [result.facts() for result in session.map(graphs[:5])]
    assert [row["size"] for row in rows] and all(row["verified"] for row in rows)


def an_error_says_how_to_mend_it():
    (error,) = session.map([(2, [[0, 5]])], errors="return")
    assert isinstance(error, anticlique.AnticliqueError) and error.remedy == "Vertices count from 0."


def a_file_of_the_graph():
    anticlique.write_gr(os.path.join(folder, "graph.gr"), 3, [[0, 1], [1, 2]])
    assert os.path.getsize(os.path.join(folder, "graph.gr")) == 32 + 8 * 3 + 4 * 4


def a_result_that_is_kept_with_its_record():
    result = anticlique.compute(grid, output=os.path.join(folder, "set.npy"))
    assert (np.load(os.path.join(folder, "set.npy")) == result.value).all()
    assert result.record["outcome"]["result"]["hash"] == result.hash


def every_algorithm_by_name():
    result = anticlique.algorithms.ecl_mis(grid, priority="hash", seed=3)
    assert result.verified and "<table>" in result._repr_html_()


def a_backend_of_networkx():
    from networkx.utils import backends as _

    members = nx.maximal_independent_set(les, seed=1, backend="anticlique")
    assert independent(les, set(members)) and nx.core_number(les, backend="anticlique") == nx.core_number(les)


tasks = [
    a_set_of_a_networkx_graph,
    a_larger_set_with_its_bound,
    some_must_be_inside_and_others_outside,
    the_heaviest_matching_is_that_of_networkx,
    an_assignment_of_least_cost_is_that_of_scipy,
    colours_of_a_matrix,
    aggregates_for_a_multigrid,
    ways_from_one_vertex,
    cores_and_components,
    a_spin_glass,
    edges_of_numpy,
    a_table_of_pandas,
    a_table_of_polars,
    a_graph_of_igraph,
    weights_that_no_short_float_tells_apart,
    many_graphs_in_one_go,
    the_best_of_twenty_seeds,
    results_in_a_table,
    an_error_says_how_to_mend_it,
    a_file_of_the_graph,
    a_result_that_is_kept_with_its_record,
    every_algorithm_by_name,
    a_backend_of_networkx,
]
for task in tasks:
    lines = [line for line in inspect.getsource(task).splitlines()[1:] if line.strip() and not line.strip().startswith(("import ", "from "))]
    assert len(lines) <= 3, f"{task.__name__} has {len(lines)} lines"
    try:
        task()
    except ImportError as error:
        left_out.append(f"{task.__name__} ({error.name})")
session.close()
print(len(tasks) - len(left_out), "tasks; left out:", ", ".join(left_out) or "none")
