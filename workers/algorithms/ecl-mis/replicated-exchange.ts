import type { StopSignal } from '../../base/job.ts'
import type { Trace } from '../../base/trace.ts'
import { stateWords } from '../../graph/vertex-states.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import type { DeviceScan } from './device-scan.ts'
import { ByteStates, type HostStates, PackedStates } from './host-states.ts'
import type { Processors } from './processors.ts'
import type { RankStates } from './rank-states.ts'
import type { ScanSetup } from './scan-setup.ts'

/** States that several workers share, two bits each: what each of several GPUs published last. */
interface PublishedStates {
  readonly kind: 'published'
  readonly ofDevices: readonly Uint32Array[]
}

/** A byte each where processors take part, else two bits each: what all know. `rank`: of a rank with one GPU, which alone writes those of its slice. */
interface KnownStates {
  readonly kind: 'bytes' | 'packed' | 'rank'
  readonly words: Uint32Array
}

export type SharedStates = PublishedStates | KnownStates

/** @param devices how many take part @param isRank whether other ranks do, too */
export function shareStates(
  vertices: number,
  processors: Processors | undefined,
  devices: number,
  isRank: boolean,
): SharedStates {
  if (processors !== undefined) return { kind: 'bytes', words: processors.memory.states }
  const words = (): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, stateWords(vertices))))
  if (isRank && devices === 1) return { kind: 'rank', words: new Uint32Array(stateWords(vertices)) }
  if (isRank) return { kind: 'packed', words: words() }
  return { kind: 'published', ofDevices: Array.from({ length: devices }, words) }
}

/** undefined: nothing on the host knows all that the workers published */
export function knownStates(vertices: number, shared: SharedStates | undefined): HostStates | undefined {
  if (shared === undefined || shared.kind === 'published') return undefined
  return shared.kind === 'bytes' ? new ByteStates(vertices, shared.words) : new PackedStates(vertices, shared.words)
}

/** Between two exchanges a device scans this many times the bytes that an exchange moves. */
const SCANNED_PER_EXCHANGED = 64

/**
 * Where states are exchanged: MG-MIS (ICS 2025, section 3.2) with replicated states in place of queries and responses. Every device has the
 * states of all vertices, pushes its own into shared memory and pulls those of the others.
 */
export class ReplicatedExchange {
  bytes = 0
  waitMs = 0
  readonly #scan: DeviceScan
  readonly #board: ScanBoard
  readonly #shared: SharedStates | undefined
  readonly #known: HostStates | undefined
  /** Among the devices. */
  readonly #place: number
  readonly #signal: StopSignal
  readonly #trace: Trace
  readonly #everyBytes: number
  readonly #waitsForIndex: boolean
  readonly #ranks: RankStates | undefined
  #scanned = 0
  #isUnderWay = false
  #underWay: Promise<void> = Promise.resolve()

  /** @param shared undefined: the device is alone @param place of the device among all @param ranks that it exchanges states with */
  constructor(
    scan: DeviceScan,
    { graph, board }: ScanSetup,
    shared: SharedStates | undefined,
    place: number,
    signal: StopSignal,
    trace: Trace,
    ranks?: RankStates,
  ) {
    this.#scan = scan
    this.#ranks = ranks
    this.#board = new ScanBoard(board)
    this.#shared = shared
    this.#known = knownStates(graph.vertices, shared)
    this.#place = place
    this.#signal = signal
    this.#trace = trace
    this.#everyBytes = (SCANNED_PER_EXCHANGED * graph.vertices) / 4
    this.#waitsForIndex = shared?.kind === 'bytes'
  }

  /** Begins an exchange where enough was scanned since the last one. The scan continues meanwhile: states only gain. */
  afterBatch(bytes: number): void {
    this.#scanned += bytes
    if (this.#shared === undefined || this.#isUnderWay) return
    if (this.#scanned < this.#everyBytes && this.#ranks?.isLate !== true) return
    // State bytes are 0, which is OUT, until processors have indexed.
    if (this.#waitsForIndex && !this.#board.isReady) return
    this.#scanned = 0
    this.#isUnderWay = true
    this.#underWay = this.push()
      .then(() => this.#ranks?.publish())
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
    if (this.#shared === undefined) return
    await this.#underWay
    if (this.#waitsForIndex) await this.#board.untilReady(this.#signal)
    await this.push()
    this.#board.arrive()
    await this.wait(() => this.#board.untilAll(this.#signal))
    await this.pull()
  }

  async wait<T>(others: () => Promise<T>): Promise<T> {
    const startMs = performance.now()
    const value = await this.#trace.span('wait', 'for other workers', others)
    this.waitMs += performance.now() - startMs
    return value
  }

  /** States as the device has them, two bits each. @returns those of all vertices, or of the rank's slice */
  async push(): Promise<Uint32Array> {
    const shared = this.#shared
    if (shared === undefined) return this.#scan.packed()
    return this.#trace.span('exchange', 'push', async () => {
      const packed = await this.#packed(shared)
      this.bytes += packed.byteLength
      return packed
    })
  }

  async #packed(shared: SharedStates): Promise<Uint32Array> {
    if (shared.kind === 'published') return this.#scan.packed(shared.ofDevices[this.#place])
    const own = this.#ranks?.own
    if (shared.kind === 'rank') return this.#scan.packed(shared.words.subarray(own!.first, own!.end), own)
    const packed = await this.#scan.packed(undefined, own)
    this.#known!.merge(packed, own?.first)
    return packed
  }

  /** All of them, once the first rank has decided what waited on others. */
  async pushAll(): Promise<Uint32Array> {
    const isFirst = this.#ranks?.exchange.rank === 0
    return isFirst && this.#shared?.kind === 'rank' ? this.#scan.packed(this.#shared.words) : this.push()
  }

  async pull(): Promise<void> {
    const shared = this.#shared
    if (shared === undefined) return
    await this.#trace.span('exchange', 'pull', async () => {
      for (const { words, first } of this.#others(shared)) {
        this.bytes += words.byteLength
        await this.#scan.merge(words, first)
      }
    })
  }

  #others(shared: SharedStates): readonly { readonly words: Uint32Array; readonly first: number }[] {
    if (shared.kind === 'published')
      return shared.ofDevices.filter((_, i) => i !== this.#place).map((words) => ({ words, first: 0 }))
    if (shared.kind !== 'rank') return [{ words: this.#known!.packed(), first: 0 }]
    const { first, end } = this.#ranks!.own
    return [
      { words: shared.words.subarray(0, first), first: 0 },
      { words: shared.words.subarray(end), first: end },
    ]
  }
}
