import { availableParallelism } from 'node:os'
import { Failure } from '../../failure.ts'
import { ORDERING_BYTES } from '../priority.ts'

/** What building a view in memory takes: the graph (offsets as doubles, targets), the ranking, and the view itself. */
export function inMemoryBytes(vertices: number, arcs: number): number {
  return 6 * arcs + 48 * vertices
}

const MOST_THREADS = 16
/** Memory below which a thread more would only make the pieces of all smaller. */
const THREAD_BYTES = 32 << 20
/** Building in memory is the work of one thread: so many are faster out of core, where a graph has so many arcs. */
const MANY_THREADS = 4
const MANY_ARCS = 1 << 24

/** Threads that build an oriented view out of core where nobody says: one a processor, two or more only where the memory is enough. */
export function viewThreads(budgetBytes: number): number {
  return Math.min(MOST_THREADS, availableParallelism(), Math.max(2, Math.floor(budgetBytes / THREAD_BYTES)))
}

/** Whether the oriented view of a graph is built in memory. */
export function isBuiltInMemory(
  vertices: number,
  arcs: number,
  budgetBytes: number,
  threads = viewThreads(budgetBytes),
): boolean {
  return inMemoryBytes(vertices, arcs) <= budgetBytes && (threads < MANY_THREADS || arcs < MANY_ARCS)
}

/** How one thread's share of a memory budget is spent while a view is built out of core. */
export interface MemoryPlan {
  /** Arcs of the graph that a thread reads at a time, or one vertex's. */
  readonly pieceArcs: number
  readonly pieceVertices: number
  /** Words for the blocks of all buckets of one thread. */
  readonly blockWords: number
  /** Words that the records of one bucket may have, or those of one chunk (workers/graph/view-layout.ts). */
  readonly bucketWords: number
  /** Words gathered before they are written to the view. */
  readonly outputWords: number
}

/** Less than this for each thread makes the pieces so small that the disk does nothing but seek. */
const LEAST_SHARE_BYTES = 96 << 10
const MOST_OUTPUT_WORDS = 1 << 20

/** Bytes that stay for each vertex while arcs are routed: its position. */
const POSITION_BYTES = 4

/**
 * Divides a budget: vertex state first, then equal shares for the threads; of each share a half for what it reads and a half for
 * what it writes, or, later, three quarters for a bucket and a quarter for output.
 * @throws Failure (usage) when the vertex state alone is more than the budget
 */
export function planViewMemory(
  vertices: number,
  budgetBytes: number,
  threads: number,
  stateBytes: number = POSITION_BYTES,
  peakBytes: number = ORDERING_BYTES,
): MemoryPlan {
  const share = Math.floor((budgetBytes - stateBytes * vertices) / threads)
  const neededBytes = Math.max(peakBytes * vertices, stateBytes * vertices + threads * LEAST_SHARE_BYTES)
  if (budgetBytes < neededBytes)
    throw new Failure({
      code: 'usage',
      what: `the view needs ${mib(neededBytes)} MiB of memory for ${vertices} vertices, and ${mib(budgetBytes)} MiB may be used`,
      remedy: 'Allow more memory (--memory), or use a machine with more.',
    })
  const words = share / 4
  return {
    pieceArcs: Math.floor(words / 4),
    pieceVertices: Math.floor(words / 16),
    blockWords: Math.floor(words / 2),
    bucketWords: Math.floor((3 * words) / 4),
    outputWords: Math.min(MOST_OUTPUT_WORDS, Math.floor(words / 4)),
  }
}

const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
