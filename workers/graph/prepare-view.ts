import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Priority } from '../jobs.ts'
import type { JobContext } from '../job.ts'
import { GaloisGr } from './galois-gr.ts'
import { HEAD_WIDTH, degreesOf, orientGraph, readAdjacency } from './oriented-view.ts'
import type { OrientedView } from './oriented-view.ts'
import { rankVertices } from './priority.ts'
import { ViewFile, writeView } from './view-file.ts'

export interface ViewRequest {
  readonly folder: string
  /** SHA-256 of graph.gr. */
  readonly checksum: string
  readonly priority: Priority
  readonly seed: number
  /** One value a vertex, for priority `column`. */
  readonly column?: Float64Array | undefined
}

export interface PreparedView {
  readonly view: ViewFile
  /** n + 1 positions of the tails. */
  readonly tailOffsets: Uint32Array
  /** Milliseconds that building took; 0 when the view was there. */
  readonly buildMs: number
}

/** Opens the oriented view of a dataset, building and storing it first where it is not there yet. */
export function prepareView(request: ViewRequest, job: JobContext): PreparedView {
  const order = orderName(request)
  const path = join(request.folder, 'views', `oriented-${order}.view`)
  const cached = ViewFile.openIfValid(path, request.checksum, order)
  if (cached !== undefined) return { view: cached, tailOffsets: readTailOffsets(cached), buildMs: 0 }
  const startMs = performance.now()
  buildView(request, order, path, job)
  const view = ViewFile.openIfValid(path, request.checksum, order)
  if (view === undefined) throw new Error(`${path} is not the view that was written there`)
  return { view, tailOffsets: readTailOffsets(view), buildMs: performance.now() - startMs }
}

/** What the ranking depends on besides the graph; part of the file name. */
function orderName({ priority, seed, column }: ViewRequest): string {
  if (column === undefined) return `${priority}-${seed}`
  const digest = createHash('sha256').update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  return `${priority}-${digest.digest('hex').slice(0, 16)}-${seed}`
}

function buildView(request: ViewRequest, order: string, path: string, job: JobContext): void {
  const graph = GaloisGr.open(join(request.folder, 'graph.gr'))
  try {
    const adjacency = readAdjacency(graph, job)
    const { vertices, arcs } = graph
    const degrees = degreesOf(adjacency.offsets)
    const ranking = rankVertices(request.priority, {
      vertices,
      arcs,
      degrees,
      seed: request.seed,
      column: request.column,
    })
    writeView(path, request.checksum, order, orientGraph(adjacency, ranking, job))
  } finally {
    graph.close()
  }
}

function readTailOffsets(view: ViewFile): Uint32Array {
  const offsets = new Uint32Array(view.header.vertices + 1)
  view.checkedReader(view.header.tailOffsets)(0, new Uint8Array(offsets.buffer))
  return offsets
}

/** positions[v] of each vertex. */
export function readPositions(view: ViewFile): Uint32Array {
  const positions = new Uint32Array(view.header.vertices)
  view.checkedReader(view.header.positions)(0, new Uint8Array(positions.buffer))
  return positions
}

/** The whole view in memory. */
export function readWholeView({ view, tailOffsets }: PreparedView): OrientedView {
  const { vertices, tailEntries } = view.header
  const heads = new Uint32Array(HEAD_WIDTH * vertices)
  const tails = new Uint32Array(tailEntries)
  view.checkedReader(view.header.heads)(0, new Uint8Array(heads.buffer))
  view.checkedReader(view.header.tails)(0, new Uint8Array(tails.buffer))
  return { vertices, heads, tailOffsets, tails, positions: readPositions(view) }
}
