import { Failure } from '../../failure.ts'
import type { JobContext } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import type { GaloisGr } from '../galois-gr.ts'
import { HEAD_WIDTH } from '../oriented-view.ts'
import type { PriorityInput } from '../priority.ts'
import { isolatedFirst, orderVertices } from '../priority.ts'
import type { Priority } from '../../jobs.ts'
import { viewBytes } from '../view-file.ts'
import type { BucketTables } from './bucket-tables.ts'
import { bucketsOf, mostBlocks, newBucketTables } from './bucket-tables.ts'
import { cutPieces, sharedWords } from './cut-pieces.ts'
import { requireDisk } from './disk-space.ts'
import type { MemoryPlan } from './memory-plan.ts'
import { planViewMemory } from './memory-plan.ts'
import { performViewTask } from './perform-view-task.ts'
import { ScratchFile, SlabFile } from './slab-file.ts'
import { workTogether } from './team.ts'

export interface OrientedRequest {
  /** SHA-256 of graph.gr. */
  readonly checksum: string
  readonly priority: Priority
  readonly seed: number
  readonly column?: Float64Array | undefined
  /** What the order is called in the view's header. */
  readonly order: string
}

export interface BuildResources {
  readonly budgetBytes: number
  readonly threads: number
}

/** Entries past the heads that the kernels can address: tail offsets are 32-bit words on the device. */
const MOST_TAIL_ENTRIES = 2 ** 32 - 1
/** More than this is no faster to write. */
const MOST_BLOCK_WORDS = 1 << 18

/** Positions, and how graph and positions are cut. */
interface Cut {
  readonly positions: Uint32Array
  readonly isolated: number
  readonly pieces: Uint32Array
  readonly bounds: Uint32Array
}

/**
 * Builds the oriented view within a memory budget; the file is the one that building in memory makes, byte by byte. The graph
 * is read once, in its own order: the entries of a vertex are among its own neighbours, so each vertex is one record (its position and the
 * higher positions). Records go to buckets by position on a scratch file; then each bucket is sorted into the slabs.
 * @throws Failure (engine) when the budget is below the vertex state; (storage); (cancelled). Nothing stays behind.
 */
export function buildOrientedOutOfCore(
  graph: GaloisGr,
  path: string,
  request: OrientedRequest,
  { budgetBytes, threads }: BuildResources,
  job: JobContext,
): void {
  const columnBytes = request.column === undefined ? 0 : 8 * graph.vertices
  const memory = planViewMemory(graph.vertices, budgetBytes - columnBytes, threads)
  const { positions, isolated, pieces, bounds } = cutGraph(graph, request, memory, job)
  const buckets = Math.max(1, bounds.length - 1)
  const blockWords = Math.max(64, Math.min(MOST_BLOCK_WORDS, Math.floor(memory.blockWords / buckets)))
  const mostWords = graph.arcs / 2 + 2 * graph.vertices
  const shape = { bounds, threads, blockWords, mostWords }
  requireDisk(path, viewBytes(graph.vertices, graph.arcs / 2) + 4 * blockWords * mostBlocks(shape))
  const scratch = new ScratchFile(path)
  try {
    const tables = newBucketTables(scratch.path, scratch.file, shape)
    const route = { step: 'route', graph: graph.path, pieces, positions, buckets: tables } as const
    workTogether(route, threads, Math.max(0, pieces.length - 1), performViewTask, 'route arcs', job)
    fillView(path, graph, request, tables, memory, { positions, isolated }, threads, job)
  } finally {
    scratch.close()
  }
}

/** Ranks the vertices; cuts the positions so that the records of a bucket fit, whatever the lists turn out to be. */
function cutGraph(graph: GaloisGr, request: OrientedRequest, memory: MemoryPlan, job: JobContext): Cut {
  const { vertices, arcs } = graph
  const limits = { arcs: memory.pieceArcs, vertices: memory.pieceVertices }
  job.progress({ phase: 'rank', done: 0, total: vertices, unit: 'vertices' })
  const { bounds: pieces, degrees } = cutPieces(graph, limits, new Uint32Array(vertices), job)
  const input: PriorityInput = { vertices, arcs, degrees, seed: request.seed, column: request.column }
  const order = orderVertices(request.priority, input)
  throwIfCancelled(job.signal)
  const isolated = isolatedFirst(order, degrees)
  const positions = new Uint32Array(new SharedArrayBuffer(4 * vertices))
  const bounds = [0]
  let words = 0
  for (let position = 0; position < vertices; position++) {
    const v = order[vertices - 1 - position]!
    positions[v] = position
    // A record, and the place where it is noted when the bucket is sorted; no list is longer than the degree.
    const most = degrees[v]! + 3
    if (words + most > memory.bucketWords && words > 0) {
      bounds.push(position)
      words = 0
    }
    words += most
  }
  if (vertices > 0) bounds.push(vertices)
  return { positions, isolated, pieces, bounds: sharedWords(bounds) }
}

function fillView(
  path: string,
  { vertices }: GaloisGr,
  { checksum, order }: OrientedRequest,
  tables: BucketTables,
  memory: MemoryPlan,
  { positions, isolated }: Pick<Cut, 'positions' | 'isolated'>,
  threads: number,
  job: JobContext,
): void {
  const buckets = bucketsOf(tables)
  const tailFirst = new Float64Array(new SharedArrayBuffer(8 * (buckets + 1)))
  for (let bucket = 0; bucket < buckets; bucket++) {
    let tails = 0
    for (let chain = bucket; chain < tables.tails.length; chain += buckets) tails += tables.tails[chain]!
    tailFirst[bucket + 1] = tailFirst[bucket]! + tails
  }
  const tailEntries = tailFirst[buckets]!
  requireAddressable(path, tailEntries)
  const identity = { kind: 'oriented', graph: checksum, order, vertices, tailEntries, isolated } as const
  const file = new SlabFile(path, identity, buckets)
  try {
    const { outputWords } = memory
    const task = { step: 'fill', buckets: tables, output: file.output, tailFirst, outputWords } as const
    workTogether(task, threads, buckets, performViewTask, 'build view', job)
    const sizes = Array.from({ length: buckets }, (_, bucket) => {
      const count = tables.bounds[bucket + 1]! - tables.bounds[bucket]!
      return { heads: HEAD_WIDTH * count, tailOffsets: count, tails: tailFirst[bucket + 1]! - tailFirst[bucket]! }
    })
    file.finish(sizes, positions)
  } finally {
    file.close()
  }
}

/** @throws Failure (engine) when the tails are more than 32-bit offsets can address. */
export function requireAddressable(path: string, tailEntries: number): void {
  if (tailEntries <= MOST_TAIL_ENTRIES) return
  throw new Failure({
    code: 'engine',
    where: path,
    what: `the view has ${tailEntries} entries past its heads, and one view can have ${MOST_TAIL_ENTRIES}`,
    remedy: 'Use a part of the graph: this version addresses tails with 32 bits.',
  })
}
