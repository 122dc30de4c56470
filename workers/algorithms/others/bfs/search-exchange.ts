import { bfsPack } from '../../../../kernels/bfs/bfs-pack.ts'
import { bfsReceive } from '../../../../kernels/bfs/bfs-receive.ts'
import { countOneBits } from '../../../../kernels/parts/count-bits.ts'
import { bitWords } from '../../../base/words.ts'
import { type Buffers, type DeviceBuffer, fillWords } from '../../../device/device.ts'
import type { RangeWorker } from '../../range-task.ts'
import type { SearchGrid, SharedSearch, SpaceName } from './search-space.ts'

/** Which of two exchanges: to the owners of what was found, or from an owner to those that scan from it. */
type Phase = 'fold' | 'expand'

/** How received vertices are taken: whether none of them came before, and which get the level. */
type Taken = Readonly<Record<'isNew' | 'low' | 'high' | 'level', number>>

/**
 * The exchange of a level (EPJ B 2015, section 3.3): `fold` sends what was found to its owners, `expand` what an owner found to those that
 * scan from it. A block of N / (R C) vertices goes as a list while that has at most N / (32 R C) ids, else as a bitmap, which a device packs
 * and unpacks.
 */
export class SearchExchange {
  /** Taken from other workers, as lists and as bitmaps; and segments that were not empty. */
  listBytes = 0
  bitmapBytes = 0
  transfers = 0
  readonly grid: SearchGrid
  readonly #worker: RangeWorker<SharedSearch>
  readonly #space: Buffers<SpaceName>

  constructor(worker: RangeWorker<SharedSearch>, grid: SearchGrid, space: Buffers<SpaceName>) {
    this.grid = grid
    this.#worker = worker
    this.#space = space
  }

  /** Sends the own part of the frontier. @param isPacked whether its bits are in `frontier` */
  async sendOwn(list: DeviceBuffer, count: number, isPacked: boolean): Promise<void> {
    const { device, task } = this.#worker
    const { frontier } = this.#space
    const { words, first } = this.#box('expand', task.worker, task.worker)
    if (count <= words.length) return this.#sendIds('expand', task.worker, await this.#idsOf(list, count))
    if (!isPacked) {
      device.clear(frontier, bitWords(first), words.length)
      device.launch(bfsPack, count, { count }, { list, bits: frontier })
    }
    await this.#sendBits('expand', task.worker)
  }

  /** Sends what was found of the blocks of these workers to each of them. */
  async sendFound(peers: readonly number[], count: number): Promise<void> {
    const { device, task } = this.#worker
    const { remote, frontier } = this.#space
    // Else a bitmap of all is the shorter way to the host.
    if (count <= peers.reduce((sum, peer) => sum + this.#box('fold', task.worker, peer).words.length, 0)) {
      const parts = this.#byOwner(await this.#idsOf(remote, count))
      for (const peer of peers) this.#sendIds('fold', peer, parts[peer]!)
      return
    }
    device.clear(frontier, 0, frontier.words)
    device.launch(bfsPack, count, { count }, { list: remote, bits: frontier })
    for (const peer of peers) await this.#sendBits('fold', peer)
  }

  /** Takes what a worker sent of a block into `visited` and a list. @returns how many vertices */
  async receive(phase: Phase, from: number, block: number, next: DeviceBuffer, taken: Taken): Promise<number> {
    const { device } = this.#worker
    const { inbox, visited, levels, counters } = this.#space
    const { count, isList, words, first } = this.#take(phase, from, block)
    if (count === 0) return 0
    await fillWords(device, inbox, words)
    const params = { count: words.length, isList: isList ? 1 : 0, first, ...taken }
    device.launch(bfsReceive, words.length, params, { inbox, visited, levels, next, counters })
    return count
  }

  /** Takes a worker's part of the frontier into its bits. */
  async mark(peer: number): Promise<void> {
    const { device } = this.#worker
    const { inbox, frontier } = this.#space
    const { count, isList, words, first } = this.#take('expand', peer, peer)
    await fillWords(device, isList ? inbox : frontier, words, isList ? 0 : bitWords(first))
    if (isList && count > 0) device.launch(bfsPack, count, { count }, { list: inbox, bits: frontier })
  }

  async #idsOf(list: DeviceBuffer, count: number): Promise<Uint32Array> {
    return count === 0 ? new Uint32Array(0) : this.#worker.device.read(list, 0, count)
  }

  #byOwner(ids: Uint32Array): Uint32Array[] {
    const { grid } = this
    const counts = new Uint32Array(grid.workers)
    const owners = Uint8Array.from(ids, (v) => grid.ownerOf(v))
    for (const owner of owners) counts[owner]!++
    const parts = Array.from(counts, (count) => new Uint32Array(count))
    for (let i = ids.length - 1; i >= 0; i--) parts[owners[i]!]![--counts[owners[i]!]!] = ids[i]!
    return parts
  }

  /** @param ids of vertices of that block, in any order */
  #sendIds(phase: Phase, block: number, ids: Uint32Array): void {
    const { words, first, index } = this.#box(phase, this.#worker.task.worker, block)
    if (ids.length <= words.length) words.set(ids)
    else {
      words.fill(0)
      for (const v of ids) words[(v - first) >>> 5]! |= 1 << (v & 31)
    }
    this.#worker.task.shared.counts[index] = ids.length
  }

  /** Sends the bits of a block; few become a list. */
  async #sendBits(phase: Phase, block: number): Promise<void> {
    const { device, task } = this.#worker
    const { words: bits, first, index } = this.#box(phase, task.worker, block)
    if (bits.length > 0) await device.read(this.#space.frontier, bitWords(first), bits.length, bits)
    let count = 0
    for (let i = 0; i < bits.length; i++) count += countOneBits(bits[i]!)
    if (count <= bits.length) {
      const ids = new Uint32Array(count)
      let slot = 0
      for (let i = 0; i < bits.length; i++)
        for (let word = bits[i]!; word !== 0; word &= word - 1)
          ids[slot++] = first + 32 * i + 31 - Math.clz32(word & -word)
      bits.set(ids)
    }
    task.shared.counts[index] = count
  }

  /** What a worker sent of a block: a list, or a bitmap where that is shorter. Valid until the next barrier but one. */
  #take(phase: Phase, from: number, block: number) {
    const { words: all, first, index } = this.#box(phase, from, block)
    const count = this.#worker.task.shared.counts[index]!
    const isList = count <= all.length
    const words = isList ? all.subarray(0, count) : all
    if (count > 0) this.transfers++
    if (isList) this.listBytes += words.byteLength
    else this.bitmapBytes += words.byteLength
    return { count, isList, words, first }
  }

  /** The box of a block's vertices: as many words as a bitmap takes, or as a list may. */
  #box(phase: Phase, from: number, block: number) {
    const { folded, expanded, listsOnly } = this.#worker.task.shared
    const { workers, bounds } = this.grid
    const [first, end] = [bounds[block]!, bounds[block + 1]!]
    const all = phase === 'fold' ? folded[from]! : expanded
    const words = listsOnly ? all.subarray(first, end) : all.subarray(bitWords(first), bitWords(end))
    return { words, first, index: (phase === 'fold' ? 0 : workers ** 2) + from * workers + block }
  }
}
