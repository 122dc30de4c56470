#!/usr/bin/env python3
"""Checks the archive of a run of Anticlique by itself, with Python 3.8 or newer and nothing else.

    python3 check.py ARCHIVE.tar [--graph FILE]      or, unpacked:      python3 check.py [FOLDER] [--graph FILE]

It shares no code with the program: the sums of all files, the checksum of the graph, hash and size of the result, its law on the graph,
and the bound that the certificate proves. It says what it does not check. Ends with 1 where something is wrong.
"""
import array, bisect, csv, hashlib, io, json, math, os, re, struct, sys, tarfile, zlib

PIECE = 1 << 20
ok = lambda sentence: print("ok: " + sentence)
unchecked = lambda sentence: print("not checked: " + sentence)


def fail(sentence):
    sys.exit("FAILED: " + sentence)


def opened(place):
    """Functions that open the members of an archive, or the files of a folder, by name."""
    if os.path.isdir(place):
        return {name: lambda name=name: open(os.path.join(place, name), "rb") for name in os.listdir(place)}
    tar = tarfile.open(place)
    return {os.path.basename(name): lambda name=name: tar.extractfile(name) for name in tar.getnames()}


def checksum(file):
    """As records cite it: SHA-256 over a header, the CRC-32 of each MiB of the file, and the SHA-256 of each MiB."""
    size, crcs, digests = 0, [], []
    for piece in iter(lambda: file.read(PIECE), b""):
        size += len(piece)
        crcs.append(struct.pack("<I", zlib.crc32(piece)))
        digests.append(hashlib.sha256(piece).digest())
    return hashlib.sha256(struct.pack("<8sIIQ", b"ACQ.SUMS", 1, PIECE, size) + b"".join(crcs + digests)).hexdigest()


class Graph:
    """The neighbours of v are targets[starts[v]:starts[v + 1]], ascending. Galois binary version 1, or that of ECL (.egr)."""

    def __init__(self, file, is_ecl):
        def words(kind, count):
            read = array.array(kind, file.read(count * array.array(kind).itemsize))
            if sys.byteorder == "big":
                read.byteswap()
            return read
        if is_ecl:
            self.n, m = struct.unpack("<ii", file.read(8))
            self.starts, self.targets, self.weights = words("i", self.n + 1), words("I", m), words("i", m)
        else:
            _, weight_bytes, self.n, m = struct.unpack("<QQQQ", file.read(32))
            self.starts, self.targets = array.array("Q", [0]) + words("Q", self.n), words("I", m + m % 2)[:m]
            self.weights = words("f", m) if weight_bytes else []
            rest = file.read() if weight_bytes else b""
            if rest[-32:-24] == b"ACQ.VALU":
                self.weights = wide(self.weights, rest[4 * (m % 2):-32], struct.unpack("<Q", rest[-24:-16])[0])
        for v in range(self.n):
            row = self.of(v)
            if any(u >= after for u, after in zip(row, row[1:])) or (row and row[-1] >= self.n) or self.arc(v, v) is not None:
                fail(f"the list of vertex {v} is not in order")

    def of(self, v):
        return self.targets[self.starts[v]:self.starts[v + 1]]

    def arc(self, u, v):
        at = bisect.bisect_left(self.targets, v, self.starts[u], self.starts[u + 1])
        return at if at < self.starts[u + 1] and self.targets[at] == v else None


def wide(keys, table, count):
    """Weights of 64 bits by the floats that stand for them: from a table, or without one the short decimals of the floats."""
    if count == 0:
        is_short = lambda key, decimal: struct.unpack("<f", struct.pack("<f", decimal))[0] == key
        return [float(f"{key:.7g}") if is_short(key, float(f"{key:.7g}")) else float(f"{key:.9g}") for key in keys]
    known = dict(zip(struct.unpack(f"<{count}f", table[:4 * count]), struct.unpack(f"<{count}d", table[-8 * count:])))
    return [known[key] for key in keys]


