import { LONG, LONGEST, SCAN_COUNTS } from '../../../kernels/matching/match-state.ts'
import { matchEnds } from '../../../kernels/matching/match-ends.ts'
import type { EdgeRule } from '../../../kernels/parts/edge-order.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import type { StopSignal } from '../../base/job.ts'
import { DeviceStream } from '../../streaming/device-stream.ts'
import { PieceReader } from '../../streaming/piece-reader.ts'
import type { Trace } from '../../base/trace.ts'
import { bestKernels, lookAtLists } from './best-kernels.ts'
import { indexEnds } from './device-ends.ts'
import { type ListSource, type Segment, DeviceLists } from './device-lists.ts'
import { DeviceRounds, roundKernels } from './device-rounds.ts'
import type { MatchSetup } from './match-setup.ts'
import { type MatchSpace, allocateSpace, releaseSpace } from './match-space.ts'
import { BATCH_BUFFERS, BATCH_PIECES, longLists } from './match-plan.ts'

type Setup = Omit<MatchSetup, 'memory'>

export const matchKernels = (candidates: number, rule: EdgeRule) => ({
  ...bestKernels(candidates, rule),
  ...roundKernels(candidates),
  ends: matchEnds,
})

/**
 * LD-GPU (SC 2024, Algorithm 1) on a device that holds the graph: lists are scanned while the next are copied, then rounds are queued ahead of the
 * host. A vertex whose candidates are all matched scans its list again within the round.
 */
export class DeviceMatching {
  readonly reader: PieceReader
  readonly rounds: DeviceRounds
  readonly #device: Device
  readonly #setup: Setup
  readonly #kernels: ReturnType<typeof matchKernels>
  readonly #space: MatchSpace
  readonly #source: ListSource
  readonly #lists: DeviceLists
  #longest = Infinity

  private constructor(
    device: Device,
    setup: Setup,
    kernels: ReturnType<typeof matchKernels>,
    space: MatchSpace,
    source: ListSource,
  ) {
    this.#device = device
    this.#setup = setup
    this.#kernels = kernels
    this.#space = space
    this.#source = source
    this.#lists = new DeviceLists(device, source)
    this.reader = source.reader
    this.rounds = new DeviceRounds(device, setup.graph, kernels, space, source.signal)
  }

  /** @param file the graph's, open for reading. @throws Failure (device) where the device has not the memory */
  static async open(
    device: Device,
    setup: Setup,
    file: number,
    trace: Trace,
    signal: StopSignal,
  ): Promise<DeviceMatching> {
    const { graph, crcs, candidates, order } = setup
    const { vertices, arcs } = graph
    const pieces = new GraphPieces(graph, file)
    const reader = new PieceReader(graph, file, crcs)
    const kernels = matchKernels(candidates, order)
    const batchWords = Math.ceil(Math.min(graph.bytes, BATCH_PIECES * PIECE_BYTES) / 4)
    const layout = { batchWords, buffers: BATCH_BUFFERS }
    const [space, stream] = await Promise.all([
      allocateSpace(device, { vertices, candidates, longs: longLists(vertices, arcs), collects: false }),
      DeviceStream.open(device, { pieces, reader, crcs, trace, signal }, layout),
      device.prepare(Object.values(kernels)),
    ])
    return new DeviceMatching(device, setup, kernels, space, { setup, pieces, reader, stream, trace, signal })
  }

  /** Ends of all lists. @throws Failure (input) where they descend */
  async index(): Promise<void> {
    this.#longest = await indexEnds(this.#device, this.#source, this.#space, BATCH_PIECES)
  }

  /**
   * Copies all lists, and every vertex keeps its candidates.
   * @param allFree no vertex has a mate yet
   * @param afterBatch called with the bytes copied, of how many
   */
  async scan(allFree: boolean, afterBatch: (bytes: number, total: number) => void): Promise<void> {
    await this.#lists.bring((part) => this.#scan(part, allFree), afterBatch)
  }

  /** @returns false where rounds change so little that the host should resume */
  match(afterRounds: () => Promise<void>): Promise<boolean> {
    const { again, counters } = this.#space
    const look = (counts: number): void => {
      for (const [i, segment] of this.#lists.segments.entries()) {
        if (i > 0) this.#device.clear(counters, counts + LONG, LONGEST + 1 - LONG)
        this.#look(segment, counts, false, again)
      }
    }
    // No list is longer than the candidates: none is scanned again.
    const isNeeded = this.#longest > this.#setup.candidates
    return this.rounds.run({ look: isNeeded ? look : undefined, isLast: true, afterRounds })
  }

  /** @throws Failure (input) where the file is not what was written */
  verify(): Promise<void> {
    return this.#source.stream.verify()
  }

  release(): void {
    releaseSpace(this.#device, this.#space)
    this.#lists.release()
    this.#source.stream.release()
  }

  #scan(segment: Segment, allFree: boolean): void {
    this.#device.clear(this.#space.counters, SCAN_COUNTS + LONG, LONGEST + 1 - LONG)
    this.#look(segment, SCAN_COUNTS, allFree)
  }

  #look(segment: Segment, counts: number, allFree: boolean, again?: DeviceBuffer): void {
    const { first, end, targets, weightBits, origin, weightsAt } = segment
    const { ends, kept, matched, longs, counters } = this.#space
    const listed = again && { buffer: again, most: end - first }
    const longest = this.#longest
    const looks = { first, end, origin, weightsAt, listed, allFree, keptFirst: 0, counts, longest }
    const buffers = { ends, targets, weightBits, matched, kept, longs, counters }
    lookAtLists(this.#device, this.#kernels, looks, this.#setup.order, buffers)
  }
}
