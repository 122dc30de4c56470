import type { StopSignal } from '../../base/job.ts'
import type { Trace } from '../../base/trace.ts'
import { stateWords } from '../../graph/vertex-states.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import type { DeviceScan } from './device-scan.ts'
import { ByteStates, type HostStates, PackedStates } from './host-states.ts'
import type { Processors } from './processors.ts'
import type { ScanSetup } from './scan-setup.ts'

/** States that several workers share: a byte each where processors take part, else two bits each. */
export interface SharedStates {
  readonly kind: 'bytes' | 'packed'
  readonly words: Uint32Array
}

export function shareStates(vertices: number, processors: Processors | undefined): SharedStates {
  if (processors !== undefined) return { kind: 'bytes', words: processors.memory.states }
  return { kind: 'packed', words: new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, stateWords(vertices)))) }
}

export function statesOf(vertices: number, { kind, words }: SharedStates): HostStates {
  return kind === 'bytes' ? new ByteStates(vertices, words) : new PackedStates(vertices, words)
}

/** Between two exchanges a device scans this many times the bytes that an exchange moves. */
const SCANNED_PER_EXCHANGED = 16

/**
 * Where states are exchanged: MG-MIS (ICS 2025, section 3.2) with replicated states in place of queries and responses. Every device has the
 * states of all vertices, pushes its own into shared memory and pulls those of the others.
 */
export class ReplicatedExchange {
  bytes = 0
  waitMs = 0
  readonly #scan: DeviceScan
  readonly #board: ScanBoard
  readonly #states: HostStates | undefined
  readonly #signal: StopSignal
  readonly #trace: Trace
  readonly #everyBytes: number
  readonly #waitsForIndex: boolean
  #scanned = 0
  #isUnderWay = false
  #underWay: Promise<void> = Promise.resolve()

  /** @param shared undefined: the device is alone */
  constructor(
    scan: DeviceScan,
    { graph, board }: ScanSetup,
    shared: SharedStates | undefined,
    signal: StopSignal,
    trace: Trace,
  ) {
    this.#scan = scan
    this.#board = new ScanBoard(board)
    this.#states = shared && statesOf(graph.vertices, shared)
    this.#signal = signal
    this.#trace = trace
    this.#everyBytes = (SCANNED_PER_EXCHANGED * graph.vertices) / 4
    this.#waitsForIndex = shared?.kind === 'bytes'
  }

  /** Begins an exchange where enough was scanned since the last one. The scan continues meanwhile: states only gain. */
  afterBatch(bytes: number): void {
    this.#scanned += bytes
    if (this.#states === undefined || this.#isUnderWay || this.#scanned < this.#everyBytes) return
    // State bytes are 0, which is OUT, until processors have indexed.
    if (this.#waitsForIndex && !this.#board.isIndexed) return
    this.#scanned = 0
    this.#isUnderWay = true
    this.#underWay = this.#exchange(this.#states).finally(() => (this.#isUnderWay = false))
    // Thrown by the last exchange.
    this.#underWay.catch(() => {})
  }

  /** Settles when no exchange uses the device. */
  async idle(): Promise<void> {
    await this.#underWay.catch(() => {})
  }

  /** The last exchange, once every worker has visited its lists. @throws Failure (cancelled) */
  async finish(): Promise<void> {
    if (this.#states === undefined) return
    await this.#underWay
    if (this.#waitsForIndex) await this.#board.untilIndexed(this.#signal)
    await this.#push(this.#states)
    this.#board.arrive()
    const startMs = performance.now()
    await this.#trace.span('wait', 'for other workers', () => this.#board.untilAll(this.#signal))
    this.waitMs += performance.now() - startMs
    await this.#pull(this.#states)
  }

  async #exchange(states: HostStates): Promise<void> {
    await this.#push(states)
    await this.#pull(states)
  }

  async #push(states: HostStates): Promise<void> {
    await this.#trace.span('exchange', 'push', async () => {
      const packed = await this.#scan.packed()
      this.bytes += packed.byteLength
      states.merge(packed)
    })
  }

  async #pull(states: HostStates): Promise<void> {
    await this.#trace.span('exchange', 'pull', async () => {
      const packed = states.packed()
      this.bytes += packed.byteLength
      await this.#scan.merge(packed)
    })
  }
}
