/**
 * Core numbers by peeling on threads that hold all lists (Kabir, Madduri: Parallel k-core decomposition on multicore platforms, IPDPSW 2017,
 * Algorithm 2): for k = 0, 1, ... vertices with k neighbours left leave, and what falls to k by that leaves by the same thread. Everything is
 * one sweep. Each arc is looked at once, with a barrier after each k that removes anything. k-core.ts falls back on sweeps where lists do not
 * fit or a GPU takes part.
 */

import { WordList, sharedWords } from '../../../base/words.ts'
import type { RangeWork, RangeWorker } from '../../range-task.ts'
import { reportRound } from '../../worker-report.ts'

/** All adjacency lists, in shared memory. */
export interface HeldLists {
  /** List v is targets[ends[v - 1], ends[v]). */
  readonly ends: Uint32Array
  readonly targets: Uint32Array
  /** The least degree of each worker's vertices that are left, twice. */
  readonly least: Uint32Array
}

export const shareHeldLists = (vertices: number, arcs: number, workers: number): HeldLists => ({
  ends: sharedWords(vertices),
  targets: sharedWords(arcs),
  least: sharedWords(2 * workers),
})

/** Arcs that are read at a time, and looked at between two looks at the clock. */
const ARCS_A_READ = 1 << 20
const ARCS_A_LOOK = 1 << 17
/** Vertices of a block. */
const BLOCK = 64
const NONE = 0xffffffff

/**
 * Peels the graph with the other threads.
 * @param cores degrees to begin with, and the result
 */
export async function peelOnProcessors(
  worker: RangeWorker<unknown, readonly number[]>,
  cores: Uint32Array,
  lists: HeldLists,
): Promise<RangeWork<readonly number[]>> {
  const { task, graph, trace, job, workers } = worker
  const peeling = new Peeling(worker, cores, lists)
  await peeling.read()
  await worker.ready()
  let kernelMs = 0
  for (let k = 0, turn = 0; ; turn = 1 - turn) {
    const startMs = performance.now()
    const { found, left, least } = trace.span('kernel', 'vertices left', () => peeling.find(k))
    const own = turn * workers
    lists.least[own + task.worker] = least
    const [leaving = 0, others = 0] = await worker.sum('for vertices left', [found, left])
    if (leaving + others === 0) break
    if (leaving === 0) {
      k = lists.least.subarray(own, own + workers).reduce((a, b) => Math.min(a, b))
      continue
    }
    await peeling.peel(k)
    kernelMs += performance.now() - startMs
    reportRound(job, 'sweep', graph.vertices, others, 1)
    const [keeps = 0] = await worker.sum('for other workers', [worker.isDue()])
    if (keeps > 0) {
      // Of those left: degrees, which are bounds.
      worker.keep([])
      await worker.arrive('for the checkpoint')
    }
    k++
  }
  const [fell = 0] = await worker.sum('for bounds', [peeling.fell])
  return { outcome: [fell], exchanged: 0, kernelMs }
}

class Peeling {
  readonly #worker: RangeWorker<unknown, readonly number[]>
  readonly #cores: Uint32Array
  readonly #lists: HeldLists
  /** Vertices that are left, in order; of blocks in turn, as dense parts are often near each other. */
  #left: Uint32Array
  readonly #leaving = new WordList()

  constructor(worker: RangeWorker<unknown, readonly number[]>, cores: Uint32Array, lists: HeldLists) {
    const { task, workers } = worker
    this.#worker = worker
    this.#cores = cores
    this.#lists = lists
    const left = new WordList()
    for (let first = BLOCK * task.worker; first < cores.length; first += BLOCK * workers)
      for (let v = first; v < Math.min(cores.length, first + BLOCK); v++) left.push(v)
    this.#left = left.words
  }

  /** Own vertices with more neighbours than their core number. */
  get fell(): number {
    const { low, high } = this.#worker
    const { ends } = this.#lists
    let count = 0
    for (let v = low; v < high; v++) if (this.#cores[v]! < ends[v]! - (v === 0 ? 0 : ends[v - 1]!)) count++
    return count
  }

  /** The own lists. */
  async read(): Promise<void> {
    const { graph, store, trace, low, high } = this.#worker
    const { ends, targets } = this.#lists
    const startMs = performance.now()
    const offsets = trace.span('disk read', 'offsets', () => graph.readOffsets(low, high))
    for (let v = low; v < high; v++) ends[v] = offsets[v - low + 1]!
    const [begin, end] = [offsets[0]!, offsets[high - low]!]
    for (let first = begin; first < end; first += ARCS_A_READ) {
      await this.#worker.pause()
      const last = Math.min(end, first + ARCS_A_READ)
      trace.span('disk read', 'targets', () => graph.readTargets(first, last, targets.subarray(first, last)))
    }
    store.bytesRead += 8 * offsets.length + 4 * (end - begin)
    store.readMs += performance.now() - startMs
  }

  /** Those of its vertices that leave with k neighbours: those left before have more. */
  find(k: number): { readonly found: number; readonly left: number; readonly least: number } {
    const cores = this.#cores
    const left = this.#left
    let [kept, least] = [0, NONE]
    this.#leaving.length = 0
    for (let i = 0; i < left.length; i++) {
      const v = left[i]!
      const degree = cores[v]!
      if (degree === k) this.#leaving.push(v)
      if (degree <= k) continue
      left[kept++] = v
      if (degree < least) least = degree
    }
    this.#left = left.subarray(0, kept)
    return { found: this.#leaving.length, left: kept, least }
  }

  /** Takes them away, and those of any worker that fall to k by that. */
  async peel(k: number): Promise<void> {
    const { trace } = this.#worker
    while (this.#leaving.length > 0) {
      await this.#worker.pause()
      trace.span('kernel', 'peel', () => this.#peelSome(k))
    }
  }

  #peelSome(k: number): void {
    const cores = this.#cores
    const { ends, targets } = this.#lists
    const leaving = this.#leaving
    for (let looked = 0; looked < ARCS_A_LOOK; looked++) {
      const v = leaving.pop()
      if (v === undefined) return
      const [begin, end] = [v === 0 ? 0 : ends[v - 1]!, ends[v]!]
      looked += end - begin
      for (let at = begin; at < end; at++) {
        const u = targets[at]!
        if (cores[u]! <= k) continue
        const before = Atomics.sub(cores, u, 1)
        if (before === k + 1) leaving.push(u)
        // Another one took it below k + 1 meanwhile.
        else if (before <= k) Atomics.add(cores, u, 1)
      }
    }
  }
}
