import { bfsPack } from '../../../kernels/bfs/bfs-pack.ts'
import { bfsReceive } from '../../../kernels/bfs/bfs-receive.ts'
import { LEVEL_COUNTERS } from '../../../kernels/bfs/bfs-top-down.ts'
import { type Buffers, allocateBuffers } from '../../device/buffers.ts'
import { type Device, type DeviceBuffer, fillWords } from '../../device/device.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import type { SearchExchange, Segment } from './search-exchange.ts'
import { type SearchGrid, bitWords } from './search-grid.ts'

export type SpaceName =
  | 'visited'
  | 'frontier'
  | 'levels'
  | 'degrees'
  | 'queue'
  | 'next'
  | 'remote'
  | 'inbox'
  | 'counters'
  | 'allLevels'
  | 'parents'

/** Words of a worker's buffers beside its arcs. */
export function searchSpace(grid: SearchGrid, worker: number, parents: boolean): Readonly<Record<SpaceName, number>> {
  const size = ({ first, end }: Range): number => end - first
  const { vertices, workers, rows } = grid
  const [own, column] = [size(grid.blockOf(worker)), size(grid.columnOf(worker))]
  const bits = bitWords(vertices)
  const remote = workers === 1 ? 0 : rows === 1 ? vertices - own : vertices
  const inbox = workers === 1 ? 0 : Math.max(...grid.bounds.slice(1).map((end, i) => end - grid.bounds[i]!))
  return {
    ...{ visited: bits, frontier: bits, levels: own, degrees: own, queue: column, next: column, remote, inbox },
    ...{ counters: LEVEL_COUNTERS, allLevels: parents ? vertices : 0, parents: parents ? column : 0 },
  }
}

export const searchSpaceBytes = (grid: SearchGrid, worker: number, parents: boolean): number =>
  4 * Object.values<number>(searchSpace(grid, worker, parents)).reduce((sum, words) => sum + words, 0)

/** A worker's buffers. Processors share levels, and parents found in whole lists. */
export async function openSpace(device: Device, { grid, worker, shared }: SearchExchange): Promise<Buffers<SpaceName>> {
  const { levels, allLevels, ...others } = searchSpace(grid, worker, shared.parents !== undefined)
  const { memories } = shared
  if (!device.sharesMemory || memories.levels === undefined)
    return allocateBuffers(device, { levels, allLevels, ...others })
  const { first, end } = grid.blockOf(worker)
  const space = {
    ...(await allocateBuffers(device, others)),
    levels: await device.share('levels', shared.levels.subarray(first, end), memories.levels),
    allLevels: await device.share('levels of all', shared.levels, memories.levels),
  }
  if (grid.rows > 1 || shared.parents === undefined || memories.parents === undefined) return space
  device.release(space.parents)
  return { ...space, parents: await device.share('parents', shared.parents.subarray(first, end), memories.parents) }
}

/** How received vertices are taken: whether none of them came before, and which get the level. */
interface Taken {
  readonly isNew: number
  readonly low: number
  readonly high: number
  readonly level: number
}

/** Lists and bitmaps of an exchange on their way from and to a device, which packs and unpacks them (EPJ B 2015, section 3.3). */
export class DeviceSegments {
  readonly #device: Device
  readonly #exchange: SearchExchange
  readonly #space: Buffers<SpaceName>

  constructor(device: Device, exchange: SearchExchange, space: Buffers<SpaceName>) {
    this.#device = device
    this.#exchange = exchange
    this.#space = space
  }

  /** The own part of the frontier. @param isPacked whether its bits are in `frontier` */
  async sendOwn(list: DeviceBuffer, count: number, isPacked: boolean): Promise<void> {
    const [device, exchange] = [this.#device, this.#exchange]
    const { worker } = exchange
    const { frontier } = this.#space
    if (exchange.isList(worker, count)) {
      exchange.sendIds('expand', worker, count === 0 ? new Uint32Array(0) : await device.read(list, 0, count))
      return
    }
    const at = bitWords(exchange.grid.bounds[worker]!)
    const bits = exchange.bitsTo('expand', worker)
    if (!isPacked) {
      device.clear(frontier, at, bits.length)
      device.launch(bfsPack, count, { count }, { list, bits: frontier })
    }
    await device.read(frontier, at, bits.length, bits)
    exchange.sendBits('expand', worker)
  }

  /** What was found of the blocks of these workers, to each of them. */
  async sendFound(peers: readonly number[], count: number): Promise<void> {
    const [device, exchange] = [this.#device, this.#exchange]
    const { remote, frontier } = this.#space
    if (exchange.mayBeLists(peers, count)) {
      const ids = count === 0 ? new Uint32Array(0) : await device.read(remote, 0, count)
      for (const [i, part] of this.#byOwner(ids, peers).entries()) exchange.sendIds('fold', peers[i]!, part)
      return
    }
    device.clear(frontier, 0, frontier.words)
    device.launch(bfsPack, count, { count }, { list: remote, bits: frontier })
    for (const peer of peers) {
      const bits = exchange.bitsTo('fold', peer)
      if (bits.length > 0) await device.read(frontier, bitWords(exchange.grid.bounds[peer]!), bits.length, bits)
      exchange.sendBits('fold', peer)
    }
  }

  #byOwner(ids: Uint32Array, peers: readonly number[]): Uint32Array[] {
    const { grid } = this.#exchange
    const counts = new Uint32Array(grid.workers)
    const owners = Uint8Array.from(ids, (v) => grid.ownerOf(v))
    for (const owner of owners) counts[owner]!++
    const parts = Array.from(counts, (count) => new Uint32Array(count))
    for (let i = ids.length - 1; i >= 0; i--) parts[owners[i]!]![--counts[owners[i]!]!] = ids[i]!
    return peers.map((peer) => parts[peer]!)
  }

  /** Takes a segment of a block into `visited` and a list. */
  async receive({ count, isList, words }: Segment, block: number, next: DeviceBuffer, taken: Taken): Promise<void> {
    if (count === 0) return
    const [device, exchange] = [this.#device, this.#exchange]
    const { inbox, visited, levels, counters } = this.#space
    await fillWords(device, inbox, words)
    const { first } = exchange.grid.blockOf(block)
    const params = { at: 0, count: words.length, isList: isList ? 1 : 0, first, ...taken }
    device.launch(bfsReceive, words.length, params, { inbox, visited, levels, next, counters })
  }

  /** Takes a segment of a block into the bits of the frontier. */
  async mark({ count, isList, words }: Segment, block: number): Promise<void> {
    if (count === 0) return
    const [device, exchange] = [this.#device, this.#exchange]
    const { inbox, frontier } = this.#space
    const into = isList ? inbox : frontier
    const at = isList ? 0 : bitWords(exchange.grid.bounds[block]!)
    await fillWords(device, into, words, at)
    if (isList) device.launch(bfsPack, count, { count }, { list: inbox, bits: frontier })
  }
}
