import { totalmem } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import type { Priority } from '../jobs.ts'
import type { JobContext } from '../job.ts'
import { GaloisGr } from './galois-gr.ts'
import { degreesOf, orientGraph, readAdjacency } from './oriented-view.ts'
import { orderName, orderVertices } from './priority.ts'
import type { ViewKind, ViewSlab } from './view-file.ts'
import { ViewFile, viewBytes, writeView } from './view-file.ts'
import { positionsFrom } from './view-layout.ts'
import type { BuildResources } from './views/build-oriented.ts'
import { buildOrientedOutOfCore } from './views/build-oriented.ts'
import { requireDisk } from './views/disk-space.ts'
import { isBuiltInMemory, viewThreads } from './views/memory-plan.ts'
import { VIEWS_FOLDER, sweepViews } from './views/views-folder.ts'

export interface ViewRequest {
  readonly folder: string
  /** SHA-256 of graph.gr. */
  readonly checksum: string
  readonly priority: Priority
  readonly seed: number
  /** One value a vertex, for priority `column`. */
  readonly column?: Float64Array | undefined
  /** Host memory that building may take; absent: a quarter of the machine's. */
  readonly budgetBytes?: number | undefined
  /** Threads that build out of core; absent: as many as views/memory-plan.ts says. */
  readonly threads?: number | undefined
}

/** Host memory that preparing may take where nobody says: a quarter of the machine's. */
export const defaultBudgetBytes = (): number => Math.floor(totalmem() / 4)

export interface PreparedView {
  readonly view: ViewFile
  /** n + 1 positions of the tails, in shared memory. */
  readonly tailOffsets: Uint32Array
  /** Milliseconds that building took; 0 when the view was there. */
  readonly buildMs: number
}

/**
 * Opens the oriented view of a dataset, building and storing it first where it is not there yet, or is there in pieces. Several
 * processes may do so at once: each writes aside, and the last one to finish leaves its file, which is the same.
 */
export function prepareView(request: ViewRequest, job: JobContext): PreparedView {
  const order = orderName(request)
  return openOrBuild(request, 'oriented', order, (path) => buildView(request, order, path, job))
}

/** What building may take, where the request does not say. */
function resourcesOf(request: Pick<ViewRequest, 'budgetBytes' | 'threads'>): BuildResources {
  const { budgetBytes = defaultBudgetBytes() } = request
  return { budgetBytes, threads: request.threads ?? viewThreads(budgetBytes) }
}

/** Opens a view of a dataset; builds it first where it is missing, of another graph, or visibly damaged. */
export function openOrBuild(
  { folder, checksum }: Pick<ViewRequest, 'folder' | 'checksum'>,
  kind: ViewKind,
  order: string,
  build: (path: string) => void,
): PreparedView {
  const path = viewPath(folder, kind, order)
  const cached = openPrepared({ folder, checksum }, kind, order)
  if (cached !== undefined) return { ...cached, buildMs: 0 }
  const startMs = performance.now()
  sweepViews(folder)
  build(path)
  const built = openPrepared({ folder, checksum }, kind, order)
  if (built === undefined) throw new Error(`${path} is not the view that was written there`)
  return { ...built, buildMs: performance.now() - startMs }
}

/** A view whose tail offsets are what they should be; undefined where it must be built (again). */
export function openPrepared(
  { folder, checksum }: Pick<ViewRequest, 'folder' | 'checksum'>,
  kind: ViewKind,
  order: string,
): Omit<PreparedView, 'buildMs'> | undefined {
  const view = ViewFile.openIfValid(viewPath(folder, kind, order), checksum, order, kind)
  if (view === undefined) return undefined
  try {
    return { view, tailOffsets: readTailOffsets(view) }
  } catch (error) {
    view.close()
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Where a view of this kind and order lies in a dataset folder. */
export function viewPath(folder: string, kind: ViewKind, order: string): string {
  return join(folder, VIEWS_FOLDER, `${kind}-${order}.view`)
}

/** In memory where the budget allows, unless many threads would wait. Both ways give the same bytes. */
function buildView(request: ViewRequest, order: string, path: string, job: JobContext): void {
  const { budgetBytes, threads } = resourcesOf(request)
  const graph = GaloisGr.inFolder(request.folder)
  try {
    const { vertices, arcs } = graph
    if (isBuiltInMemory(vertices, arcs, budgetBytes, threads)) return buildInMemory(graph, request, order, path, job)
    buildOrientedOutOfCore(graph, path, { ...request, order }, { budgetBytes, threads }, job)
  } finally {
    graph.close()
  }
}

function buildInMemory(graph: GaloisGr, request: ViewRequest, order: string, path: string, job: JobContext): void {
  const adjacency = readAdjacency(graph, job)
  const { vertices, arcs } = graph
  const degrees = degreesOf(adjacency.offsets)
  const ranking = orderVertices(request.priority, { ...request, vertices, arcs, degrees })
  requireDisk(path, viewBytes(vertices, arcs / 2))
  writeView(path, request.checksum, order, orientGraph(adjacency, ranking, job))
}

/** Those of the front are 0. In memory that threads may share. */
function readTailOffsets(view: ViewFile): Uint32Array {
  const { vertices, front, tailOffsets } = view.header
  const offsets = new Uint32Array(new SharedArrayBuffer(4 * (vertices + 1)))
  view.checkedReader(tailOffsets)(0, new Uint8Array(offsets.buffer, 4 * front))
  return offsets
}

function readWords(view: ViewFile, slab: ViewSlab): Uint32Array {
  const section = view.header[slab]
  const words = new Uint32Array(section.bytes / 4)
  view.checkedReader(section)(0, new Uint8Array(words.buffer))
  return words
}

/** A bit for each vertex of the graph: whether it stands at the front, where ids ascend. */
export const readFrontBits = (view: ViewFile): Uint32Array => readWords(view, 'frontBits')

/** positions[v] of each vertex of an oriented view. */
export function readPositions(view: ViewFile): Uint32Array {
  return positionsFrom(view.header.vertices, readFrontBits(view), readWords(view, 'behind'))
}
