import type { Device, DeviceBuffer } from '../../device/device.ts'
import type { Batch } from '../../graph/batches.ts'
import type { Residence } from './plan-match.ts'

/** Words of a round in the counters; the kernels know them by the same names. */
export const CHANGED = 0
export const OPEN = 1
export const ARCS = 2
const ROUND_WORDS = 3
/** Words of a batch in a round: how many wait, and how many long searches there are. */
const BATCH_WORDS = 2

/** Rounds that may be queued before the host looks at the counters. */
export const MOST_QUEUED = 64
/** Lists hold this share of the vertices; where there are more, a kernel visits all of them, which then costs no more. */
const WAITING_SHARE = 1 / 4
const CHANGED_SHARE = 1 / 8
const LEAST_LIST = 1024
const MOST_WALKS = 1 << 16
const WALKS_SHARE = 1 / 16
/** Pairs that go to the device at a time. */
const MOST_UPDATES = 1 << 18
const UPDATES_SHARE = 1 / 16

/** A batch of a worker, and where its lists lie in words of `lists`. */
export interface BatchPlace {
  readonly batch: Batch
  /** Of its first vertex among the worker's own. */
  readonly own: number
  readonly capacity: number
  /** The lists of waiting vertices, for odd and even rounds. */
  readonly lists: readonly [number, number]
}

/** Where everything lies in the buffers; plain figures, so that the plan can ask for them before there is a device. */
export interface Layout {
  readonly vertices: number
  /** The worker's own vertices are [first, first + count). */
  readonly first: number
  readonly count: number
  readonly places: readonly BatchPlace[]
  readonly changed: number
  readonly changedCapacity: number
  readonly walks: number
  readonly walkCapacity: number
  readonly listWords: number
  readonly updateCapacity: number
  /** Words of a round in the counters. */
  readonly roundWords: number
  readonly counterWords: number
  readonly rounds: number
}

const share = (of: number, part: number): number => Math.min(of, Math.max(LEAST_LIST, Math.ceil(of * part)))

/** Pairs (vertex, pointer) that go to a device at a time. */
export const updateCapacityOf = (vertices: number): number => Math.min(share(vertices, UPDATES_SHARE), MOST_UPDATES)

/**
 * @param own the worker's batches, which follow one another
 * @param residence with all entries on disk the device does the first round and no more, which takes no lists; with the heads it looks at all
 * of its vertices in each round
 */
export function layOut(vertices: number, own: readonly Batch[], residence: Residence): Layout {
  const whole = residence === 'whole'
  const goesOn = residence !== 'none'
  const rounds = whole ? MOST_QUEUED + 1 : 1
  const first = own[0]?.first ?? 0
  const last = own.at(-1)
  const count = last === undefined ? 0 : last.first + last.count - first
  let words = 0
  const take = (size: number): number => {
    const at = words
    words += size
    return at
  }
  const places = own.map((batch): BatchPlace => {
    const capacity = whole ? share(batch.count, WAITING_SHARE) : 0
    return { batch, own: batch.first - first, capacity, lists: [take(capacity), take(capacity)] }
  })
  const changedCapacity = goesOn ? share(vertices, CHANGED_SHARE) : 0
  const walkCapacity = whole ? Math.min(share(count, WALKS_SHARE), MOST_WALKS) : 0
  const roundWords = ROUND_WORDS + BATCH_WORDS * own.length
  return {
    vertices,
    first,
    count,
    places,
    changed: take(2 * changedCapacity),
    changedCapacity,
    walks: take(2 * walkCapacity),
    walkCapacity,
    listWords: words,
    updateCapacity: goesOn ? updateCapacityOf(vertices) : 0,
    roundWords,
    counterWords: rounds * roundWords,
    rounds,
  }
}

export const bitWords = (vertices: number): number => Math.ceil(vertices / 32)

/** What a matching keeps on a device beside the entries of its lists. */
export interface MatchWorkspace {
  /** Whom each vertex of the graph points at. */
  readonly pointers: DeviceBuffer
  /** How far each own vertex has come in its list; where the device has heads alone, the round in which it gave up a pointer last. */
  readonly cursors: DeviceBuffer
  /** A bit for each vertex of the graph. */
  readonly matched: DeviceBuffer
  readonly lists: DeviceBuffer
  readonly counters: DeviceBuffer
  /** Pairs (vertex, pointer) on their way to the device. */
  readonly updates: DeviceBuffer
}

/** Bytes that a worker needs on its device beside the entries: 8 a vertex and a bit, and the lists. */
export function workspaceBytes({ vertices, count, listWords, counterWords, updateCapacity }: Layout): number {
  return 4 * (vertices + count + bitWords(vertices) + listWords + counterWords + 2 * updateCapacity)
}

export async function allocateWorkspace(device: Device, layout: Layout): Promise<MatchWorkspace> {
  const { vertices, count, listWords, counterWords, updateCapacity } = layout
  const words = (label: string, size: number): Promise<DeviceBuffer> => device.allocate(label, Math.max(1, size))
  return {
    pointers: await words('pointers', vertices),
    cursors: await words('cursors', count),
    matched: await words('matched', bitWords(vertices)),
    lists: await words('lists', listWords),
    counters: await words('counters', counterWords),
    updates: await words('updates', 2 * updateCapacity),
  }
}

export function releaseWorkspace(device: Device, space: MatchWorkspace): void {
  for (const buffer of Object.values(space) as DeviceBuffer[]) device.release(buffer)
}

/** Where the counters of a round begin; rounds take the slots in turn. */
export const roundAt = ({ roundWords, rounds }: Layout, round: number): number => (round % rounds) * roundWords

/** Where the counters of the `index`th own batch stand in a round. */
export const waitingAt = (layout: Layout, round: number, index: number): number =>
  roundAt(layout, round) + ROUND_WORDS + BATCH_WORDS * index