def fnv(numbers):
    """64-bit FNV-1a over little-endian words of 32 bits, from the basis 1469598103934665603."""
    value = 1469598103934665603
    for byte in (byte for number in numbers for byte in struct.pack("<I", number)):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def check_set(graph, members, distance, excluded):
    inside, covered = set(members), set(excluded)
    for member in members:
        reached, last = {member}, [member]
        for _ in range(distance):
            last = [u for v in last for u in graph.of(v) if u not in reached and not reached.add(u)]
        covered |= reached
        if len(reached & inside) > 1:
            fail(f"vertices {sorted(reached & inside)[:2]} are members, and within {distance} of {member}")
    ok("independent" if distance == 1 else f"no two members are within {distance} edges")
    return next((v for v in range(graph.n) if v not in covered), None)


def check_matching(graph, pairs, options, claimed, room):
    """Room: how many pairs each vertex may be in."""
    taken, weight, unit = set(), 0.0, options.get("weights") == "unit" or not graph.weights
    for u, v in pairs:
        at = graph.arc(u, v)
        if at is None or (u, v) in taken or room[u] == 0 or room[v] == 0:
            fail(f"the pair {u}, {v} is no edge, or one of its ends is in too many pairs")
        taken |= {(u, v), (v, u)}
        room[u] -= 1
        room[v] -= 1
        weight += 1 if unit else graph.weights[at]
    open_to = lambda v: [u for u in graph.of(v) if room[u] > 0 and (u, v) not in taken]
    if not options.get("threshold") and any(room[v] > 0 and open_to(v) for v in range(graph.n)):
        fail("a pair could be added")
    ok("pairs are edges, no vertex is in too many, and none can be added")
    if options.get("weights") == "random3":
        unchecked("the weight, which a hash makes")
    elif abs(weight - claimed) > 1e-9 * abs(claimed):
        fail(f"the matching weighs {weight}, and the record says {claimed}")


def rooms(text, attribute, number):
    """How many partners vertices may have: by a list of the run, or by an attribute."""
    if attribute is None:
        found = (re.match(r"(.*)[,;\t](.*)$", line) for line in text("column.txt").splitlines())
        pairs = [(line[1].strip().strip('"'), line[2].strip().strip('"')) for line in found if line]
    else:
        table = list(csv.reader(io.StringIO(text("vertices.csv"))))
        pairs = [(row[0], row[table[0].index(attribute)]) for row in table[1:]]
    return {number[label]: int(float(value)) for label, value in pairs if label in number}


def check_prices(graph, prices, options, room, claimed):
    """No matching weighs more than each price once a partner, and what the prices at its ends leave of each edge that counts."""
    unit, least = options.get("weights") == "unit" or not graph.weights, options.get("threshold") or 0
    if len(prices) != graph.n or any(not 0 <= price < math.inf for price in prices):
        fail("the certificate has no price of each vertex")

    def parts():
        for v, price in enumerate(prices):
            yield from (price for _ in range(min(room.get(v, 0), len(graph.of(v)))))
            for at in range(graph.starts[v], graph.starts[v + 1]):
                u, weight = graph.targets[at], 1 if unit else graph.weights[at]
                if u > v and weight >= least and weight > price + prices[u]:
                    yield from (weight, -price, -prices[u])
    proved = math.fsum(parts())
    if claimed is not None and proved > claimed * (1 + 1e-9):
        fail(f"the certificate proves that no matching weighs more than {proved}, and the record says {claimed}")
    ok(f"no matching weighs more than {proved}: the prices at both ends of an edge, and what is added to them, pay for it")


