/**
 * Adjacency lists in a device's memory for a matching: all of them in as many buffers as kernels can bind, or one batch after another, each with
 * its weights. Batches come from the task board in file order, from the front or the back, and are read and copied while kernels look at the one
 * before (streaming/device-stream.ts). Lists are scanned by a thread, a thread group or a workgroup each, by their length. device-matching.ts
 * and scan-on-device.ts say what is done with them.
 */

import { counter } from '../../../kernels/matching/match-state.ts'
import { matchEnds } from '../../../kernels/matching/match-ends.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import { type Device, type DeviceBuffer, fillWords } from '../../device/device.ts'
import type { Range } from '../../base/ranges.ts'
import { DeviceStream, type ListBatch } from '../../streaming/device-stream.ts'
import type { PieceScan } from '../../streaming/piece-scan.ts'
import {
  type MatchSetup,
  originsFrom,
  BATCH_BUFFERS,
  LONGER,
  LONGEST_OF_A_GROUP,
  batchWordsOf,
  weightWordsOf,
} from './match-setup.ts'
import { matchBest } from '../../../kernels/matching/match-best.ts'
import { matchBestShared } from '../../../kernels/matching/match-best-shared.ts'
import type { EdgeOrderParams } from '../../../kernels/parts/edge-order.ts'

/** Vertices with lists in one buffer. */
export interface Segment extends Range {
  readonly targets: DeviceBuffer
  readonly weightBits: DeviceBuffer
  /** Arcs of the first words, modulo 2^32. */
  readonly origin: number
  readonly weightsAt: number
}

/**
 * From where a device takes units, if all that do take batches of the same size. Where hubs come first, those at the front have few vertices, whose
 * candidates are soon published.
 */
export type Side = 'front' | 'back'

export interface ListLayout {
  readonly batchPieces: number
  /** Words of a buffer for packed blocks; 0: processors unpack. */
  readonly packedWords: number
  /** undefined: beside processors, which know the ends of the lists. */
  readonly side: Side | undefined
  /** Whether all lists stay on the device. */
  readonly keepsLists: boolean
}

/** Queues the work on some lists. */
type Work = (lists: Segment) => void | Promise<void>

/** A segment that stays, and its pieces of the file. */
interface ResidentSegment extends Segment {
  readonly pieces: Range
}

/** Adjacency lists in a device's memory: one batch after another, or all, in as many buffers as kernels can bind. */
export class DeviceLists {
  readonly batchWords: number
  /** Lists that stay. */
  readonly segments: Segment[] = []
  readonly #device: Device
  readonly #setup: MatchSetup
  readonly #layout: ListLayout
  readonly #scan: PieceScan
  readonly #pieces: PieceScan['pieces']
  /** Batches taken from the back. */
  #taken = 0
  #deferred: number[] = []
  #stream: DeviceStream | undefined
  #weights: DeviceBuffer | undefined

  constructor(device: Device, setup: MatchSetup, layout: ListLayout, scan: PieceScan) {
    const { graph } = setup
    this.#device = device
    this.#setup = setup
    this.#layout = layout
    this.#scan = scan
    this.#pieces = scan.pieces
    this.batchWords = batchWordsOf(graph.bytes, layout.batchPieces, layout.keepsLists ? 0 : undefined)
  }

  /** @throws Failure (device) where the device has not the memory */
  async open(): Promise<void> {
    const { packedWords } = this.#layout
    const layout = { batchWords: this.batchWords, buffers: BATCH_BUFFERS, packedWords }
    this.#stream = await DeviceStream.open(this.#device, this.#scan, layout)
    if (this.#setup.readsWeights && !this.#layout.keepsLists)
      this.#weights = await this.#device.allocate('weights', weightWordsOf(this.batchWords))
  }

  /**
   * Ends of all lists.
   * @returns the length of the longest, or Infinity
   * @throws Failure (input) where the offsets descend
   */
  async ends({ ends, counters }: Readonly<Record<'ends' | 'counters', DeviceBuffer>>): Promise<number> {
    if (this.#layout.side === undefined) {
      await fillWords(this.#device, ends, this.#setup.memory.ends)
      return Infinity
    }
    const device = this.#device
    device.clear(counters, counter.DAMAGE, 1)
    device.clear(counters, counter.LONGEST_LIST, 1)
    await this.#stream!.runOffsets(this.#layout.batchPieces, 1, (raw, { end, ...from }) => {
      const count = end - from.first
      device.launch(matchEnds, count, { count, ...from }, { raw, ends, counters })
    })
    // Damaged offsets may mean a list of 2^31 arcs.
    const counts = await device.read(counters, 0, counter.COUNT)
    this.#scan.requireAscending(counts[counter.DAMAGE] === 0)
    return counts[counter.LONGEST_LIST]!
  }

