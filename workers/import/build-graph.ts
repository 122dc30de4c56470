import type { MergeRule } from '../contract/jobs.ts'
import type { EntryBlock } from '../graph/entries.ts'
import { MergedWeight } from './external/weight-merge.ts'
import type { YieldScheduler } from '../threads/yield-scheduler.ts'

/** A canonical graph in memory: symmetric, no loops, no duplicates, neighbours ascending. */
export interface BuiltGraph {
  readonly vertices: number
  readonly arcs: number
  /** Arcs of v: [offsets[v], offsets[v + 1]). */
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float32Array | null
  readonly loopsRemoved: number
  readonly duplicatesMerged: number
  readonly reverseArcsAdded: number
}

/** Adjacency lists without symmetry. */
interface Lists {
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float32Array | null
}

const VERTEX_STEP = 1 << 16
const ARC_STEP = 1 << 21

/**
 * Makes the canonical graph of entries of internal ids below `vertices`. Counting sorts by target, then stably by source, leave every
 * list ascending; then the transposed graph is merged in. Blocks are emptied on the way to free their memory.
 */
export async function buildGraph(
  blocks: EntryBlock[],
  vertices: number,
  weighted: boolean,
  scheduler: YieldScheduler,
  merge: MergeRule = 'max',
): Promise<BuiltGraph> {
  const total = blocks.reduce((sum, block) => sum + block.count, 0)
  const progress = progressOf(total)
  const byTarget = new Uint32Array(vertices + 1)
  const bySource = new Uint32Array(vertices + 1)
  let loopsRemoved = 0
  for (const block of blocks) {
    loopsRemoved += countEntries(block, bySource, byTarget)
    await scheduler.yield(progress(0))
  }
  endsToStarts(byTarget)
  endsToStarts(bySource)
  const kept = total - loopsRemoved
  const bucketed = lists(byTarget, kept, weighted)
  // From the last of the reversed list, so that entries stay in the order in which they were read.
  blocks.reverse()
  for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) {
    scatterEntries(block, bucketed)
    await scheduler.yield(progress(0.5))
  }
  rewind(bucketed.offsets)
  const sorted = lists(bySource, kept, weighted)
  await scheduler.over(vertices, VERTEX_STEP, progress(1), (first, last) =>
    transposeInto(bucketed, sorted, first, last),
  )
  rewind(sorted.offsets)
  let distinct = 0
  let start = 0
  const closeRanks = (first: number, last: number) => {
    const end = sorted.offsets[last]!
    distinct = mergeDuplicates(sorted, first, last, start, distinct, merge)
    start = end
  }
  await scheduler.over(vertices, VERTEX_STEP, progress(1.5), closeRanks)
  const reversed = await transposed(sorted, bucketed, vertices, distinct, scheduler, progress(2))
  const merged = lists(new Uint32Array(vertices + 1), 2 * distinct, weighted)
  await scheduler.over(vertices, VERTEX_STEP, progress(2.5), (first, last) =>
    mergeLists(sorted, reversed, merged, first, last, merge),
  )
  const arcs = merged.offsets[vertices]!
  return {
    vertices,
    arcs,
    offsets: merged.offsets,
    targets: merged.targets.subarray(0, arcs),
    weights: merged.weights?.subarray(0, arcs) ?? null,
    loopsRemoved,
    duplicatesMerged: kept - distinct,
    reverseArcsAdded: arcs - distinct,
  }
}

const progressOf = (total: number) => (done: number) => ({
  phase: 'build',
  done: Math.min(done, 3) * total,
  total: 3 * total,
  unit: 'arcs' as const,
})

function lists(offsets: Uint32Array, arcs: number, weighted: boolean): Lists {
  return { offsets, targets: new Uint32Array(arcs), weights: weighted ? new Float32Array(arcs) : null }
}

/** Counts the entries of every list at its own place; returns the loops. */
function countEntries({ count, from, to }: EntryBlock, bySource: Uint32Array, byTarget: Uint32Array): number {
  let loops = 0
  for (let i = 0; i < count; i++) {
    const u = from[i]!
    const v = to[i]!
    if (u === v) {
      loops++
      continue
    }
    bySource[u]!++
    byTarget[v]!++
  }
  return loops
}

