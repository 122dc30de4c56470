"""Every algorithm as a function, with its own options by name. Made from the program: npm run documents.

Each returns a Result; other arguments are those of `anticlique.compute`: devices, verify, library, output, columns, weight_rule, command, progress.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from ._results import Result
from ._runs import compute

__all__ = ["ecl_mis", "mg_mis", "tc_mis", "luby", "ld_gpu", "b_suitor", "bfs", "bfs_tree", "connected_components", "k_core", "eccentricities",
           "spin_glass", "distance_mis", "mis2_aggregates", "colouring"]


def ecl_mis(
    graph: Any,
    *,
    priority: Literal["degree", "ecl", "hash", "column"] | None = None,
    column: Iterable[Any] | None = None,
    keep: Iterable[Any] | None = None,
    exclude: Iterable[Any] | None = None,
    quality: str | None = None,
    time: float | str | None = None,
    steps: int | None = None,
    weights: Literal["column"] | None = None,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """ECL-MIS. Finds a maximal independent set by asynchronous sweeps: a vertex joins as soon as all neighbours of higher priority are out.

    The first choice for a maximal independent set on one device, or on several that share the graph.
    M. Burtscher, S. Devale, S. Azimi, J. Jaiganesh, E. Powers: A High-Quality and Fast Maximal Independent Set Implementation for GPUs. ACM
    Transactions on Parallel Computing 5(2), 2018.

    priority: Which of two neighbours joins the set where both could.
        degree: Vertices with few neighbours go first; this gives large sets. This is the default.
        ecl: The order of the ECL-MIS program, by degree and average degree; a US patent (10,599,638) concerns such orders.
        hash: A hash of the vertex id alone decides, whatever the degrees.
        column: The larger value of a column of your own goes first.
    column: A number for each vertex; the highest value goes first.
    keep: Vertices that must be in the set.
    exclude: Vertices that must not be in the set.
    quality: fast leaves the set as it is; better reduces the graph and searches a little; best searches until time is up; swap:3 makes three passes
        over the graph that swap one member for two, and swap:10:60s begins none after 60 seconds. Default: fast.
    time: How long a run with quality best may take, with loading and verification, such as 60s, 5min or 1h; 60 s by default. The answer then depends
        on the machine.
    steps: Steps of quality best in place of a time: the same number gives the same answer on every machine.
    weights: Vertices weigh what their column of priorities says, 0 or more; better and best make the set heavy.
        column: The column of priorities.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "ecl-mis",
        priority=priority,
        column=column,
        keep=keep,
        exclude=exclude,
        quality=quality,
        time=time,
        steps=steps,
        weights=weights,
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def mg_mis(
    graph: Any,
    *,
    exchange: Literal["replicated", "paper"] | None = None,
    buffer_words: int | None = None,
    priority: Literal["degree", "ecl", "hash", "column"] | None = None,
    column: Iterable[Any] | None = None,
    keep: Iterable[Any] | None = None,
    exclude: Iterable[Any] | None = None,
    quality: str | None = None,
    time: float | str | None = None,
    steps: int | None = None,
    weights: Literal["column"] | None = None,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """MG-MIS. Finds the set that ECL-MIS finds under the same priority, with the vertices shared out among several workers that exchange what they
    decided.

    For graphs that do not fit one device; where one device holds the graph, one is fastest, as the paper says too.
    A. M. Akathoott, B. V. Xavier, M. Burtscher: A Multi-GPU Algorithm for Computing Maximal Independent Sets in Large Graphs. International
    Conference on Supercomputing (ICS), 2025.

    exchange: How the workers exchange what they decided; the set is the same.
        replicated: Every worker holds the states of all vertices, and publishes what it changed. This is the default.
        paper: Lists, questions and answers in buffers between each two workers, to measure against.
    buffer_words: Length of the buffer between two workers; what does not fit waits for the next round.
    priority: Which of two neighbours joins the set where both could.
        degree: Vertices with few neighbours go first; this gives large sets. This is the default.
        ecl: The order of the ECL-MIS program, by degree and average degree; a US patent (10,599,638) concerns such orders.
        hash: A hash of the vertex id alone decides, whatever the degrees.
        column: The larger value of a column of your own goes first.
    column: A number for each vertex; the highest value goes first.
    keep: Vertices that must be in the set.
    exclude: Vertices that must not be in the set.
    quality: fast leaves the set as it is; better reduces the graph and searches a little; best searches until time is up; swap:3 makes three passes
        over the graph that swap one member for two, and swap:10:60s begins none after 60 seconds. Default: fast.
    time: How long a run with quality best may take, with loading and verification, such as 60s, 5min or 1h; 60 s by default. The answer then depends
        on the machine.
    steps: Steps of quality best in place of a time: the same number gives the same answer on every machine.
    weights: Vertices weigh what their column of priorities says, 0 or more; better and best make the set heavy.
        column: The column of priorities.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "mg-mis",
        exchange=exchange,
        buffer_words=buffer_words,
        priority=priority,
        column=column,
        keep=keep,
        exclude=exclude,
        quality=quality,
        time=time,
        steps=steps,
        weights=weights,
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def tc_mis(
    graph: Any,
    *,
    priority: Literal["h3", "h2", "h1"] | None = None,
    seeds: int | None = None,
    counting: Literal["auto", "tensor", "integer"] | None = None,
    seed: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """TC-MIS. Finds a maximal independent set in synchronous rounds: the adjacency matrix is stored in tiles of bits, and the neighbours of the
    candidates are counted as a matrix product, by integer code or on tensor cores.

    To compute the sets of up to 16 seeds at once and keep the largest, and to measure tensor cores against ECL-MIS.
    P. Nijhara, D. S. Banerjee: TC-MIS: Maximal Independent Set on Tensor-cores. arXiv:2605.29604, 2026.

    priority: Which of two neighbours joins the set where both could.
        h3: Vertices with few neighbours go first, ties are broken by a hash; this gives large sets. This is the default.
        h2: Few neighbours first, by degree against the average degree and a hash.
        h1: A hash of the vertex id alone decides, whatever the degrees.
    seeds: Computes the sets of this many seeds at once and keeps the largest; a matrix product has room for 16. Default: 1.
    counting: What counts the candidates beside a vertex; the set is the same.
        auto: Integers: tiles of real graphs are too empty for a matrix product to be faster. This is the default.
        tensor: A matrix product; needs a GPU whose driver offers it.
        integer: Plain integer code, on any device.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "tc-mis",
        priority=priority,
        seeds=seeds,
        counting=counting,
        seed=seed,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def luby(
    graph: Any,
    *,
    quality: str | None = None,
    time: float | str | None = None,
    steps: int | None = None,
    seed: int | None = None,
    memory: int | str | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """Luby. Finds a maximal independent set in few rounds: each draws new random priorities, and a vertex above all its neighbours joins.

    To compare with the textbook.
    M. Luby: A Simple Parallel Algorithm for the Maximal Independent Set Problem. SIAM Journal on Computing 15(4), 1986.

    quality: fast leaves the set as it is; better reduces the graph and searches a little; best searches until time is up; swap:3 makes three passes
        over the graph that swap one member for two, and swap:10:60s begins none after 60 seconds. Default: fast.
    time: How long a run with quality best may take, with loading and verification, such as 60s, 5min or 1h; 60 s by default. The answer then depends
        on the machine.
    steps: Steps of quality best in place of a time: the same number gives the same answer on every machine.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "luby",
        quality=quality,
        time=time,
        steps=steps,
        seed=seed,
        memory=memory,
        verify=verify,
        **options,
    )


def ld_gpu(
    graph: Any,
    *,
    method: Literal["ordered", "rescan"] | None = None,
    weights: Literal["column", "unit", "random3"] | None = None,
    ties: Literal["hash", "id", "degree"] | None = None,
    objective: Literal["weight", "pairs", "cost"] | None = None,
    threshold: float | None = None,
    quality: str | None = None,
    time: float | str | None = None,
    steps: int | None = None,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """LD-GPU. Finds a locally dominant matching: every vertex points to its heaviest free neighbour, and two that point to each other are matched.

    For pairs that share no vertex and weigh much together: at least half of the best possible, usually well over nine tenths.
    M. Mandulak, S. Ghosh, S M Ferdous, M. Halappanavar, G. Slota: Efficient Weighted Graph Matching on GPUs. International Conference for High
    Performance Computing, Networking, Storage, and Analysis (SC), 2024.

    method: How pointers are found; the matching and its rounds are the same.
        ordered: Every vertex keeps its best neighbours, so each arc is looked at about once. This is the default.
        rescan: Every free vertex looks at all its neighbours in every round, to measure against.
    weights: What edges weigh; by default the graph's own weights, or all alike where it has none.
        column: The weights that were imported.
        unit: Every edge weighs 1: as many pairs as possible.
        random3: Drawn from 0.001 to 1 by the seed, three decimals, as in the paper.
    ties: Which of two edges of equal weight comes first; it decides the matching, and the number of rounds.
        hash: By a hash of the edge: few rounds on every graph. This is the default.
        id: The larger neighbour, as in the authors' program: with equal weights it may take many rounds.
        degree: Edges between vertices of few neighbours first: more pairs, and more rounds.
    objective: What the search of quality best looks for.
        weight: The largest sum of weights. This is the default.
        pairs: As many pairs as there can be and, of these matchings, the heaviest.
        cost: As many pairs as there can be and, of these matchings, the smallest sum of weights.
    threshold: Edges that weigh less are left alone.
    quality: fast leaves the matching as it is; better comes within 1 % of the best possible where the graph fits memory; best searches for the
        heaviest one until time is up; augment:3 makes three passes over the graph that give up an edge for two. Default: fast.
    time: How long a run with quality best may take, with loading and verification, such as 60s, 5min or 1h; 60 s by default. The answer then depends
        on the machine.
    steps: Steps of quality best in place of a time: the same number gives the same answer on every machine.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "ld-gpu",
        method=method,
        weights=weights,
        ties=ties,
        objective=objective,
        threshold=threshold,
        quality=quality,
        time=time,
        steps=steps,
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def b_suitor(
    graph: Any,
    *,
    capacity: int | None = None,
    column: Iterable[Any] | None = None,
    weights: Literal["column", "unit", "random3"] | None = None,
    ties: Literal["hash", "id", "degree"] | None = None,
    threshold: float | None = None,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """b-Suitor. Finds a locally dominant b-matching: pairs in which every vertex may occur several times, the heaviest edges first.

    For assignments where each has several partners: papers and reviewers, records and their likely doubles, sparse graphs of nearest neighbours.
    A. Khan, A. Pothen, M. M. A. Patwary, N. R. Satish, N. Sundaram, F. Manne, M. Halappanavar, P. Dubey: Efficient Approximation Algorithms for
    Weighted b-Matching. SIAM Journal on Scientific Computing 38(5), 2016.

    capacity: How many partners a vertex may have at most; by default 2.
    column: Lines "id,number": how many partners each vertex may have, in place of one number for all.
    weights: What edges weigh; by default the graph's own weights, or all alike where it has none.
        column: The weights that were imported.
        unit: Every edge weighs 1: as many pairs as possible.
        random3: Drawn from 0.001 to 1 by the seed, three decimals, as in the paper.
    ties: Which of two edges of equal weight comes first; it decides the matching, and the number of rounds.
        hash: By a hash of the edge: few rounds on every graph. This is the default.
        id: The larger neighbour, as in the authors' program: with equal weights it may take many rounds.
        degree: Edges between vertices of few neighbours first: more pairs, and more rounds.
    threshold: Edges that weigh less are left alone.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "b-suitor",
        capacity=capacity,
        column=column,
        weights=weights,
        ties=ties,
        threshold=threshold,
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def bfs(
    graph: Any,
    *,
    root: Any | None = None,
    searches: int | None = None,
    direction: Literal["optimising", "top-down", "bottom-up"] | None = None,
    rows: int | None = None,
    messages: Literal["shortest", "lists"] | None = None,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """Breadth-first search. Finds the distance of every vertex from a root, level by level, from whichever side is less work.

    For distances from one vertex, or to measure traversed edges a second as Graph500 does.
    M. Bernaschi, M. Bisson, M. Fatica: Colloquium: Large scale simulations on GPU clusters. European Physical Journal B 88, 2015.

    root: The vertex to search from, as the graph calls it; by default one with the most neighbours.
    searches: So many searches, the others before from random roots that have neighbours: their times count, and the last one is the answer. Default:
        1.
    direction: Which vertices scan their neighbours in a level; the answer is the same.
        optimising: Those of the frontier while it is small, those not reached yet while it is large. This is the default.
        top-down: Those of the frontier look for what was not reached.
        bottom-up: Those not reached yet look for a neighbour in the frontier.
    rows: Workers are a grid of so many rows over the adjacency matrix, which divide their number: 1 is the 1-D partition. Default: 1.
    messages: How vertices are sent between workers; the answer is the same.
        shortest: A bitmap where a list would be longer. This is the default.
        lists: Always lists, to measure against.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "bfs",
        root=root,
        searches=searches,
        direction=direction,
        rows=rows,
        messages=messages,
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def bfs_tree(
    graph: Any,
    *,
    root: Any | None = None,
    searches: int | None = None,
    direction: Literal["optimising", "top-down", "bottom-up"] | None = None,
    rows: int | None = None,
    messages: Literal["shortest", "lists"] | None = None,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """Breadth-first tree. Finds a shortest path from a root to every vertex: its parent, of the neighbours one level nearer to the root the least;
    the root is its own.

    For paths, or to measure what Graph500 measures, parents included.
    M. Bernaschi, M. Bisson, M. Fatica: Colloquium: Large scale simulations on GPU clusters. European Physical Journal B 88, 2015.

    root: The vertex to search from, as the graph calls it; by default one with the most neighbours.
    searches: So many searches, the others before from random roots that have neighbours: their times count, and the last one is the answer. Default:
        1.
    direction: Which vertices scan their neighbours in a level; the answer is the same.
        optimising: Those of the frontier while it is small, those not reached yet while it is large. This is the default.
        top-down: Those of the frontier look for what was not reached.
        bottom-up: Those not reached yet look for a neighbour in the frontier.
    rows: Workers are a grid of so many rows over the adjacency matrix, which divide their number: 1 is the 1-D partition. Default: 1.
    messages: How vertices are sent between workers; the answer is the same.
        shortest: A bitmap where a list would be longer. This is the default.
        lists: Always lists, to measure against.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "bfs-tree",
        root=root,
        searches=searches,
        direction=direction,
        rows=rows,
        messages=messages,
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def connected_components(
    graph: Any,
    *,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """Connected components. Names the component of every vertex by its least vertex, in one pass over the graph.

    To see whether a graph hangs together, or to take it apart.
    J. Jaiganesh, M. Burtscher: A High-Performance Connected Components Implementation for GPUs. High-Performance Parallel and Distributed Computing
    (HPDC), 2018.

    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "connected-components",
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def k_core(
    graph: Any,
    *,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """Core numbers. Finds for every vertex the largest k of a part of the graph that it is in, and in which every vertex has k neighbours.

    For the dense middle of a network, or a bound on colours and cliques: degeneracy + 1.
    L. Lu, T. Zhou, Q.-M. Zhang, H. E. Stanley: The H-index of a network node and its relation to degree and coreness. Nature Communications 7, 2016.

    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "k-core",
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def eccentricities(
    graph: Any,
    *,
    searches: int | None = None,
    direction: Literal["optimising", "top-down", "bottom-up"] | None = None,
    rows: int | None = None,
    messages: Literal["shortest", "lists"] | None = None,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """Eccentricities. Bounds for every vertex the distance to the vertex farthest from it, by searches from a few vertices that are chosen to tell
    most.

    For the diameter of a graph, nearly always exactly, by a handful of searches.
    F. W. Takes, W. A. Kosters: Computing the Eccentricity Distribution of Large Graphs. Algorithms 6(1), 2013.

    searches: At most so many searches; fewer where all is known before. Default: 16.
    direction: Which vertices scan their neighbours in a level; the answer is the same.
        optimising: Those of the frontier while it is small, those not reached yet while it is large. This is the default.
        top-down: Those of the frontier look for what was not reached.
        bottom-up: Those not reached yet look for a neighbour in the frontier.
    rows: Workers are a grid of so many rows over the adjacency matrix, which divide their number: 1 is the 1-D partition. Default: 1.
    messages: How vertices are sent between workers; the answer is the same.
        shortest: A bitmap where a list would be longer. This is the default.
        lists: Always lists, to measure against.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "eccentricities",
        searches=searches,
        direction=direction,
        rows=rows,
        messages=messages,
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def spin_glass(
    graph: Any,
    *,
    model: Literal["bimodal", "ising", "couplings", "max-cut", "independent-set"] | None = None,
    method: Literal["tempering", "annealing", "heat-bath"] | None = None,
    temperature: float | None = None,
    coldest: float | None = None,
    hottest: float | None = None,
    sweeps: int | None = None,
    every: int | None = None,
    disorder: int | None = None,
    weights: Literal["column", "unit"] | None = None,
    zero: float | None = None,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """Spin glass. Looks for the least energy of spins on the vertices by simulated heat: spin glasses, maximum cuts, independent sets; 32 replicas at
    once.

    For ground states of Ising models and large cuts, or for mean energies at a temperature with their errors.
    M. Bernaschi, M. Bisson, M. Fatica: Colloquium: Large scale simulations on GPU clusters. European Physical Journal B 88, 2015.

    model: What the energy is of.
        bimodal: Couplings of +1 and -1 at random: the Edwards-Anderson model on a lattice. This is the default.
        ising: All couplings +1.
        couplings: What edges weigh, less zero.
        max-cut: Couplings are the negative weights: the least energy is the largest cut.
        independent-set: A vertex is worth 1, an edge between two members costs 2.
    method: Temperatures of the 32 replicas.
        tempering: A ladder of temperatures, on which neighbours are swapped. This is the default.
        annealing: All fall from the hottest to the coldest.
        heat-bath: All stay at one temperature, for its mean energy.
    temperature: Of the heat bath, in the unit of the energy; by default that of the transition of the cubic spin glass. Default: 1.1019.
    coldest: The lowest temperature; by default 0.3 of a mean coupling.
    hottest: The highest temperature; by default 1.7 of a mean coupling, and more where vertices have more than six neighbours.
    sweeps: How often every spin is drawn anew. Default: 1000.
    every: Energies are measured, and replicas swapped, after so many sweeps. Default: 4.
    disorder: Seed of the couplings of the spin glass: another one is another sample. Default: 0.
    weights: Of max-cut: what edges weigh; by default what the graph says, if it has weights.
        column: The weights that the graph was imported with.
        unit: Every edge weighs 1.
    zero: Taken from every weight: 2 gives those of -1 and 1 their signs back that were imported with weight_rule shift. Default: 0.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "spin-glass",
        model=model,
        method=method,
        temperature=temperature,
        coldest=coldest,
        hottest=hottest,
        sweeps=sweeps,
        every=every,
        disorder=disorder,
        weights=weights,
        zero=zero,
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def distance_mis(
    graph: Any,
    *,
    distance: int | None = None,
    priority: Literal["random", "degree"] | None = None,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """Distance-k MIS. Finds a maximal set of vertices of which no two are within a distance, two by default: in each round a vertex joins whose
    random word is the least within it.

    For roots of aggregates in algebraic multigrid, for packings, and where stations need more than one edge between them.
    B. Kelley, S. Rajamanickam: Parallel, Portable Algorithms for Distance-2 Maximal Independent Set and Graph Coarsening. International Parallel and
    Distributed Processing Symposium (IPDPS), 2022.

    distance: Members are further than so many edges from each other, and every vertex has one within it. Default: 2.
    priority: Which of two vertices within the distance joins the set where both could.
        random: Drawn anew in each round: few rounds. The sets of Kokkos Kernels, MIS2_FAST. This is the default.
        degree: Vertices with few neighbours go first: larger sets, more rounds.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "distance-mis",
        distance=distance,
        priority=priority,
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def mis2_aggregates(
    graph: Any,
    *,
    priority: Literal["random", "degree"] | None = None,
    threshold: float | None = None,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """Aggregates for multigrid. Gathers the vertices around the members of a distance-2 set, then around those of a second one among what is left;
    the rest joins the neighbouring aggregate with most edges.

    For algebraic multigrid: the aggregates, or the prolongation that they are, of a matrix whose graph this is.
    B. Kelley, S. Rajamanickam: Parallel, Portable Algorithms for Distance-2 Maximal Independent Set and Graph Coarsening. International Parallel and
    Distributed Processing Symposium (IPDPS), 2022.

    priority: Which of two vertices within the distance joins the set where both could.
        random: Drawn anew in each round: few rounds. The sets of Kokkos Kernels, MIS2_FAST. This is the default.
        degree: Vertices with few neighbours go first: larger sets, more rounds.
    threshold: Edges count whose weight is at least so many times the geometric mean of the sums of weights at both ends; 0: all. Default: 0.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "mis2-aggregates",
        priority=priority,
        threshold=threshold,
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )


def colouring(
    graph: Any,
    *,
    priority: Literal["largest-first", "smallest-last", "hash", "column"] | None = None,
    column: Iterable[Any] | None = None,
    balance: bool | None = None,
    seed: int | None = None,
    partitions: int | None = None,
    memory: int | str | None = None,
    batches: int | None = None,
    verify: bool = True,
    **options: Any,
) -> Result:
    """Jones-Plassmann colouring. Colours the vertices so that no two neighbours have one colour: a vertex takes the least free colour once all
    neighbours of higher priority have theirs.

    To split work into steps in which no two neighbours change at once: each colour is an independent set.
    M. T. Jones, P. E. Plassmann: A Parallel Graph Coloring Heuristic. SIAM Journal on Scientific Computing 14(3), 1993.

    priority: Which of two neighbours is coloured first.
        largest-first: Vertices with many neighbours go first; few colours. This is the default.
        smallest-last: The reverse of taking all vertices of few neighbours away, time and again, where the limit only ever rises: at most degeneracy
            + 1 colours. The graph has to fit in memory.
        hash: A hash of the vertex id alone decides: fewest rounds.
        column: The larger value of a column of your own goes first.
    column: A number for each vertex; the highest value goes first.
    balance: Moves vertices from large classes to small ones afterwards; the number of colours stays. Default: false.
    seed: Another seed breaks ties in another way; the same seed always gives the same answer. Default: 0.
    partitions: Workers that share the graph and take the devices in turn; by default one for each device.
    memory: The run keeps to this much memory of each device, and streams what does not fit.
    batches: Cuts the graph into this many parts; by default as few as fit.
    verify: Checks the result afterwards against the graph, by other code, and gives a bound. Default: true.
    """
    return compute(
        graph,
        "colouring",
        priority=priority,
        column=column,
        balance=balance,
        seed=seed,
        partitions=partitions,
        memory=memory,
        batches=batches,
        verify=verify,
        **options,
    )
