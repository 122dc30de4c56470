import { rmSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { indexAt, rowsAt } from '../../../../kernels/parts/tiles.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import {
  type PreparedTiles,
  type TileFile,
  type TilesPlace,
  tileFileBytes,
  CHUNK_TILES,
  CHUNK_WORDS,
  INDEX_WORDS,
  TILE_COLUMNS,
  TILE_ROWS,
  TILE_WORDS,
  tileChunks,
  prepareTiles,
} from '../../../../workers/graph/tiles/tile-file.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { type SmallGraph, randomSmallGraph, smallGraph, writeGraphFolder } from '../../../support/graphs.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function onDisk(graph: SmallGraph): TilesPlace {
  const made = writeGraphFolder(graph)
  folders.push(made.folder)
  return made
}

function prepare(place: TilesPlace): PreparedTiles {
  const graph = GaloisGr.inFolder(place.folder)
  try {
    return prepareTiles(place, graph, quietJob)
  } finally {
    graph.close()
  }
}

/** All arcs that the tiles hold, as "row column", with every law of the format checked on the way. */
function arcsOfTiles(tileFile: TileFile): string[] {
  const { tiles } = tileFile.header
  const words = new Uint32Array(CHUNK_WORDS * tileChunks(tiles))
  tileFile.read(0, new Uint8Array(words.buffer))
  const arcs: string[] = []
  let previous = -1
  for (let tile = 0; tile < CHUNK_TILES * tileChunks(tiles); tile++) {
    const [row, column, columnsUsed, rowsUsed] = words.subarray(indexAt(tile), indexAt(tile) + INDEX_WORDS)
    const rows = words.subarray(rowsAt(tile), rowsAt(tile) + TILE_WORDS)
    if (tile >= tiles) {
      expect([row, column, columnsUsed, rowsUsed, ...rows]).toEqual(new Array(INDEX_WORDS + TILE_WORDS).fill(0))
      continue
    }
    const place = row! * 2 ** 27 + column!
    expect(place).toBeGreaterThan(previous)
    previous = place
    let [columns, used] = [0, 0]
    for (let r = 0; r < TILE_ROWS; r++) {
      columns |= rows[r]!
      if (rows[r] !== 0) used |= 1 << r
      for (let c = 0; c < TILE_COLUMNS; c++)
        if ((rows[r]! >>> c) & 1) arcs.push(`${TILE_ROWS * row! + r} ${TILE_COLUMNS * column! + c}`)
    }
    expect([columnsUsed, rowsUsed]).toEqual([columns >>> 0, used])
    expect(used).not.toBe(0)
  }
  return arcs
}

describe('the tiles of a graph', () => {
  it('hold every arc once, on graphs of every shape', () => {
    let tiles = 0
    for (let seed = 0; seed < 40; seed++) {
      const { graph, shape } = randomSmallGraph(seed, 3000)
      const { tileFile } = prepare(onDisk(graph))
      const expected = graph.neighbours.flatMap((list, v) => list.map((u) => `${v} ${u}`))
      expect(arcsOfTiles(tileFile).sort(), `${shape}, seed ${seed}`).toEqual(expected.sort())
      tiles += tileFile.header.tiles
      tileFile.close()
    }
    expect(tiles).toBeGreaterThan(5000)
  })

  it('take 20 words each, and fill up the last chunk', () => {
    const n = 40_000
    const graph = smallGraph(n, [
      [0, n - 1],
      [9000, 9001],
      [n - 1, n - 2],
    ])
    const { tileFile } = prepare(onDisk(graph))
    expect(arcsOfTiles(tileFile)).toHaveLength(6)
    expect(tileFile.header.tiles).toBe(4)
    expect(tileFileBytes(4)).toBe(4096 + 64 * 80)
    expect(tileFileBytes(65)).toBe(4096 + 128 * 80)
    tileFile.close()
  })

  it('are kept, and built again when they are of another graph or damaged', () => {
    const place = onDisk(randomSmallGraph(28, 800).graph)
    const first = prepare(place)
    first.tileFile.close()
    expect(first.buildMs).toBeGreaterThan(0)
    const again = prepare(place)
    expect(again.buildMs).toBe(0)
    again.tileFile.close()
    const other = prepare({ ...place, checksum: 'other' })
    expect(other.buildMs).toBeGreaterThan(0)
    other.tileFile.close()
  })
})
