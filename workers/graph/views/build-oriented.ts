import { Failure } from '../../failure.ts'
import type { JobContext } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import type { GaloisGr } from '../galois-gr.ts'
import { HEAD_WIDTH } from '../oriented-view.ts'
import type { PriorityInput } from '../priority.ts'
import { orderVertices } from '../priority.ts'
import type { Priority } from '../../jobs.ts'
import { viewBytes } from '../view-file.ts'
import { ChunkCut, FRONT, placeFront, verticesBehind } from '../view-layout.ts'
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

/** Bytes that stay for each vertex: its rank, its position and its mark. */
const STATE_BYTES = 9

/** Ranks, and how graph and ranks are cut. */
interface Cut {
  readonly ranks: Uint32Array
  readonly pieces: Uint32Array
  readonly bounds: Uint32Array
  readonly chunks: Uint32Array
}

/** Where the vertices stand; see workers/graph/view-layout.ts. */
interface Laid {
  readonly places: Uint32Array
  readonly firsts: Uint32Array
  readonly frontBits: Uint32Array
  readonly openTails: number
}

const sharedBytes = (vertices: number): SharedArrayBuffer => new SharedArrayBuffer(vertices)

/**
 * Builds the oriented view within a memory budget; the file is the one that building in memory makes, byte by byte. The graph
 * is read once, in its own order: the entries of a vertex are among its own neighbours, so each vertex is one record (its rank and the
 * higher ranks). Records go to buckets by rank on a scratch file; from these it shows where each vertex stands; then each bucket is
 * sorted into the slabs.
 * @throws Failure (engine) when the budget is below the vertex state; (storage); (cancelled). Nothing stays behind.
 */
export function buildOrientedOutOfCore(
  graph: GaloisGr,
  path: string,
  request: OrientedRequest,
  { budgetBytes, threads }: BuildResources,
  job: JobContext,
): void {
  const { vertices } = graph
  const columnBytes = request.column === undefined ? 0 : 8 * vertices
  const memory = planViewMemory(vertices, budgetBytes - columnBytes, threads, STATE_BYTES)
  const cut = cutGraph(graph, request, memory, job)
  const { ranks, pieces, bounds } = cut
  const buckets = Math.max(1, bounds.length - 1)
  const blockWords = Math.max(64, Math.min(MOST_BLOCK_WORDS, Math.floor(memory.blockWords / buckets)))
  const mostWords = graph.arcs / 2 + 2 * vertices
  const shape = { bounds, threads, blockWords, mostWords }
  requireDisk(path, viewBytes(vertices, graph.arcs / 2) + 4 * blockWords * mostBlocks(shape))
  const scratch = new ScratchFile(path)
  try {
    const tables = newBucketTables(scratch.path, scratch.file, shape)
    const marks = new Uint8Array(sharedBytes(vertices))
    const route = { step: 'route', graph: graph.handle, pieces, ranks, marks, buckets: tables } as const
    workTogether(route, threads, Math.max(0, pieces.length - 1), performViewTask, 'route arcs', job)
    const laid = layOut(cut, tables, marks, threads, job)
    fillView(path, graph, request, tables, memory, cut, laid, threads, job)
  } finally {
    scratch.close()
  }
}

