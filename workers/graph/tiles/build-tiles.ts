import { Failure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import { throwIfCancelled } from '../../base/job.ts'
import type { GaloisGr } from '../galois-gr.ts'
import { finishSums } from '../../base/make-sums.ts'
import { SumsBuilder } from '../../base/sums.ts'
import { fillAside } from '../../base/write-aside.ts'
import { writeFully } from '../../base/file-bytes.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { NeighbourLists } from './neighbour-lists.ts'
import { orderForTiles } from './order-vertices.ts'
import { TileBlock } from './tile-block.ts'
import type { TileHeader } from './tile-file.ts'
import { dataStart, encodeTileHeader, fixedSections } from './tile-file.ts'
import type { TileOrder } from './tile-format.ts'
import { CHUNK_RECORD_WORDS, TILE_ROWS, columnsOfTiles } from './tile-format.ts'
import { WordStream } from './word-stream.ts'

/** Lists are addressed with 32 bits. */
const MOST_ARCS = 2 ** 32 - 1
const LOOK_EVERY_BLOCKS = 1 << 10

export interface TileRequest {
  /** SHA-256 of graph.gr. */
  readonly checksum: string
  readonly order: TileOrder
  readonly budgetBytes: number
}

/** Memory for each vertex while tiles are built: offsets, the order and its inverse, labels or votes, and slots of columns. */
const VERTEX_BYTES = { none: 9, degree: 21, rcm: 26, cluster: 30 } as const

/**
 * Builds the tiles of a graph, row block by row block, and the neighbours by position beside them. Memory is O(n) and what the
 * budget leaves for lists; the file does not depend on it.
 * @throws Failure (usage) when the budget does not hold the vertices, or the graph has too many arcs; (storage); (cancelled)
 */
export function buildTiles(graph: GaloisGr, path: string, request: TileRequest, job: JobContext): void {
  requireTileRoom(graph, path, request)
  const lists = new NeighbourLists(graph, request.budgetBytes - VERTEX_BYTES[request.order] * graph.vertices)
  const vertexAt = orderForTiles(request.order, lists, job)
  const sums = new SumsBuilder()
  const sizes = { ...request, vertices: graph.vertices, arcs: graph.arcs }
  fillAside(path, (file) => writeTiles({ file, path, sums }, lists, vertexAt, sizes, job))
  finishSums(path, sums)
}

/** @throws Failure (usage) for a graph of which no tiles can be cut within the budget; `path` is where they would lie */
export function requireTileRoom(
  { vertices, arcs }: Pick<GaloisGr, 'vertices' | 'arcs'>,
  path: string | undefined,
  { order, budgetBytes }: Pick<TileRequest, 'order' | 'budgetBytes'>,
): void {
  if (arcs > MOST_ARCS)
    throw new Failure({
      code: 'usage',
      where: path,
      what: `the graph has ${arcs} arcs, and tiles can be made of ${MOST_ARCS}`,
      remedy: 'Use ECL-MIS or MG-MIS: their views hold each edge once.',
    })
  const neededBytes = VERTEX_BYTES[order] * vertices
  if (neededBytes > budgetBytes)
    throw new Failure({
      code: 'usage',
      where: path,
      what: `tiles in order "${order}" take ${neededBytes} bytes of memory for ${vertices} vertices, and ${budgetBytes} may be used`,
      remedy: 'Allow more memory, or choose order "none".',
    })
}

type Sized = TileRequest & Pick<TileHeader, 'vertices' | 'arcs'>

function writeTiles(
  { file, path, sums }: { readonly file: number; readonly path: string; readonly sums: SumsBuilder },
  lists: NeighbourLists,
  vertexAt: Uint32Array | undefined,
  sizes: Sized,
  job: JobContext,
): void {
  const at = fixedSections(sizes)
  const stream = (place: number): WordStream => new WordStream(file, path, place, sums)
  const orderStream = stream(at.vertexAt)
  if (vertexAt !== undefined) orderStream.pushAll(vertexAt)
  const naturalTiles = vertexAt === undefined ? undefined : countTiles(lists, job)
  const streams = { offsets: stream(at.listOffsets), lists: stream(at.lists), data: stream(dataStart(sizes)) }
  const { tiles, records } = cutRows(lists, vertexAt, streams, job)
  const data = streams.data.finish()
  const recordStream = stream(data.at + data.bytes)
  recordStream.pushAll(records)
  const header = encodeTileHeader({
    graph: sizes.checksum,
    order: sizes.order,
    vertices: sizes.vertices,
    arcs: sizes.arcs,
    tiles,
    naturalTiles: naturalTiles ?? tiles,
    chunks: records.length / CHUNK_RECORD_WORDS,
    vertexAt: orderStream.finish(),
    listOffsets: streams.offsets.finish(),
    lists: streams.lists.finish(),
    data,
    records: recordStream.finish(),
  })
  writeFully(file, header, 0, path)
}

type Streams = Readonly<Record<'offsets' | 'lists' | 'data', WordStream>>

function cutRows(
  lists: NeighbourLists,
  vertexAt: Uint32Array | undefined,
  streams: Streams,
  job: JobContext,
): { tiles: number; records: Uint32Array } {
  const { vertices } = lists
  const positions = vertexAt === undefined ? undefined : inverse(vertexAt)
  const chunks = new ChunkWriter(streams.data)
  const block = new TileBlock(vertices)
  let room: Uint32Array = new Uint32Array(0)
  let written = 0
  for (let first = 0; first < vertices; first += TILE_ROWS) {
    if ((first / TILE_ROWS) % LOOK_EVERY_BLOCKS === 0) tell(job, 'cut tiles', first, vertices)
    const last = Math.min(vertices, first + TILE_ROWS)
    const ends: number[] = []
    let filled = 0
    for (let p = first; p < last; p++) {
      streams.offsets.push((written + filled) >>> 0)
      const list = lists.of(vertexAt === undefined ? p : vertexAt[p]!)
      room = withRoom(room, filled + list.length)
      room.set(list, filled)
      if (positions !== undefined) renumber(room.subarray(filled, filled + list.length), positions)
      filled += list.length
      ends.push(filled)
    }
    streams.lists.pushAll(room.subarray(0, filled))
    written += filled
    block.cut(room, ends)
    chunks.add(first / TILE_ROWS, block)
  }
  streams.offsets.push(written >>> 0)
  return { records: chunks.finish(), tiles: chunks.tiles }
}

function inverse(vertexAt: Uint32Array): Uint32Array {
  const positions = new Uint32Array(vertexAt.length)
  for (let p = 0; p < vertexAt.length; p++) positions[vertexAt[p]!] = p
  return positions
}

function renumber(list: Uint32Array, positions: Uint32Array): void {
  for (let i = 0; i < list.length; i++) list[i] = positions[list[i]!]!
  list.sort()
}

function withRoom(words: Uint32Array, length: number): Uint32Array {
  if (length <= words.length) return words
  const grown = new Uint32Array(Math.max(length, 2 * words.length))
  grown.set(words)
  return grown
}

/** Tiles that the graph has in its own order. */
function countTiles(lists: NeighbourLists, job: JobContext): number {
  const { vertices } = lists
  const seen = new Int32Array(columnsOfTiles(vertices)).fill(-1)
  let tiles = 0
  for (let v = 0; v < vertices; v++) {
    const rowBlock = Math.floor(v / TILE_ROWS)
    if (v % (TILE_ROWS * LOOK_EVERY_BLOCKS) === 0) tell(job, 'count tiles', v, vertices)
    for (const u of lists.of(v)) {
      if (seen[u >>> 5] === rowBlock) continue
      seen[u >>> 5] = rowBlock
      tiles++
    }
  }
  return tiles
}

function tell(job: JobContext, phase: string, done: number, total: number): void {
  throwIfCancelled(job.signal)
  job.progress({ phase, done, total, unit: 'vertices' })
}
