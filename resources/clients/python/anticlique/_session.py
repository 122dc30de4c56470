"""A session: one engine for many graphs, over the rows of JSON of `anticlique batch`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np

from ._arcs import edges_of
from ._graphs import WEIGHING, read
from ._program import AnticliqueError, command_words
from ._results import Result, Vertices
from ._runs import text_of, write_read

# Edges beyond which a graph goes by a file: text of numbers would be longer.
_MOST_EDGES = 200_000

# What stands for a graph while its row is under way.
_Asked = tuple[Vertices, str, "str | None"]


class Session:
    """Computes many graphs with one engine; each graph takes milliseconds, and nothing is kept in a library.

        with anticlique.Session() as session:
            result = session.run(graph, priority="hash")
            for result in session.map(graphs, algorithm="ld-gpu"):
                print(result.size)

    Options of the session are those of every run. `parallel` graphs are computed at a time, by default as many as there are cores.
    """

    def __init__(
        self,
        *,
        command: str | Sequence[str] | None = None,
        library: str | os.PathLike[str] | None = None,
        parallel: int | None = None,
        **options: Any,
    ) -> None:
        self._words = command_words(command)
        if library is not None:
            self._words += ["--library", os.fspath(library)]
        self._words += ["batch", "-"]
        if parallel is not None:
            self._words += ["--parallel", str(parallel)]
        self._options = {"verify": True, **options}
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="anticlique-session-")
        self._errors: BinaryIO | None = None
        self._files = 0

    def run(self, graph: Any, algorithm: str = "ecl-mis", **options: Any) -> Result:
        """The result of one graph, as `anticlique.compute` has it. Raises AnticliqueError."""
        result: Result = next(self.map([graph], algorithm, **options))
        return result

    def map(
        self,
        graphs: Iterable[Any],
        algorithm: str = "ecl-mis",
        *,
        errors: str = "raise",
        progress: bool | Callable[[int], object] | None = None,
        **options: Any,
    ) -> Iterator[Any]:
        """Results of graphs, in their order, as they come.

        errors: `raise` ends with the first graph that cannot be computed; `return` yields its AnticliqueError in place of a result. progress: True shows a bar,
        of tqdm where that is installed; a function is called with the number of results so far.
        """
        if errors not in ("raise", "return"):
            raise ValueError(f"errors is 'raise' or 'return', and not {errors!r}")
        show, over = _progress(progress, graphs)
        process = self._started()
        asked: deque[_Asked] = deque()
        failures: list[BaseException] = []
        came = threading.Semaphore(0)
        isover = threading.Event()

        def write() -> None:
            assert process.stdin is not None
            try:
                for graph in graphs:
                    if isover.is_set():
                        return
                    row, of = self._row(graph, algorithm, {**self._options, **options})
                    asked.append(of)
                    came.release()
                    process.stdin.write(row)
                    process.stdin.flush()
            except BaseException as error:  # noqa: BLE001: raised again where results are read
                failures.append(error)
            finally:
                isover.set()
                came.release()

        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        count = 0
        ended = False
        try:
            while True:
                came.acquire()
                if not asked:
                    break
                vertices, name, file = asked.popleft()
                result = self._answer(process, vertices, name)
                if file is not None:
                    os.remove(file)
                count += 1
                show(count)
                if isinstance(result, AnticliqueError) and errors == "raise":
                    raise result
                yield result
            ended = True
        finally:
            over()
            if not ended and not (isover.is_set() and not asked):
                # Answers are under way that nobody waits for.
                isover.set()
                self._stop()
            writer.join()
        # What a broken pipe says is less than what the program said.
        if failures:
            raise failures[0]

    def close(self) -> None:
        self._stop()
        self._folder.cleanup()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors)
        except OSError as error:
            remedy = "Give command= or ANTICLIQUE_COMMAND the program that runs Anticlique."
            what = f"the command cannot be started: {error}"
            raise AnticliqueError({"where": self._words[0], "what": what, "remedy": remedy}) from error
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if process.stdin is not None:
                process.stdin.close()
        except OSError:
            pass
        process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        if self._errors is not None:
            self._errors.close()

    def _answer(self, process: subprocess.Popen[bytes], vertices: Vertices, algorithm: str) -> Result | AnticliqueError:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise AnticliqueError({"what": self._last_words() or "the program ended before it answered"})
        document = json.loads(line)
        if "error" in document:
            return AnticliqueError(document["error"])
        kind = document["result"]["kind"]
        if kind == "values":
            return Result(vertices.values(_numbers(document.pop("values"), algorithm), algorithm), document)
        if kind in ("matching", "b-matching"):
            return Result(vertices.pairs(document.pop("pairs")), document)
        return Result(vertices.members(document.pop("members")), document)

    def _last_words(self) -> str:
        if self._errors is None:
            return ""
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace").strip()

    def _row(self, graph: Any, algorithm: str, options: dict[str, Any]) -> tuple[bytes, _Asked]:
        rule = options.pop("weight_rule", None)
        name = options.pop("algorithm", algorithm)
        given = read(graph, rule, name in WEIGHING, options.pop("columns", None))
        vertices = Vertices(given.nodes)
        row: dict[str, Any] = {"algorithm": name}
        for option, value in options.items():
            if value is not None:
                row[option] = _value(option, value, vertices)
        count = len(given.arcs[1]) // 2 if given.arcs is not None else len(given.edges)
        if count > _MOST_EDGES:
            self._files += 1
            file = os.path.join(self._folder.name, f"{self._files}.gr")
            write_read(file, given)
            return _line({**row, "file": file}), (vertices, name, file)
        edges, weights = (given.edges, given.weights) if given.arcs is None else edges_of(*given.arcs)
        whole = np.asarray(edges)
        ends = whole.astype(np.int64, copy=False)
        if ends is not whole and (ends != whole).any():
            raise ValueError("ends of edges are whole numbers")
        row["n"] = len(vertices)
        row["edges"] = ends.reshape(-1).tolist()
        if weights is not None and name in WEIGHING and row.get("weights", "column") == "column":
            row["weights"] = weights.tolist()
        return _line(row), (vertices, name, None)


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def _value(option: str, value: Any, vertices: Vertices) -> Any:
    if option in ("keep", "exclude"):
        return [vertices.number(v) for v in value]
    if option == "root":
        return str(vertices.number(value))
    if option == "column":
        return vertices.column(value)
    return text_of(value) if isinstance(value, (list, tuple)) else value


def _numbers(values: list[Any], algorithm: str) -> Any:
    """Values of a row as those of a file: -1 where a vertex has none, and spins from 0."""
    if algorithm == "spin-glass":
        return np.array([int(value) > 0 for value in values], dtype=np.int64)
    return np.array([-1 if value is None else value for value in values], dtype=np.int64)


def _progress(asked: bool | Callable[[int], object] | None, graphs: Iterable[Any]) -> tuple[Callable[[int], object], Callable[[], object]]:
    """What is called with the number of results, and at the end."""
    if callable(asked):
        return asked, lambda: None
    if not asked:
        return lambda count: None, lambda: None
    total = len(graphs) if isinstance(graphs, Sized) else None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        of = "" if total is None else f" of {total}"
        return lambda count: print(f"\r{count}{of} graphs", end="", file=sys.stderr), lambda: print(file=sys.stderr)
    bar = tqdm(total=total, unit="graph")
    return lambda count: bar.update(count - bar.n), bar.close
