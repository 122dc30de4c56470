/**
 * The steps of a level of breadth-first search on one worker of the grid: expand the frontier along the column, search top-down or bottom-up in
 * the own arcs, fold what was found along the row to its owners. A frontier is a queue of vertices or a bitmap, by which is shorter. The device
 * holds levels of the own block, the frontier and the arcs; bfs.ts has the order of steps, kernels/bfs the kernels.
 */

import { bfsAdopt } from '../../../../kernels/bfs/bfs-adopt.ts'
import { ARC_THREADS, bfsArcs } from '../../../../kernels/bfs/bfs-arcs.ts'
import { bfsBottomUp } from '../../../../kernels/bfs/bfs-bottom-up.ts'
import { bfsNone } from '../../../../kernels/bfs/bfs-none.ts'
import { bfsPack } from '../../../../kernels/bfs/bfs-pack.ts'
import { bfsParents } from '../../../../kernels/bfs/bfs-parents.ts'
import { bfsReceive } from '../../../../kernels/bfs/bfs-receive.ts'
import { ARCS, LEFT, LEVEL_COUNTERS, NEXT, REMOTE, bfsTopDown } from '../../../../kernels/bfs/bfs-top-down.ts'
import { WordList, bitWords } from '../../../base/words.ts'
import { type Buffers, fillWords, releaseBuffers } from '../../../device/device.ts'
import { degreeRuns } from '../../../graph/degrees.ts'
import type { Range } from '../../../base/ranges.ts'
import { batchesWith } from '../../arc-store.ts'
import type { RangeWorker } from '../../range-task.ts'
import { SearchExchange } from './search-exchange.ts'
import { SearchGrid, type SharedSearch, type SpaceName, openSpace } from './search-space.ts'

export const searchKernels = [bfsAdopt, bfsArcs, bfsBottomUp, bfsNone, bfsPack, bfsParents, bfsReceive, bfsTopDown]

/** A level below the root's: vertices found and their arcs, and from which side they were. */
export interface SearchLevel {
  readonly found: number
  readonly arcs: number
  readonly isBottomUp: boolean
}

/** A search that was interrupted after some levels; the levels of its vertices are in shared memory. */
export interface LevelsSoFar {
  readonly root: number
  readonly rootArcs: number
  readonly levels: readonly SearchLevel[]
}

export type SearchRangeWorker = RangeWorker<SharedSearch, LevelsSoFar>

/** The steps of a level-synchronous search on one worker; bfs.ts has their order. */
export class SearchWorker {
  readonly exchange: SearchExchange
  readonly #worker: SearchRangeWorker
  /** The vertices whose lists are here. */
  readonly #column: Range
  readonly #space: Buffers<SpaceName>
  /** `queue` and `next` in turn. */
  #frontier: 'queue' | 'next' = 'queue'
  #count = 0
  /** Whether every level found the parents as well. */
  #isKept = false
  /** Bits of own vertices without neighbours: no search looks for them. */
  readonly #isolated: Uint32Array
  /** Vertices of each batch that were not visited and have neighbours. */
  #left: number[]

  private constructor(worker: SearchRangeWorker, grid: SearchGrid, space: Buffers<SpaceName>) {
    const { graph, plan, task } = worker
    this.exchange = new SearchExchange(worker, grid, space)
    this.#worker = worker
    this.#space = space
    this.#column = grid.columnOf(task.worker)
    this.#left = plan.batches.map(() => Infinity)
    this.#isolated = new Uint32Array(bitWords(graph.vertices))
  }

  static async open(worker: SearchRangeWorker): Promise<SearchWorker> {
    const { device, store, plan, task } = worker
    device.useThreads?.(task.threads)
    const grid = new SearchGrid(task.shared.rows, task.bounds)
    const search = new SearchWorker(worker, grid, await openSpace(worker, grid))
    await search.#loadDegrees()
    await store.loadAll(plan.batches)
    return search
  }