/** Turns counts into the starts of the lists; the last place gets the total. */
function endsToStarts(counts: Uint32Array): void {
  let sum = 0
  for (let v = 0; v < counts.length; v++) {
    const count = counts[v]!
    counts[v] = sum
    sum += count
  }
}

/** After a scatter that moved every start to the start of the next list: moves them back. */
function rewind(offsets: Uint32Array): void {
  offsets.copyWithin(1, 0, offsets.length - 1)
  offsets[0] = 0
}

function scatterEntries({ count, from, to, weights }: EntryBlock, into: Lists): void {
  const { offsets, targets } = into
  for (let i = 0; i < count; i++) {
    const u = from[i]!
    const v = to[i]!
    if (u === v) continue
    const at = offsets[v]!++
    targets[at] = u
    if (into.weights !== null) into.weights[at] = weights![i]!
  }
}

/** For u in [first, last) and each v in the list of u: appends u to the list of v. */
function transposeInto(source: Lists, into: Lists, first: number, last: number): void {
  const { offsets, targets } = into
  const { offsets: starts, targets: members } = source
  for (let u = first; u < last; u++) {
    const end = starts[u + 1]!
    for (let i = starts[u]!; i < end; i++) {
      const at = offsets[members[i]!]!++
      targets[at] = u
      if (into.weights !== null) into.weights[at] = source.weights![i]!
    }
  }
}

/**
 * Removes duplicate neighbours of [first, last) in place and merges their weights. `readAt` is where the list of
 * `first` began, `writeAt` where it goes. Returns where the next list goes.
 */
function mergeDuplicates(
  { offsets, targets, weights }: Lists,
  first: number,
  last: number,
  readAt: number,
  writeAt: number,
  merge: MergeRule,
) {
  const merged = weights === null ? null : new MergedWeight({ rule: merge, scale: 1, offset: 0 })
  let arcs = writeAt
  let start = readAt
  for (let u = first; u < last; u++) {
    const end = offsets[u + 1]!
    const listStart = arcs
    for (let i = start; i < end; i++) {
      const v = targets[i]!
      const isNew = arcs === listStart || targets[arcs - 1] !== v
      if (isNew) targets[arcs++] = v
      if (merged === null) continue
      if (isNew) merged.start()
      merged.add(weights![i]!, 0)
      weights![arcs - 1] = merged.value(u, v)
    }
    start = end
    offsets[u + 1] = arcs
  }
  return arcs
}

/** The transposed graph, in the memory of `room`. */
async function transposed(
  source: Lists,
  room: Lists,
  vertices: number,
  arcs: number,
  scheduler: YieldScheduler,
  progress: Parameters<YieldScheduler['yield']>[0],
): Promise<Lists> {
  const { offsets } = room
  offsets.fill(0)
  await scheduler.over(arcs, ARC_STEP, progress, (first, last) => countTargets(source.targets, offsets, first, last))
  endsToStarts(offsets)
  await scheduler.over(vertices, VERTEX_STEP, progress, (first, last) => transposeInto(source, room, first, last))
  rewind(offsets)
  return room
}

function countTargets(targets: Uint32Array, counts: Uint32Array, first: number, last: number): void {
  for (let i = first; i < last; i++) counts[targets[i]!]!++
}

/** The union of the lists of a and b for u in [first, last); both are ascending. */
function mergeLists(a: Lists, b: Lists, into: Lists, first: number, last: number, merge: MergeRule): void {
  const { targets, weights } = into
  let at = into.offsets[first]!
  for (let u = first; u < last; u++) {
    let i = a.offsets[u]!
    let j = b.offsets[u]!
    const aEnd = a.offsets[u + 1]!
    const bEnd = b.offsets[u + 1]!
    while (i < aEnd || j < bEnd) {
      const x = i < aEnd ? a.targets[i]! : Infinity
      const y = j < bEnd ? b.targets[j]! : Infinity
      targets[at] = x < y ? x : y
      if (weights !== null) {
        const left = x <= y ? a.weights![i]! : 0
        const right = y <= x ? b.weights![j]! : 0
        const both = x === y
        if (both && merge === 'min') weights[at] = left < right ? left : right
        else if (both && merge === 'first') weights[at] = u < x ? left : right
        else weights[at] = left > right ? left : right
      }
      at++
      if (x <= y) i++
      if (y <= x) j++
    }
    into.offsets[u + 1] = at
  }
}