/** Ranks the vertices; cuts the ranks into chunks, and these into buckets whose records fit, whatever the lists turn out to be. */
function cutGraph(graph: GaloisGr, request: OrientedRequest, memory: MemoryPlan, job: JobContext): Cut {
  const { vertices, arcs } = graph
  const limits = { arcs: memory.pieceArcs, vertices: memory.pieceVertices }
  job.progress({ phase: 'rank', done: 0, total: vertices, unit: 'vertices' })
  const { bounds: pieces, degrees } = cutPieces(graph, limits, new Uint32Array(vertices), job)
  const input: PriorityInput = { vertices, arcs, degrees, seed: request.seed, column: request.column }
  const order = orderVertices(request.priority, input)
  throwIfCancelled(job.signal)
  const ranks = new Uint32Array(sharedBytes(4 * vertices))
  const cut = new ChunkCut()
  const chunks = [0]
  const bounds = [0]
  let [chunkWords, bucketWords] = [0, 0]
  const endChunk = (): void => {
    if (bucketWords > 0 && bucketWords + chunkWords > memory.bucketWords) {
      bounds.push(chunks.at(-1)!)
      bucketWords = 0
    }
    bucketWords += chunkWords
    chunkWords = 0
  }
  for (let rank = 0; rank < vertices; rank++) {
    const v = order[vertices - 1 - rank]!
    ranks[v] = rank
    if (cut.begins(degrees[v]!)) {
      endChunk()
      chunks.push(rank)
    }
    // A record, and the place where it is noted when the bucket is sorted; no list is longer than the degree.
    chunkWords += ChunkCut.wordsOf(degrees[v]!)
  }
  if (vertices > 0) {
    endChunk()
    bounds.push(vertices)
    chunks.push(vertices)
  }
  return { ranks, pieces, bounds: sharedWords(bounds), chunks: sharedWords(chunks) }
}

/** Places all vertices, once it is known which of them have no entries. */
function layOut(
  { ranks, bounds, chunks }: Cut,
  tables: BucketTables,
  marks: Uint8Array,
  threads: number,
  job: JobContext,
): Laid {
  const vertices = ranks.length
  const buckets = bucketsOf(tables)
  const places = new Uint32Array(sharedBytes(4 * vertices))
  const firsts = new Uint32Array(sharedBytes(4 * (buckets + 1)))
  const openTails = new Float64Array(sharedBytes(8 * buckets))
  firsts[buckets] = vertices
  for (let bucket = buckets - 1; bucket >= 0; bucket--) {
    let behind = 0
    for (let rank = bounds[bucket]!; rank < bounds[bucket + 1]!; rank++) if (marks[rank] !== FRONT) behind++
    firsts[bucket] = firsts[bucket + 1]! - behind
  }
  const frontBits = placeFront(ranks, marks, places)
  const task = { step: 'lay', buckets: tables, chunks, marks, places, firsts, openTails } as const
  workTogether(task, threads, buckets, performViewTask, 'rank', job)
  return { places, firsts, frontBits, openTails: openTails.reduce((a, b) => a + b, 0) }
}

function fillView(
  path: string,
  { vertices }: GaloisGr,
  { checksum, order }: OrientedRequest,
  tables: BucketTables,
  memory: MemoryPlan,
  { ranks }: Cut,
  { places, firsts, frontBits, openTails }: Laid,
  threads: number,
  job: JobContext,
): void {
  const buckets = bucketsOf(tables)
  const tailFirst = new Float64Array(sharedBytes(8 * (buckets + 1)))
  for (let bucket = 0; bucket < buckets; bucket++) {
    let tails = 0
    for (let chain = bucket; chain < tables.tails.length; chain += buckets) tails += tables.tails[chain]!
    tailFirst[bucket + 1] = tailFirst[bucket]! + tails
  }
  const tailEntries = tailFirst[buckets]!
  requireAddressable(path, tailEntries)
  const front = firsts[0]!
  const file = new SlabFile(path, { kind: 'oriented', graph: checksum, order, vertices, front, tailEntries }, buckets)
  try {
    const { outputWords } = memory
    const { output } = file
    const task = { step: 'fill', buckets: tables, places, firsts, output, tailFirst, outputWords } as const
    workTogether(task, threads, buckets, performViewTask, 'build view', job)
    const sizes = Array.from({ length: buckets }, (_, bucket) => {
      const count = firsts[bucket + 1]! - firsts[bucket]!
      return { heads: HEAD_WIDTH * count, tailOffsets: count, tails: tailFirst[bucket + 1]! - tailFirst[bucket]! }
    })
    for (let v = 0; v < vertices; v++) ranks[v] = places[ranks[v]!]!
    file.finish(sizes, openTails, verticesBehind(ranks, front, places), frontBits)
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
