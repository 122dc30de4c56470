import { processorsHere } from '../base/host-resources.ts'
import { GaloisGr, type GraphHandle } from '../graph/galois-gr.ts'
import { runInThread } from '../threads/thread-pool.ts'

/** Of a thread at a time: its checksums are compared while it is in the cache. */
const PART_ARCS = 1 << 20
/** Fewer are read before threads have started. */
const LEAST_ARCS = 1 << 23
/** One thread copies what they read. */
const MOST_THREADS = 16

/** Threads that read for each of so many workers. */
export const readersOf = (workers: number): number =>
  Math.max(1, Math.floor(Math.min(MOST_THREADS, processorsHere()) / workers))

interface ReadTask {
  readonly graph: GraphHandle
  readonly firstArc: number
  /** In shared memory. */
  readonly into: Uint32Array
}

/** In a thread of its own. */
export function readTargetsTask({ graph: handle, firstArc, into }: ReadTask): Promise<void> {
  const graph = GaloisGr.of(handle)
  try {
    graph.readTargets(firstArc, firstArc + into.length, into)
    return Promise.resolve()
  } finally {
    graph.close()
  }
}

/** Reads targets of a graph, verified, by several threads where they are many. */
export class TargetReader {
  readonly #graph: GaloisGr
  readonly #threads: number
  readonly #leastArcs: number
  /** Of threads without work; as many exist as threads may read. */
  readonly #spaces: Uint32Array[] = []
  readonly #waiting: ((space: Uint32Array) => void)[] = []
  #made = 0

  constructor(graph: GaloisGr, threads: number, leastArcs = LEAST_ARCS) {
    this.#graph = graph
    this.#threads = threads
    this.#leastArcs = leastArcs
  }

  /** @param arcs in all, of which these are some @throws Failure (input) where the file is damaged */
  async read(firstArc: number, words: Uint32Array, arcs: number): Promise<void> {
    if (this.#threads === 1 || arcs < this.#leastArcs) {
      // Not straight into `words`: targets are checked, and mapped memory is slow to read.
      words.set(this.#graph.readTargets(firstArc, firstArc + words.length))
      return
    }
    const parts: Promise<void>[] = []
    for (let at = 0; at < words.length; at += PART_ARCS)
      parts.push(this.#readPart(firstArc + at, words.subarray(at, at + PART_ARCS)))
    // A thread may still write where another one failed.
    const failed = (await Promise.allSettled(parts)).find((part) => part.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  async #readPart(firstArc: number, words: Uint32Array): Promise<void> {
    const space = await this.#take()
    try {
      const into = words.buffer instanceof SharedArrayBuffer ? words : space.subarray(0, words.length)
      await runInThread<ReadTask, void>('read-targets', { graph: this.#graph.handle, firstArc, into })
      if (into !== words) words.set(into)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#spaces.push(space)
      else next(space)
    }
  }

  #take(): Promise<Uint32Array> {
    const space = this.#spaces.pop()
    if (space !== undefined) return Promise.resolve(space)
    if (this.#made === this.#threads) return new Promise((resolve) => void this.#waiting.push(resolve))
    this.#made++
    return Promise.resolve(new Uint32Array(new SharedArrayBuffer(4 * PART_ARCS)))
  }
}