  /** @returns vertices of units from the board whose lists are longer than a batch */
  async run(work: Work): Promise<readonly number[]> {
    this.#deferred = []
    this.#taken = 0
    if (this.#layout.keepsLists) for (const each of await this.#layOut()) await this.#bring(each, work)
    else
      await this.#stream!.run(
        'lists',
        () => this.#take(),
        async (targets, { vertices, pieces }) => {
          const origin = this.#pieces.originOf(pieces.first)
          await work({ ...vertices, targets, origin, ...(await this.#weightsOf(vertices, targets)) })
        },
      )
    return this.#deferred
  }

  /** @throws Failure (input) where the file is not what was written */
  verify(): Promise<void> {
    return this.#stream!.verify()
  }

  release(): void {
    this.#stream?.release()
    const buffers = this.segments.flatMap(({ targets, weightBits }) => [targets, weightBits])
    for (const buffer of new Set([...buffers, this.#weights])) if (buffer !== undefined) this.#device.release(buffer)
  }

  /** The next units of the board, without lists that a batch has no room for. */
  #take(): ListBatch | undefined {
    const { own } = this.#setup
    const first = this.#firstUnit(own.units)
    if (first === undefined) return undefined
    const end = Math.min(own.units.end, first + this.#layout.batchPieces)
    const lists = this.#stream!.lists({ first, end }, own.vertices)
    this.#deferred.push(...lists.cut)
    return lists
  }

  /** The board counts all units: as long as some are left, front and back do not meet. No GPU indexes from the board, so the front has that counter. */
  #firstUnit({ first, end }: Range): number | undefined {
    const { batchPieces: most, side } = this.#layout
    const before = this.#scan.board.take('lists', most)
    if (before >= end) return undefined
    if (side === undefined) return before
    if (side === 'front') return first + this.#scan.board.take('index', most)
    return first + most * (Math.ceil((end - first) / most) - ++this.#taken)
  }

  /** Copies the weights of some lists, where they are read. */
  async #weightsOf({ first, end }: Range, targets: DeviceBuffer): Promise<Pick<Segment, 'weightBits' | 'weightsAt'>> {
    const { graph, readsWeights } = this.#setup
    if (!readsWeights || first === end) return { weightBits: targets, weightsAt: 0 }
    const from = graph.weights!.at + 4 * this.#pieces.endOf(first - 1)
    const upTo = graph.weights!.at + 4 * this.#pieces.endOf(end - 1)
    const covering = this.#pieces.covering(from, upTo)
    const { at, bytes } = this.#pieces.bytesOf(covering)
    const weightBits = this.#weights ?? (await this.#device.allocate('weights', Math.ceil(bytes / 4)))
    await this.#stream!.bring(weightBits, bytes, at)
    this.#stream!.sum(weightBits, covering)
    return { weightBits, weightsAt: originsFrom(graph, covering.first).weightsAt }
  }

  /** Buffers for all lists; those of weights are filled. */
  async #layOut(): Promise<ResidentSegment[]> {
    const { graph } = this.#setup
    const { lists } = this.#pieces
    const most = Math.floor(this.#device.maxBufferBytes / PIECE_BYTES) - 2
    const resident: ResidentSegment[] = []
    for (let first = lists.first; first < lists.end;) {
      let end = Math.min(lists.end, first + most)
      const vertices = (): Range => this.#verticesOf({ first, end })
      while (end > first + 1 && this.#lastByte(vertices().end) > (first + most + 2) * PIECE_BYTES) end--
      const { first: v, end: w } = vertices()
      const bytes = Math.min(graph.bytes, Math.max(end * PIECE_BYTES, this.#lastByte(w))) - first * PIECE_BYTES
      const pieces = { first, end: first + Math.ceil(bytes / PIECE_BYTES) }
      const words = Math.ceil(this.#pieces.bytesOf(pieces).bytes / 4)
      const targets = await this.#device.allocate(`lists ${resident.length}`, words)
      const weights = await this.#weightsOf({ first: v, end: w }, targets)
      const segment = { first: v, end: w, pieces, targets, origin: this.#pieces.originOf(first), ...weights }
      resident.push(segment)
      this.segments.push(segment)
      first = end
    }
    return resident
  }

  /** Copies a segment. @param work on vertices whose lists are complete, ascending */
  async #bring({ pieces, ...segment }: ResidentSegment, work: Work): Promise<void> {
    const { batchPieces } = this.#layout
    const { first } = this.#pieces.lists
    const { at } = this.#pieces.bytesOf(pieces)
    let [piece, next] = [pieces.first, segment.first]
    const take = () => {
      if (piece >= pieces.end) return undefined
      const part = { first: piece, end: Math.min(pieces.end, piece + batchPieces) }
      piece = part.end
      const batch = this.#stream!.batch(part, 0)
      return { ...batch, into: { buffer: segment.targets, at: batch.at - at } }
    }
    await this.#stream!.run('lists', take, async (_, { pieces: part }) => {
      this.#scan.board.take('lists', this.#setup.unitsAPiece * (part.end - part.first))
      // The last list of a part reaches into the next one.
      const complete = Math.max(next, this.#verticesOf({ first, end: part.end }).end - 1)
      const end = part.end === pieces.end ? segment.end : complete
      await work({ ...segment, first: next, end })
      next = end
    })
    this.#stream!.sum(segment.targets, pieces)
  }

  /** Vertices whose lists begin in these pieces. */
  #verticesOf({ first, end }: Range): Range {
    const { unitsAPiece } = this.#setup
    const unitOf = (piece: number): number => unitsAPiece * (piece - this.#pieces.lists.first)
    return this.#pieces.verticesIn({ first: unitOf(first), end: unitOf(end) })
  }

  /** The byte of the file at which the targets of the vertices before one end. */
  #lastByte(v: number): number {
    return this.#setup.graph.targetsAt + 4 * this.#pieces.endOf(v - 1)
  }
}

/** The kernels that scan lists: a thread, a thread group, or a workgroup a list. @param collected lists that were collected */
export const bestKernels = (candidates: number, rule: EdgeOrderParams, collected = false) => ({
  best: matchBest(candidates, rule, collected),
  bestOfLong: matchBestShared(candidates, rule, 'long', collected),
  bestOfLongest: matchBestShared(candidates, rule, 'longest', collected),
})

/** How the lists of a segment are scanned. */
interface LooksAt {
  /** Vertices of these lists; undefined: all. */
  readonly listed: DeviceBuffer | undefined
  /** No vertex has a mate yet. */
  readonly allFree: boolean
  /** The first vertex of `kept`. */
  readonly keptFirst: number
  /** Words of `counters` for this scan; those of long lists are 0. */
  readonly counts: number
  /** Arcs of the longest list. */
  readonly longest: number
}

/** Threads of a launch over lists that only the device has counted; over long ones of all. */
const LISTED_THREADS = 1 << 18
const LONG_THREADS = 1 << 19

/** Queues a scan of lists. */
export function lookAtLists(
  device: Device,
  { best, bestOfLong, bestOfLongest }: ReturnType<typeof bestKernels>,
  { first, end, origin, weightsAt, targets, weightBits }: Segment,
  { listed, allFree, longest, ...places }: LooksAt,
  order: EdgeOrderParams,
  state: Readonly<Record<'ends' | 'matched' | 'kept' | 'longs' | 'counters', DeviceBuffer>>,
): void {
  const count = end - first
  if (count === 0) return
  const buffers = { ...state, targets, weightBits }
  const params = { ...places, origin, weightsAt, allFree: allFree ? 1 : 0, ...order }
  const threads = listed === undefined ? count : Math.min(count, LISTED_THREADS)
  const which = { first, count, isListed: listed === undefined ? 0 : 1, longer: LONGER, longest: LONGEST_OF_A_GROUP }
  // The list is unused where nothing is listed.
  device.launch(best, threads, { ...params, ...which }, { ...buffers, list: listed ?? state.ends })
  const most = Math.min(listed === undefined ? LONG_THREADS : LISTED_THREADS, Math.ceil(state.longs.words / 2))
  if (longest > LONGER) device.launch(bestOfLong, most, params, buffers)
  if (longest > LONGEST_OF_A_GROUP) device.launch(bestOfLongest, most, params, buffers)
}