def main():
    words = sys.argv[1:]
    graph_file = words.pop(words.index("--graph") + 1) if "--graph" in words else None
    members = opened(next((word for word in words if not word.startswith("--")), "."))
    text = lambda name: members[name]().read().decode() if name in members else ""
    for digest, name in (line.split("  ", 1) for line in text("SHA256SUMS").splitlines() or fail("there is no SHA256SUMS")):
        hashed = hashlib.sha256()
        for piece in iter(lambda file=members[name]() if name in members else fail(name + " is missing"): file.read(PIECE), b""):
            hashed.update(piece)
        if hashed.hexdigest() != digest:
            fail(name + " is not as it was archived")
    ok("all files are as they were archived")
    record = json.loads(text("record.json"))
    outcome, request = record["outcome"], record["request"]
    algorithm, result, options = outcome["algorithm"], outcome["result"], outcome["options"]
    name = graph_file or next((name for name in ("graph.gr", "graph.egr") if name in members), None)
    if name is None:
        return unchecked("the result, as the graph is not here: give it by --graph FILE")
    open_graph = (lambda: open(graph_file, "rb")) if graph_file else members[name]
    if checksum(open_graph()) != record["dataset"]["checksum"]:
        fail("this is not the graph of the record")
    graph = Graph(open_graph(), name.endswith(".egr"))
    ok(f"the graph is that of the record: {graph.n} vertices, {len(graph.targets) // 2} edges")
    labels = text("labels.txt").split("\n")[:-1] or list(map(str, range(graph.n)))
    number = {label: v for v, label in enumerate(labels)}
    rows = [line.split("\t") for line in text("result.txt").split("\n")[:-1]]
    listed = lambda name: {number[line.strip()] for line in text(name).splitlines() if line.strip() in number}
    if result["kind"] == "independent-set":
        found = [number[row[0]] for row in rows]
        size, excluded = len(set(found)), listed("exclude.txt")
        if excluded & set(found) or listed("keep.txt") - set(found):
            fail("the lists of the record name a vertex that must be inside, or outside")
        lonely = check_set(graph, found, options.get("distance") or 1, excluded)
        if lonely is None:
            ok("maximal")
        elif not request.get("excludeWhere"):
            fail(f"not maximal: vertex {labels[lonely]} could join")
        else:
            unchecked("maximal, as vertices are excluded by a condition on attributes")
    elif result["kind"] in ("matching", "b-matching"):
        found, size = [number[label] for row in rows for label in row], len(rows)
        room = {v: options.get("capacity", 1) for v in range(graph.n)}
        if result["kind"] == "b-matching" and options["capacity"] is None:
            room = rooms(text, request.get("columnName"), number)
        check_matching(graph, list(zip(found[::2], found[1::2])), options, result["weight"], dict(room))
    else:
        names = {"-1": 0, "+1": 1} if algorithm == "spin-glass" else number if algorithm in ("connected-components", "bfs-tree") else None
        found = [0xFFFFFFFF if value == "" else names[value] if names else int(value) for _, value in rows]
        size = result["size"]
        if algorithm != "colouring":
            unchecked(f"the values of {algorithm}, but for their hash")
        elif any(found[u] == found[v] for v in range(graph.n) for u in graph.of(v)):
            fail("two neighbours have one colour")
        else:
            ok("no two neighbours have one colour")
    if fnv(found) != result["hash"] or size != result.get("pairs", result.get("size")):
        fail(f"the result has the hash {fnv(found)} and the size {size}, and the record says otherwise")
    ok(f"size {size} and hash {result['hash']} are those of the record")
    if "certificate.txt" in members and result["kind"] in ("matching", "b-matching"):
        searched = outcome.get("counters", {}).get("matchingBound")
        bound = (outcome.get("verification") or {}).get("upperBound") if searched is None else None
        check_prices(graph, list(map(float, text("certificate.txt").split())), options, room, bound)
        if searched is not None:
            unchecked(f"the bound {searched} of the search, which needs its blossoms, too")
    elif "certificate.txt" in members:
        ends = list(map(int, text("certificate.txt").split()))
        if len(set(ends)) != len(ends) or any(graph.arc(u, v) is None for u, v in zip(ends[::2], ends[1::2])):
            fail("the certificate is no matching of the graph")
        ok(f"no set has more than {graph.n - len(ends) // 2} members, as it has one end at most of each pair of the certificate")


main()
