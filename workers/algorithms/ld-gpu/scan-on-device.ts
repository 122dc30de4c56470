/**
 * A GPU that scans or collects lists for others, in a thread of its own: batches from the board keep the best free neighbours of each vertex, or
 * all free neighbours of those that wait, and both go to the processors' memory, from which the GPU or the processors with the rounds take them.
 * It holds ends and matched bits of all vertices and one batch (device-lists.ts). Lists longer than a batch are collected by the host.
 */

import { isMatched, keptWords, counter, roundCounter } from '../../../kernels/matching/match-state.ts'
import { matchEnds } from '../../../kernels/matching/match-ends.ts'
import { matchCollect } from '../../../kernels/matching/match-collect.ts'
import {
  type Device,
  type DeviceBuffer,
  allocateBuffers,
  fillWords,
  readParts,
  releaseBuffers,
} from '../../device/device.ts'
import type { Range } from '../../base/ranges.ts'
import { sharedWords } from '../../base/words.ts'
import type { StopSignal } from '../../base/job.ts'
import { onFollowingDevice } from '../../streaming/following-device.ts'
import { inScan } from '../../streaming/scan-worker.ts'
import type { PieceScan } from '../../streaming/piece-scan.ts'
import { type WorkerReport, idleReport } from '../worker-report.ts'
import { bestKernels, lookAtLists, type Segment, type Side, DeviceLists } from './device-lists.ts'
import { type CollectedLists, FreeListsWriter, HostLists } from './host-lists.ts'
import { type MatchSetup, SCAN_VERTICES, launchSpace } from './match-setup.ts'

/** The task of a GPU that streams lists. */
export interface DeviceScanTask {
  readonly setup: MatchSetup
  readonly device: string
  readonly batchPieces: number
  readonly packedWords: number
  readonly side: Side | undefined
  /** No vertex has a mate yet. */
  readonly allFree: boolean
  /** The free neighbours of waiting vertices, in place of the best of all. */
  readonly collect: CollectTask | undefined
}

/** `exchanged`: bytes of candidates or lists, copied to the processors' memory. */
export interface DeviceScanReport extends WorkerReport {
  /** The vertices whose candidates these are. */
  readonly scanned: readonly Range[]
  /** Vertices whose lists are longer than a batch: they have none yet. */
  readonly deferred: readonly number[]
  readonly collected: readonly CollectedOnDevice[]
}

/** The scan or collection of a GPU in a thread of its own. */
export const deviceScanTask = (task: DeviceScanTask): Promise<DeviceScanReport> =>
  onFollowingDevice(task.setup.board, task.device, (device, signal) => scanOrCollect(task, device, signal, () => {}))

/** The source of lists on a GPU, and what is called between its batches. */
interface ScanSource {
  readonly lists: DeviceLists
  readonly scan: PieceScan
  readonly afterBatch: () => void
}

/** Reads of candidates under way. */
const MOST_ARRIVING = 4

/** A scan or a collection, with what it takes on the device. */
export async function scanOrCollect(
  task: DeviceScanTask,
  device: Device,
  signal: StopSignal,
  afterBatch: () => void,
): Promise<DeviceScanReport> {
  const { setup, collect } = task
  const found = await inScan(
    setup,
    signal,
    async (scan) => {
      const lists = new DeviceLists(device, setup, { ...task, keepsLists: false }, scan)
      try {
        const best = Object.values(bestKernels(setup.candidates, setup.order))
        // Processors that do the rounds collect themselves.
        const collects = task.side === undefined ? [] : [matchCollect(setup.readsWeights)]
        await Promise.all([lists.open(), device.prepare([matchEnds, ...best, ...collects])])
        const source = { lists, scan, afterBatch }
        const found =
          collect === undefined
            ? { ...(await scanBest(device, task, source)), collected: [] }
            : { scanned: [], deferred: [], ...(await collectOnDevice(device, setup, collect, source)) }
        await lists.verify()
        return found
      } finally {
        lists.release()
      }
    },
    { device },
  )
  return { ...idleReport(device.facts), ...found }
}

/** Vertices of batches from the board keep their best free neighbours, which go to the processors' memory. */
async function scanBest(device: Device, task: DeviceScanTask, { lists, afterBatch }: ScanSource) {
  const { setup, allFree } = task
  const { graph, candidates, memory, order } = setup
  const kernels = bestKernels(candidates, order)
  const most = Math.min(graph.vertices, SCAN_VERTICES)
  const buffers = await allocateBuffers(device, launchSpace(graph.vertices, candidates, lists.batchWords))
  const scanned: Range[] = []
  /** Candidates on their way to the processors' memory. */
  const arriving: Promise<number>[] = []
  let exchanged = 0
  try {
    const longest = await lists.ends(buffers)
    await fillWords(device, buffers.matched, memory.matched)
    const deferred = await lists.run(async (segment) => {
      const { first, end } = segment
      for (let v = first; v < end; v += most) {
        const range = { first: v, end: Math.min(end, v + most) }
        const looks = { listed: undefined, allFree, keptFirst: v, counts: counter.SCAN, longest }
        device.clear(buffers.counters, counter.SCAN + roundCounter.LONG, roundCounter.LONGEST + 1 - roundCounter.LONG)
        lookAtLists(device, kernels, { ...segment, ...range }, looks, order, buffers)
        const arrives = bringCandidates(device, buffers.kept, task, range)
        // Thrown when it is awaited.
        arrives.catch(() => {})
        if (arriving.push(arrives) > MOST_ARRIVING) exchanged += await arriving.shift()!
      }
      scanned.push({ first, end })
      afterBatch()
    })
    for (const arrives of arriving) exchanged += await arrives
    return { scanned, deferred, exchanged }
  } finally {
    releaseBuffers(device, buffers)
  }
}

