import { Failure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import { throwIfCancelled } from '../../base/job.ts'
import type { GaloisGr } from '../galois-gr.ts'
import { finishSums } from '../../base/make-sums.ts'
import { SumsBuilder } from '../../base/sums.ts'
import { fillAside } from '../../base/write-aside.ts'
import { writeFully } from '../../base/file-bytes.ts'
import { bareLists } from '../weighed-lists.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { TileBlock } from './tile-block.ts'
import { TILE_HEADER_BYTES, encodeTileHeader } from './tile-file.ts'
import { CHUNK_RECORD_WORDS, TILE_ROWS, columnsOfTiles } from './tile-format.ts'
import { WordStream } from './word-stream.ts'

/** Tiles are counted with 32 bits, and none is without an arc. */
const MOST_ARCS = 2 ** 32 - 1
/** What one pass over the lists has at hand. */
const STREAM_BYTES = 16 << 20
const LOOK_EVERY_BLOCKS = 1 << 10

/** Host memory for building: a slot for each column of tiles, and the tiles of one row block. */
export const tileBuildBytes = (vertices: number): number => STREAM_BYTES + 8 * columnsOfTiles(vertices)

/**
 * Builds the tiles of a graph, row block by row block, in one pass over its lists.
 * @param checksum of the graph
 * @throws Failure (usage) when the graph has too many arcs; (storage); (cancelled)
 */
export function buildTiles(graph: GaloisGr, path: string, checksum: string, job: JobContext): void {
  requireFewArcs(graph, path)
  const sums = new SumsBuilder()
  fillAside(path, (file) => {
    const data = new WordStream(file, path, TILE_HEADER_BYTES, sums)
    const { tiles, records } = cutRows(graph, data, job)
    const section = data.finish()
    const recordStream = new WordStream(file, path, section.at + section.bytes, sums)
    recordStream.pushAll(records)
    const { vertices, arcs } = graph
    const chunks = records.length / CHUNK_RECORD_WORDS
    const sections = { data: section, records: recordStream.finish() }
    writeFully(file, encodeTileHeader({ graph: checksum, vertices, arcs, tiles, chunks, ...sections }), 0, path)
  })
  finishSums(path, sums)
}

/** @throws Failure (usage) for a graph of which no tiles can be cut; `path` is where they would be stored */
export function requireFewArcs({ arcs }: Pick<GaloisGr, 'arcs'>, path: string | undefined): void {
  if (arcs <= MOST_ARCS) return
  throw new Failure({
    code: 'usage',
    where: path,
    what: `the graph has ${arcs} arcs, and tiles can be made of ${MOST_ARCS}`,
    remedy: 'Use ECL-MIS or MG-MIS, which need no tiles.',
  })
}

function cutRows(graph: GaloisGr, data: WordStream, job: JobContext): { tiles: number; records: Uint32Array } {
  const { vertices } = graph
  const chunks = new ChunkWriter(data)
  const block = new TileBlock(vertices)
  let room: Uint32Array = new Uint32Array(0)
  let filled = 0
  let ends: number[] = []
  for (const { v, neighbours } of bareLists(graph, false, 'cut tiles', job)) {
    if (v % (TILE_ROWS * LOOK_EVERY_BLOCKS) === 0) throwIfCancelled(job.signal)
    room = withRoom(room, filled, filled + neighbours.length)
    room.set(neighbours, filled)
    filled += neighbours.length
    ends.push(filled)
    if (ends.length < TILE_ROWS && v < vertices - 1) continue
    block.cut(room, ends)
    chunks.add(Math.floor(v / TILE_ROWS), block)
    ends = []
    filled = 0
  }
  return { records: chunks.finish(), tiles: chunks.tiles }
}

function withRoom(words: Uint32Array, kept: number, length: number): Uint32Array {
  if (length <= words.length) return words
  const grown = new Uint32Array(Math.max(length, 2 * words.length))
  grown.set(words.subarray(0, kept))
  return grown
}
