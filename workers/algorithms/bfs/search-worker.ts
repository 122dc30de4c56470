import { bfsAdopt } from '../../../kernels/bfs/bfs-adopt.ts'
import { ARC_THREADS, bfsArcs } from '../../../kernels/bfs/bfs-arcs.ts'
import { bfsBottomUp } from '../../../kernels/bfs/bfs-bottom-up.ts'
import { bfsNone } from '../../../kernels/bfs/bfs-none.ts'
import { bfsPack } from '../../../kernels/bfs/bfs-pack.ts'
import { bfsParents } from '../../../kernels/bfs/bfs-parents.ts'
import { bfsReceive } from '../../../kernels/bfs/bfs-receive.ts'
import { ARCS, LEFT, LEVEL_COUNTERS, NEXT, REMOTE, bfsTopDown } from '../../../kernels/bfs/bfs-top-down.ts'
import type { Trace } from '../../base/trace.ts'
import { type Buffers, releaseBuffers } from '../../device/buffers.ts'
import { type Device, fillWords } from '../../device/device.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import { type ArcBatch, ArcStore, batchesWith } from '../arc-store.ts'
import { readersOf } from '../target-reader.ts'
import { DeviceSegments, type SpaceName, openSpace } from './device-segments.ts'
import type { FrontierTotals, SearchExchange } from './search-exchange.ts'
import { bitWords } from './search-grid.ts'

export const searchKernels = [bfsAdopt, bfsArcs, bfsBottomUp, bfsNone, bfsPack, bfsParents, bfsReceive, bfsTopDown]

export interface SearchPart {
  readonly device: Device
  readonly graph: GaloisGr
  readonly exchange: SearchExchange
  /** Of the vertices of the worker's column. */
  readonly batches: readonly ArcBatch[]
  /** Bytes on the device for arcs. */
  readonly arcBytes: number
  readonly trace: Trace
}

const VERTICES_PER_READ = 1 << 18

/** The steps of a level-synchronous search on one worker; search.ts has their order. */
export class SearchWorker {
  readonly store: ArcStore
  readonly #part: SearchPart
  readonly #own: Range
  readonly #space: Buffers<SpaceName>
  readonly #segments: DeviceSegments
  /** `queue` and `next` in turn. */
  #frontier: 'queue' | 'next' = 'queue'
  #count = 0
  /** Whether every level found the parents as well. */
  #isKept = false
  /** Bits of own vertices without neighbours: no search looks for them. */
  readonly #isolated: Uint32Array
  /** Of each batch: vertices that were not visited and have neighbours. */
  #left: number[]

  private constructor(part: SearchPart, space: Buffers<SpaceName>) {
    const { device, graph, arcBytes, trace, exchange } = part
    this.#part = part
    this.#space = space
    this.#own = exchange.grid.blockOf(exchange.worker)
    this.store = new ArcStore(
      device,
      graph,
      arcBytes,
      trace,
      readersOf(exchange.grid.workers),
      exchange.grid.arcChoice(exchange.worker),
    )
    this.#segments = new DeviceSegments(device, exchange, space)
    this.#left = part.batches.map(() => Infinity)
    this.#isolated = new Uint32Array(bitWords(exchange.grid.vertices))
  }

  static async open(part: SearchPart): Promise<SearchWorker> {
    const { device, exchange, batches } = part
    await device.prepare(searchKernels)
    const search = new SearchWorker(part, await openSpace(device, exchange))
    await search.#loadDegrees()
    for (const batch of batches) if (batches.length === 1 || search.store.hasRoom(batch)) await search.store.load(batch)
    return search
  }