  /** Begins at the root, which is the frontier of all workers. @returns its arcs */
  async start(root: number): Promise<number> {
    const { levels } = this.#space
    const { device, graph, low, high } = this.#worker
    device.launch(bfsNone, high - low, { count: high - low }, { words: levels })
    const visited = this.#isolated.slice()
    visited[root >>> 5]! |= 1 << (root & 31)
    const isOwn = root >= low && root < high
    if (isOwn) await fillWords(device, levels, Uint32Array.of(0), root - low)
    await this.#begin(visited, isOwn ? Uint32Array.of(root) : new Uint32Array(0))
    this.#isKept = this.#keeps
    if (this.#keeps) await fillWords(device, this.#space.parents, Uint32Array.of(root), root)
    const list = graph.arcsOf(root)
    return list.end - list.first
  }

  /** Begins at the levels that another attempt kept, with `depth` the last of them. */
  async resume(depth: number): Promise<void> {
    const { device, task, low, high } = this.#worker
    const levels = task.shared.levels.array
    const visited = this.#isolated.slice()
    const ids = new WordList()
    for (let v = 0; v < levels.length; v++) {
      if (levels[v]! > depth) continue
      visited[v >>> 5]! |= 1 << (v & 31)
      if (levels[v] === depth && v >= low && v < high) ids.push(v)
    }
    if (!this.#isShared) await fillWords(device, this.#space.levels, levels.subarray(low, high))
    await this.#begin(visited, ids.words)
    this.#isKept = false
    await this.#worker.arrive('for the levels of the checkpoint')
  }

  async #begin(bits: Uint32Array, ids: Uint32Array): Promise<void> {
    const { device, task } = this.#worker
    const { visited, parents, next, counters } = this.#space
    const rows = this.#column.end - this.#column.first
    if (task.shared.parents !== undefined) device.launch(bfsNone, rows, { count: rows }, { words: parents })
    await fillWords(device, visited, bits)
    await fillWords(device, next, ids)
    await fillWords(device, counters, Uint32Array.of(ids.length))
    this.#left = this.#left.map(() => Infinity)
    this.#frontier = 'next'
    this.#count = ids.length
  }

  /** Goes from the frontier at level - 1 to that at `level`. @returns vertices and arcs of the own part of that */
  async level(level: number, isBottomUp: boolean): Promise<{ readonly found: number; readonly arcs: number }> {
    const { device, task, low } = this.#worker
    const { grid } = this.exchange
    await this.#expand(isBottomUp)
    device.clear(this.#space.counters, 0, LEVEL_COUNTERS)
    if (isBottomUp) await this.#bottomUp(level)
    else await this.#topDown(level)
    this.#frontier = this.#frontier === 'queue' ? 'next' : 'queue'
    await this.#fold(level, grid.peers(task.worker, isBottomUp ? 'column' : 'row'))
    const { counters, degrees } = this.#space
    const threads = Math.min(degrees.words, ARC_THREADS)
    device.launch(bfsArcs, threads, { low }, { next: this.#list, degrees, counters })
    const found = await this.#counters()
    this.#count = found[NEXT]!
    return { found: this.#count, arcs: found[ARCS]! + 2 ** 32 * found[ARCS + 1]! }
  }

  /** Has the levels of the own block in shared memory. */
  async publishLevels(): Promise<void> {
    const { device, task, low, high } = this.#worker
    const own = task.shared.levels.array.subarray(low, high)
    if (own.length > 0 && !this.#isShared) await device.read(this.#space.levels, 0, own.length, own)
    await this.#worker.arrive('for the levels')
  }

  /** Shares the own parents, once all levels are there. The least one of a column's workers is a vertex's. */
  async publishParents(): Promise<void> {
    const { device, plan, store, task } = this.#worker
    const { rows } = this.exchange.grid
    const { shared } = task
    if (shared.parents === undefined) return
    const { allLevels: levels, parents } = this.#space
    if (!this.#isShared) await fillWords(device, levels, shared.levels.array)
    const { first: base, end } = this.#column
    for (const batch of this.#isKept ? [] : plan.batches) {
      const { first, count } = batch
      const { offsets, targets } = await store.load(batch)
      device.launch(bfsParents, count, { first, rows: count, base }, { offsets, targets, levels, parents })
    }
    const all = shared.parents.array.subarray(base, end)
    if (rows === 1) {
      if (!this.#isShared && end > base) await device.read(parents, 0, end - base, all)
      return this.#worker.arrive('for the parents')
    }
    const found = end === base ? new Uint32Array(0) : await device.read(parents, 0, end - base)
    for (let row = 0; row < rows; row++) {
      if (task.worker % rows === row)
        for (let i = 0; i < found.length; i++) if (row === 0 || found[i]! < all[i]!) all[i] = found[i]!
      await this.#worker.arrive('for the parents of the column')
    }
  }

  release(): void {
    releaseBuffers(this.#worker.device, this.#space)
  }

  /** Whether levels, and parents of whole lists, are in shared memory at any time. */
  get #isShared(): boolean {
    const { device, task } = this.#worker
    return device.sharesMemory && task.shared.levels.memory !== undefined
  }

  /** Whether the lists of the whole frontier are here at once: no other worker and no other batch has a lesser parent. */
  get #keeps(): boolean {
    const { plan, task, workers } = this.#worker
    return task.shared.parents !== undefined && workers === 1 && plan.batches.length === 1
  }

  get #list() {
    return this.#space[this.#frontier]
  }

  get #otherList() {
    return this.#frontier === 'queue' ? this.#space.next : this.#space.queue
  }

  /** The frontier to those that scan from it: its column, as lists; before a level from below also its row, as bits. */
  async #expand(isBottomUp: boolean): Promise<void> {
    const { device, task, trace } = this.#worker
    const { exchange } = this
    const { frontier } = this.#space
    const columnPeers = exchange.grid.peers(task.worker, 'column')
    const rowPeers = isBottomUp ? exchange.grid.peers(task.worker, 'row') : []
    const own = this.#count
    if (isBottomUp) {
      device.clear(frontier, 0, frontier.words)
      if (own > 0) device.launch(bfsPack, own, { count: own }, { list: this.#list, bits: frontier })
    }
    if (columnPeers.length + rowPeers.length === 0) return
    await trace.span('exchange', 'expand: send', () => exchange.sendOwn(this.#list, own, isBottomUp))
    await this.#worker.arrive('for the frontier')
    const taken = { isNew: 1, low: 0, high: 0, level: 0 }
    for (const peer of columnPeers) this.#count += await exchange.receive('expand', peer, peer, this.#list, taken)
    for (const peer of rowPeers) await exchange.mark(peer)
  }

  async #topDown(level: number): Promise<void> {
    const { device, store, trace, plan, low, high } = this.#worker
    const { batches } = plan
    const { visited, levels, remote, counters } = this.#space
    const [count, queue] = [this.#count, this.#list]
    if (count === 0) return
    const next = this.#otherList
    const ids = batches.length > 1 ? await device.read(queue, 0, count) : undefined
    for (const batch of ids === undefined ? batches : batchesWith(batches, ids)) {
      const { offsets, targets } = await store.load(batch)
      const params = { count, first: batch.first, rows: batch.count, low, high, level }
      const buffers = { queue, offsets, targets, visited, levels, next, remote, counters }
      trace.span('kernel', `top down ${level}`, () => device.launch(bfsTopDown, count, params, buffers))
      if (this.#keeps) device.launch(bfsAdopt, count, params, { ...buffers, parents: this.#space.parents })
    }
  }

  async #bottomUp(level: number): Promise<void> {
    const { device, store, trace, plan, task, low, high } = this.#worker
    const { batches } = plan
    const { visited, levels, parents, counters, frontier } = this.#space
    const keeps = task.shared.parents !== undefined && this.exchange.grid.rows === 1
    const remote = keeps ? parents : this.#space.remote
    const next = this.#otherList
    let before = 0
    for (const [index, batch] of batches.entries()) {
      if (this.#left[index] === 0) continue
      const { offsets, targets } = await store.load(batch)
      const params = { first: batch.first, rows: batch.count, low, high, level, keeps: keeps ? 1 : 0 }
      const buffers = { offsets, targets, frontier, visited, levels, next, remote, counters }
      trace.span('kernel', `bottom up ${level}`, () => device.launch(bfsBottomUp, batch.count, params, buffers))
      if (batches.length === 1) continue
      const left = (await this.#counters())[LEFT]!
      this.#left[index] = left - before
      before = left
    }
  }

  /** What was found of other blocks to their owners. */
  async #fold(level: number, peers: readonly number[]): Promise<void> {
    if (peers.length === 0) return
    const { task, trace, low, high } = this.#worker
    const { exchange } = this
    const count = (await this.#counters())[REMOTE]!
    await trace.span('exchange', 'fold: send', () => exchange.sendFound(peers, count))
    await this.#worker.arrive('for what others found')
    const taken = { isNew: 0, low, high, level }
    for (const peer of peers) await exchange.receive('fold', peer, task.worker, this.#list, taken)
  }

  #counters(): Promise<Uint32Array> {
    return this.#worker.device.read(this.#space.counters, 0, LEVEL_COUNTERS)
  }

  async #loadDegrees(): Promise<void> {
    const { device, graph, low, high } = this.#worker
    for (const { first, degrees } of degreeRuns(graph, low, high)) {
      degrees.forEach((degree, i) => degree === 0 && (this.#isolated[(first + i) >>> 5]! |= 1 << ((first + i) & 31)))
      await fillWords(device, this.#space.degrees, degrees, first - low)
    }
  }
}
