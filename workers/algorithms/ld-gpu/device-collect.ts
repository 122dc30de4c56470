import { COUNTERS, ENTRIES, LACKING, TAKEN, isMatched } from '../../../kernels/matching/match-state.ts'
import { matchCollect } from '../../../kernels/matching/match-collect.ts'
import type { StopSignal } from '../../base/job.ts'
import { allocateBuffers, releaseBuffers } from '../../device/buffers.ts'
import { type Device, type DeviceBuffer, fillWords, readParts } from '../../device/device.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import type { DeviceLists, Segment } from './device-lists.ts'
import { type CollectedLists, FreeListsWriter } from './free-lists.ts'
import type { HostLists } from './host-lists.ts'
import { type MatchSetup, readsWeights } from './match-setup.ts'

/** Free neighbours of waiting vertices. */
export interface CollectTask {
  /** A bit for each vertex that waits. */
  readonly waiting: Uint32Array
  /** How many these are, and words for their lists; known once the board is ready. */
  readonly needs: Uint32Array
}

/** Lists in the processors' memory, and waiting vertices whose lists had no room. */
export interface CollectedOnDevice extends CollectedLists {
  readonly lacking: number
}

interface CollectBuffers extends Readonly<Record<'ends' | 'matched' | 'free' | 'entries' | 'counters', DeviceBuffer>> {
  /** For a device that publishes its lists. */
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
  const kernel = matchCollect(readsWeights(setup.order))
  device.launch(kernel, end - first, params, { ...buffers, targets, weightBits })
}

interface Source {
  readonly lists: DeviceLists
  readonly hostLists: HostLists
  readonly afterBatch: () => void
  readonly signal: StopSignal
}

/** Collects lists from the board, once it is ready; makes room for them before. @throws Failure (device) where the device has not the memory */
export async function collectOnDevice(
  device: Device,
  setup: MatchSetup,
  { waiting, needs }: CollectTask,
  { lists, hostLists, afterBatch, signal }: Source,
): Promise<CollectedOnDevice> {
  const { memory, graph } = setup
  const bits = memory.matched.length
  const state = await allocateBuffers(device, { ends: 2 * graph.vertices, matched: 2 * bits, counters: COUNTERS })
  let room: Readonly<Record<'free' | 'entries', DeviceBuffer>> | undefined
  try {
    await lists.ends(state)
    await new ScanBoard(setup.board).untilReady(signal)
    const [count, words] = [needs[0]!, needs[1]!]
    if (count === 0) return { words: shared(0), entries: shared(0), lacking: 0 }
    const { free, entries } = (room = await allocateBuffers(device, { free: words, entries: 2 * count }))
    const { matched, counters } = state
    const buffers = { ...state, free, entries, isEntered: true }
    await fillWords(device, matched, memory.matched)
    await fillWords(device, matched, waiting, bits)
    device.clear(counters, 0, COUNTERS)
    const deferred = await lists.run((part) => {
      collectLists(device, setup, part, buffers)
      afterBatch()
    })
    const counts = await device.read(counters, 0, COUNTERS)
    const found = [shared(Math.min(free.words, counts[TAKEN]!)), shared(2 * counts[ENTRIES]!)] as const
    await readParts(device, free, found[0])
    await readParts(device, entries, found[1])
    const lacking = counts[LACKING]!
    const long = collectLong(setup, hostLists, waiting, deferred)
    if (long.entries.length === 0) return { words: found[0], entries: found[1], lacking }
    const places = long.entries.map((word, i) => (i % 2 === 0 ? word : word + found[0].length))
    return { words: joined(found[0], long.words), entries: joined(found[1], places), lacking }
  } finally {
    releaseBuffers(device, { ...state, ...room })
  }
}

/** The free neighbours of vertices whose lists are longer than a batch, as far as they wait. */
export function collectLong(
  setup: MatchSetup,
  lists: HostLists,
  waiting: Uint32Array,
  vertices: readonly number[],
): CollectedLists {
  const writer = new FreeListsWriter(setup)
  for (const v of vertices) if (isMatched(waiting, v)) writer.addLong(v, lists)
  return writer.take()
}

const shared = (words: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * words))

function joined(first: Uint32Array, second: Uint32Array): Uint32Array {
  const all = shared(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