/** The device has copied them when it comes to later launches. @returns bytes */
async function bringCandidates(
  device: Device,
  kept: DeviceBuffer,
  { setup: { candidates, memory }, allFree }: DeviceScanTask,
  { first, end }: Range,
): Promise<number> {
  const words = keptWords(candidates)
  const into = memory.kept.subarray(words * first, words * end)
  if (allFree) await device.read(kept, 0, into.length, into)
  else mergeFree(await device.read(kept, 0, into.length), into, first, words, memory.matched)
  return into.byteLength
}

/** Candidates of unmatched vertices; the kernel writes none of others. */
function mergeFree(found: Uint32Array, into: Uint32Array, first: number, words: number, matched: Uint32Array): void {
  for (let at = 0; at < found.length; at += words) {
    const v = first + at / words
    if (!isMatched(matched, v)) into.set(found.subarray(at, at + words), at)
  }
}

/** Free neighbours of waiting vertices. */
interface CollectTask {
  /** A bit for each vertex that waits. */
  readonly waiting: Uint32Array
  /** How many these are, and words for their lists; known once the board is ready. */
  readonly needs: Uint32Array
}

/** Lists in the processors' memory, and waiting vertices whose lists had no room. */
interface CollectedOnDevice extends CollectedLists {
  readonly lacking: number
}

interface CollectBuffers extends Readonly<Record<'ends' | 'matched' | 'free' | 'entries' | 'counters', DeviceBuffer>> {
  /** Whether lists are entered for a device that publishes them. */
  readonly isEntered: boolean
}

/** Queues the collection of some lists. Places follow the ends, and bits of waiting vertices those of matched ones. */
export function collectLists(
  device: Device,
  setup: MatchSetup,
  { first, end, origin, weightsAt, targets, weightBits }: Segment,
  { isEntered, ...buffers }: CollectBuffers,
): void {
  if (first === end) return
  const { vertices } = setup.graph
  const at = { placesAt: vertices, waitingAt: Math.ceil(vertices / 32), room: buffers.free.words }
  const params = { first, count: end - first, origin, weightsAt, ...at, isEntered: isEntered ? 1 : 0 }
  const kernel = matchCollect(setup.readsWeights)
  device.launch(kernel, end - first, params, { ...buffers, targets, weightBits })
}

/** Collects lists from the board, once it is ready; makes room for them before. @throws Failure (device) where the device has not the memory */
async function collectOnDevice(
  device: Device,
  setup: MatchSetup,
  { waiting, needs }: CollectTask,
  { lists, scan, afterBatch }: ScanSource,
): Promise<Pick<DeviceScanReport, 'collected' | 'exchanged'>> {
  const { memory, graph } = setup
  const bits = memory.matched.length
  const state = await allocateBuffers(device, { ends: 2 * graph.vertices, matched: 2 * bits, counters: counter.COUNT })
  let room: Readonly<Record<'free' | 'entries', DeviceBuffer>> | undefined
  try {
    await lists.ends(state)
    await scan.board.untilReady(scan.signal)
    const [count, words] = [needs[0]!, needs[1]!]
    if (count === 0) return { collected: [], exchanged: 0 }
    const { free, entries } = (room = await allocateBuffers(device, { free: words, entries: 2 * count }))
    const { matched, counters } = state
    const buffers = { ...state, free, entries, isEntered: true }
    await fillWords(device, matched, memory.matched)
    await fillWords(device, matched, waiting, bits)
    device.clear(counters, 0, counter.COUNT)
    const deferred = await lists.run((part) => {
      collectLists(device, setup, part, buffers)
      afterBatch()
    })
    const counts = await device.read(counters, 0, counter.COUNT)
    const found = {
      words: sharedWords(Math.min(free.words, counts[counter.TAKEN]!)),
      entries: sharedWords(2 * counts[counter.ENTRIES]!),
    }
    await readParts(device, free, found.words)
    await readParts(device, entries, found.entries)
    const long = collectLong(setup, scan, waiting, deferred)
    const collected = [
      { ...found, lacking: counts[counter.LACKING]! },
      { ...long, lacking: 0 },
    ]
    const exchanged = collected.reduce((sum, each) => sum + each.words.byteLength + each.entries.byteLength, 0)
    return { collected, exchanged }
  } finally {
    releaseBuffers(device, { ...state, ...room })
  }
}

/** The free neighbours of vertices whose lists are longer than a batch, as far as they wait. */
export function collectLong(
  setup: MatchSetup,
  scan: PieceScan,
  waiting: Uint32Array,
  vertices: readonly number[],
): CollectedLists {
  const writer = new FreeListsWriter(setup)
  const lists = new HostLists(setup, scan)
  for (const v of vertices) if (isMatched(waiting, v)) writer.addLong(v, lists)
  return writer.take()
}
