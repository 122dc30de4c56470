/**
 * How the workers of a scan share their states: processors have one array of bytes; several GPUs publish two bits each; a rank with one GPU
 * writes those of its slice. GPUs exchange bitmaps as MG-MIS does (ICS 2025, section 3.2), but with the states of all vertices on each in place
 * of queries and responses; decisions are final, so that none waits for another. graph/host-states.ts has the states themselves, residual/ the
 * exchange with other ranks.
 */

import type { HostMemory } from '../../../kernels/mis/host-kernels.ts'
import { sharedWords } from '../../base/words.ts'
import { ByteStates, type HostStates, PackedStates } from '../../graph/host-states.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import { stateWords } from '../../graph/vertex-set.ts'
import type { PieceScan, ScanSetup } from '../../streaming/piece-scan.ts'
import type { RankStates } from '../residual/rank-states.ts'

/** More deferred vertices than this take another pass; fewer lists are read one by one. */
export const MANY_DEFERRED = 1 << 14

/** Common to all workers of a scan. */
export interface SetSetup extends ScanSetup {
  readonly order: SetOrder
}

/**
 * What each of several GPUs published last, two bits a vertex; or what all workers know: bytes where processors take part, else two bits a vertex.
 * `rank`: its only GPU alone writes the slice.
 */
export type SharedStates =
  | { readonly kind: 'published'; readonly ofDevices: readonly Uint32Array[] }
  | { readonly kind: 'bytes' | 'packed' | 'rank'; readonly words: Uint32Array }

/** @param memory of processors @param isRank whether other ranks take part @returns undefined: processors share their own, and a worker that is alone needs none */
export function shareStates(
  vertices: number,
  memory: Pick<HostMemory, 'states'> | undefined,
  workers: number,
  hosts: number,
  isRank: boolean,
): SharedStates | undefined {
  if (!isRank && (workers === 1 || workers === hosts)) return undefined
  if (memory !== undefined) return { kind: 'bytes', words: memory.states }
  const words = (): Uint32Array => sharedWords(Math.max(1, stateWords(vertices)))
  if (isRank && workers === 1) return { kind: 'rank', words: new Uint32Array(stateWords(vertices)) }
  if (isRank) return { kind: 'packed', words: words() }
  return { kind: 'published', ofDevices: Array.from({ length: workers }, words) }
}

/** undefined: nothing on the host knows all that the workers published */
export function knownStates(vertices: number, shared: SharedStates | undefined): HostStates | undefined {
  if (shared === undefined || shared.kind === 'published') return undefined
  return shared.kind === 'bytes' ? new ByteStates(vertices, shared.words) : new PackedStates(vertices, shared.words)
}

/** Times the bytes that an exchange moves which a device scans between two of them. */
const SCANNED_PER_EXCHANGED = 64

/** States on a device, two bits a vertex. */
interface DeviceStates {
  packed(into?: Uint32Array, first?: number): Promise<Uint32Array>
  merge(words: Uint32Array, first?: number): Promise<void>
}

/** A device that exchanges its states. */
interface ExchangingDevice {
  readonly states: DeviceStates
  readonly source: PieceScan
  /** Undefined: the device is alone. */
  readonly shared: SharedStates | undefined
  /** Its index among the workers. */
  readonly index: number
  /** The ranks that it exchanges states with. */
  readonly ranks?: RankStates | undefined
}

/** A device's side of the exchange: it has the states of all vertices, pushes them into shared memory and pulls those of the others. */
export class ReplicatedExchange {
  bytes = 0
  waitMs = 0
  readonly #device: ExchangingDevice
  readonly #known: HostStates | undefined
  readonly #everyBytes: number
  #scanned = 0
  #isUnderWay = false
  #underWay: Promise<void> = Promise.resolve()

  constructor(device: ExchangingDevice) {
    const { vertices } = device.source.pieces.graph
    this.#device = device
    this.#known = knownStates(vertices, device.shared)
    this.#everyBytes = (SCANNED_PER_EXCHANGED * vertices) / 4
  }

  /** Begins an exchange where enough was scanned since the last one. The scan continues meanwhile: states only gain. */
  afterBatch(bytes: number): void {
    this.#scanned += bytes
    if (this.#device.shared === undefined || this.#isUnderWay) return
    if (this.#scanned < this.#everyBytes && this.#device.ranks?.isLate !== true) return
    // State bytes are 0, which is OUT, until processors have indexed.
    if (this.#device.shared.kind === 'bytes' && !this.#device.source.board.isReady) return
    this.#scanned = 0
    this.#isUnderWay = true
    this.#underWay = this.push()
      .then(() => this.#device.ranks?.publish())
      .then(() => this.pull())
      .finally(() => (this.#isUnderWay = false))
    // Thrown by the last exchange.
    this.#underWay.catch(() => {})
  }

  /** Settles when no exchange uses the device. */
  async idle(): Promise<void> {
    await this.#underWay.catch(() => {})
  }

  /** The last exchange, once every worker has visited its lists. @throws Failure (cancelled) */
  async finish(): Promise<void> {
    const { shared, source } = this.#device
    if (shared === undefined) return
    await this.#underWay
    if (shared.kind === 'bytes') await source.board.untilReady(source.signal)
    await this.push()
    source.board.arrive()
    await this.wait(() => source.board.untilAll(source.signal))
    await this.pull()
  }

  async wait<T>(others: () => Promise<T>): Promise<T> {
    const startMs = performance.now()
    const value = await this.#device.source.trace.span('wait', 'for other workers', others)
    this.waitMs += performance.now() - startMs
    return value
  }

  /** States as the device has them, two bits each. @returns those of all vertices, or of the rank's slice */
  async push(): Promise<Uint32Array> {
    const shared = this.#device.shared
    if (shared === undefined) return this.#device.states.packed()
    return this.#device.source.trace.span('exchange', 'push', async () => {
      const packed = await this.#packed(shared)
      this.bytes += packed.byteLength
      return packed
    })
  }

  async #packed(shared: SharedStates): Promise<Uint32Array> {
    if (shared.kind === 'published') return this.#device.states.packed(shared.ofDevices[this.#device.index])
    const own = this.#device.ranks?.own
    if (shared.kind === 'rank')
      return this.#device.states.packed(shared.words.subarray(own!.first, own!.end), own!.first)
    const packed = await this.#device.states.packed(own && new Uint32Array(own.end - own.first), own?.first)
    this.#known!.merge(packed, own?.first)
    return packed
  }

  /** All of them, once the first rank has decided what waited on others. */
  async pushAll(): Promise<Uint32Array> {
    const isFirst = this.#device.ranks?.exchange.rank === 0
    return isFirst && this.#device.shared?.kind === 'rank'
      ? this.#device.states.packed(this.#device.shared.words)
      : this.push()
  }

  async pull(): Promise<void> {
    const shared = this.#device.shared
    if (shared === undefined) return
    await this.#device.source.trace.span('exchange', 'pull', async () => {
      for (const { words, first } of this.#others(shared)) {
        this.bytes += words.byteLength
        await this.#device.states.merge(words, first)
      }
    })
  }

  #others(shared: SharedStates): readonly { readonly words: Uint32Array; readonly first: number }[] {
    if (shared.kind === 'published')
      return shared.ofDevices.filter((_, i) => i !== this.#device.index).map((words) => ({ words, first: 0 }))
    if (shared.kind !== 'rank') return [{ words: this.#known!.packed(), first: 0 }]
    const { first, end } = this.#device.ranks!.own
    return [
      { words: shared.words.subarray(0, first), first: 0 },
      { words: shared.words.subarray(end), first: end },
    ]
  }
}