  /** Where all workers begin: the root is the frontier. @returns its arcs */
  async start(root: number): Promise<number> {
    const { levels } = this.#space
    const { first, end } = this.#own
    const { device, graph } = this.#part
    device.launch(bfsNone, end - first, { count: end - first }, { words: levels })
    const visited = this.#isolated.slice()
    visited[root >>> 5]! |= 1 << (root & 31)
    const isOwn = root >= first && root < end
    if (isOwn) await fillWords(device, levels, Uint32Array.of(0), root - first)
    await this.#begin(visited, isOwn ? Uint32Array.of(root) : new Uint32Array(0))
    this.#isKept = this.#keeps
    if (this.#keeps) await fillWords(device, this.#space.parents, Uint32Array.of(root), root)
    const list = graph.arcsOf(root)
    return list.end - list.first
  }

  /** Likewise where another attempt ended, with `depth` the last of its levels. */
  async resume(depth: number): Promise<void> {
    const { device, exchange } = this.#part
    const { levels } = exchange.shared
    const { first, end } = this.#own
    const visited = this.#isolated.slice()
    const ids: number[] = []
    for (let v = 0; v < levels.length; v++) {
      if (levels[v]! > depth) continue
      visited[v >>> 5]! |= 1 << (v & 31)
      if (levels[v] === depth && v >= first && v < end) ids.push(v)
    }
    if (!this.#isShared) await fillWords(device, this.#space.levels, levels.subarray(first, end))
    await this.#begin(visited, Uint32Array.from(ids))
    this.#isKept = false
    await exchange.arrive('for the levels of the checkpoint')
  }

  async #begin(bits: Uint32Array, ids: Uint32Array): Promise<void> {
    const { device } = this.#part
    const { visited, parents, next, counters } = this.#space
    const rows = this.#column.end - this.#column.first
    if (this.#part.exchange.shared.parents !== undefined)
      device.launch(bfsNone, rows, { count: rows }, { words: parents })
    await fillWords(device, visited, bits)
    await fillWords(device, next, ids)
    await fillWords(device, counters, Uint32Array.of(ids.length))
    this.#left = this.#left.map(() => Infinity)
    this.#frontier = 'next'
    this.#count = ids.length
  }

  /** From the frontier at level - 1 to that at `level`. @returns its totals over all workers */
  async level(level: number, isBottomUp: boolean, keeps: boolean): Promise<FrontierTotals> {
    const { device, exchange } = this.#part
    const { grid, worker } = exchange
    await this.#expand(isBottomUp)
    device.clear(this.#space.counters, 0, LEVEL_COUNTERS)
    if (isBottomUp) await this.#bottomUp(level)
    else await this.#topDown(level)
    this.#frontier = this.#frontier === 'queue' ? 'next' : 'queue'
    await this.#fold(level, isBottomUp ? grid.columnPeers(worker) : grid.rowPeers(worker))
    const { counters, degrees } = this.#space
    const threads = Math.min(degrees.words, ARC_THREADS)
    device.launch(bfsArcs, threads, { low: this.#own.first }, { next: this.#list, degrees, counters })
    const found = await this.#counters()
    this.#count = found[NEXT]!
    return exchange.sum({ found: this.#count, arcs: found[ARCS]! + 2 ** 32 * found[ARCS + 1]!, keeps })
  }

  /** Has the levels of the own block in shared memory. */
  async publishLevels(): Promise<void> {
    const { device, exchange } = this.#part
    const { first, end } = this.#own
    const own = exchange.shared.levels.subarray(first, end)
    if (own.length > 0 && !this.#isShared) await device.read(this.#space.levels, 0, own.length, own)
    await exchange.arrive('for the levels')
  }

  /** Likewise the parents, once all levels are there. In a column the least one of its workers is a vertex's. */
  async publishParents(): Promise<void> {
    const { device, exchange, batches } = this.#part
    const { grid, worker, shared } = exchange
    if (shared.parents === undefined) return
    const { allLevels, parents } = this.#space
    if (!this.#isShared) await fillWords(device, allLevels, shared.levels)
    const { first: base, end } = this.#column
    for (const batch of this.#isKept ? [] : batches) {
      const { first, count: rows } = batch
      const { offsets, targets } = await this.store.load(batch)
      device.launch(bfsParents, rows, { first, rows, base }, { offsets, targets, levels: allLevels, parents })
    }
    const all = shared.parents.subarray(base, end)
    if (grid.rows === 1) {
      if (!this.#isShared && end > base) await device.read(parents, 0, end - base, all)
      await exchange.arrive('for the parents')
      return
    }
    const found = end === base ? new Uint32Array(0) : await device.read(parents, 0, end - base)
    for (let row = 0; row < grid.rows; row++) {
      if (worker % grid.rows === row)
        for (let i = 0; i < found.length; i++) if (row === 0 || found[i]! < all[i]!) all[i] = found[i]!
      await exchange.arrive('for the parents of the column')
    }
  }

  release(): void {
    this.store.release()
    releaseBuffers(this.#part.device, this.#space)
  }

  /** Whether levels, and parents of whole lists, are in shared memory at any time. */
  get #isShared(): boolean {
    const { device, exchange } = this.#part
    return device.sharesMemory && exchange.shared.memories.levels !== undefined
  }

  /** Whether the lists of the whole frontier are here at once: no other worker and no other batch has a lesser parent. */
  get #keeps(): boolean {
    const { exchange, batches } = this.#part
    return exchange.shared.parents !== undefined && exchange.grid.workers === 1 && batches.length === 1
  }

  get #column(): Range {
    const { grid, worker } = this.#part.exchange
    return grid.columnOf(worker)
  }

  get #list() {
    return this.#space[this.#frontier]
  }

  /** The frontier to those that scan from it: its column, as lists; before a level from below also its row, as bits. */
  async #expand(isBottomUp: boolean): Promise<void> {
    const { device, exchange, trace } = this.#part
    const { grid, worker } = exchange
    const { frontier } = this.#space
    const columnPeers = grid.columnPeers(worker)
    const rowPeers = isBottomUp ? grid.rowPeers(worker) : []
    const own = this.#count
    if (isBottomUp) {
      device.clear(frontier, 0, frontier.words)
      if (own > 0) device.launch(bfsPack, own, { count: own }, { list: this.#list, bits: frontier })
    }
    if (columnPeers.length === 0 && grid.columns === 1) return
    if (columnPeers.length === 0 && !isBottomUp) return
    await trace.span('exchange', 'expand: send', () => this.#segments.sendOwn(this.#list, this.#count, isBottomUp))
    await exchange.arrive('for the frontier')
    for (const peer of columnPeers) {
      const segment = exchange.take('expand', peer, peer)
      this.#count += segment.count
      await this.#segments.receive(segment, peer, this.#list, { isNew: 1, low: 0, high: 0, level: 0 })
    }
    for (const peer of rowPeers) await this.#segments.mark(exchange.take('expand', peer, peer), peer)
  }

  async #topDown(level: number): Promise<void> {
    const { device, batches, trace } = this.#part
    const { visited, levels, remote, counters } = this.#space
    const { first: low, end: high } = this.#own
    const [count, queue] = [this.#count, this.#list]
    if (count === 0) return
    const next = this.#frontier === 'queue' ? this.#space.next : this.#space.queue
    const ids = batches.length > 1 ? await device.read(queue, 0, count) : undefined
    for (const batch of ids === undefined ? batches : batchesWith(batches, ids)) {
      const { offsets, targets } = await this.store.load(batch)
      const params = { count, first: batch.first, rows: batch.count, low, high, level }
      const buffers = { queue, offsets, targets, visited, levels, next, remote, counters }
      trace.span('kernel', `top down ${level}`, () => device.launch(bfsTopDown, count, params, buffers))
      if (this.#keeps) device.launch(bfsAdopt, count, params, { ...buffers, parents: this.#space.parents })
    }
  }

  async #bottomUp(level: number): Promise<void> {
    const { device, batches, trace } = this.#part
    const { visited, levels, parents, counters, frontier } = this.#space
    const { first: low, end: high } = this.#own
    const { grid, shared } = this.#part.exchange
    const keeps = shared.parents !== undefined && grid.rows === 1
    const remote = keeps ? parents : this.#space.remote
    const next = this.#frontier === 'queue' ? this.#space.next : this.#space.queue
    let before = 0
    for (const [index, batch] of batches.entries()) {
      if (this.#left[index] === 0) continue
      const { offsets, targets } = await this.store.load(batch)
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
    const { exchange, trace } = this.#part
    const { first: low, end: high } = this.#own
    const count = (await this.#counters())[REMOTE]!
    await trace.span('exchange', 'fold: send', () => this.#segments.sendFound(peers, count))
    await exchange.arrive('for what others found')
    for (const peer of peers) {
      const segment = exchange.take('fold', peer, exchange.worker)
      await this.#segments.receive(segment, exchange.worker, this.#list, { isNew: 0, low, high, level })
    }
  }

  #counters(): Promise<Uint32Array> {
    return this.#part.device.read(this.#space.counters, 0, LEVEL_COUNTERS)
  }

  async #loadDegrees(): Promise<void> {
    const { device, graph } = this.#part
    const { first, end } = this.#own
    for (let from = first; from < end; from += VERTICES_PER_READ) {
      const to = Math.min(end, from + VERTICES_PER_READ)
      const offsets = graph.readOffsets(from, to)
      const degrees = Uint32Array.from({ length: to - from }, (_, i) => offsets[i + 1]! - offsets[i]!)
      degrees.forEach((degree, i) => degree === 0 && (this.#isolated[(from + i) >>> 5]! |= 1 << ((from + i) & 31)))
      await fillWords(device, this.#space.degrees, degrees, from - first)
    }
  }
}
