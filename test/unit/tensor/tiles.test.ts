import { rmSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { prepareTiles } from '../../../workers/graph/tiles/prepare-tiles.ts'
import { type TileFile, tileStatistics } from '../../../workers/graph/tiles/tile-file.ts'
import {
  CHUNK_RECORD_WORDS,
  CHUNK_TILES,
  INDEX_WORDS,
  TILE_WORDS,
  chunkWords,
} from '../../../workers/graph/tiles/tile-format.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { SmallGraph } from '../../support/graphs.ts'
import { randomSmallGraph, smallGraph, writeGraphFolder } from '../../support/graphs.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function onDisk(graph: SmallGraph): { folder: string; checksum: string } {
  const made = writeGraphFolder(graph)
  folders.push(made.folder)
  return made
}

/** All arcs that the tiles hold, as "row column", with every law of the format checked on the way. */
function arcsOfTiles(tileFile: TileFile): string[] {
  const records = tileFile.readWords('records')
  const data = tileFile.readWords('data')
  const arcs: string[] = []
  let word = 0
  let before = 0
  let previous = -1
  for (let at = 0; at < records.length; at += CHUNK_RECORD_WORDS) {
    const [tilesBefore, count] = [records[at]!, records[at + 1]!]
    const [firstRow, lastRow] = [records[at + 2]!, records[at + 3]!]
    expect(tilesBefore).toBe(before)
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThanOrEqual(CHUNK_TILES)
    for (let tile = 0; tile < count; tile++) {
      const index = word + TILE_WORDS * count + INDEX_WORDS * tile
      const column = data[index]!
      const summary = data[index + 1]!
      const row = firstRow + (summary >>> 24)
      const place = row * 2 ** 27 + column
      expect(place).toBeGreaterThan(previous)
      previous = place
      let columns = 0
      let rows = 0
      for (let r = 0; r < 16; r++) {
        const bits = data[word + TILE_WORDS * tile + r]!
        columns |= bits
        if (bits !== 0) rows |= 1 << (r & 7)
        for (let c = 0; c < 32; c++) if ((bits >>> c) & 1) arcs.push(`${16 * row + r} ${32 * column + c}`)
      }
      expect(summary & 0xffff).toBe((columns & 0xffff) | (columns >>> 16))
      expect((summary >>> 16) & 0xff).toBe(rows)
      if (tile === count - 1) expect(row).toBe(lastRow)
    }
    word += chunkWords(count)
    before += count
  }
  expect(word).toBe(data.length)
  expect(before).toBe(tileFile.header.tiles)
  return arcs
}

describe('the tiles of a graph', () => {
  it('hold every arc once, on graphs of every shape', () => {
    let tiles = 0
    for (let seed = 0; seed < 40; seed++) {
      const { graph, shape } = randomSmallGraph(seed, 3000)
      const { tileFile } = prepareTiles(onDisk(graph), quietJob)
      const expected = graph.neighbours.flatMap((list, v) => list.map((u) => `${v} ${u}`))
      expect(arcsOfTiles(tileFile).sort(), `${shape}, seed ${seed}`).toEqual(expected.sort())
      tiles += tileFile.header.tiles
      tileFile.close()
    }
    expect(tiles).toBeGreaterThan(5000)
  })

  it('take at most a sixth of a byte for each cell, and tell how full they are', () => {
    const { graph } = randomSmallGraph(28, 3000)
    const { tileFile } = prepareTiles(onDisk(graph), quietJob)
    const statistics = tileStatistics(tileFile.header)
    expect(statistics.bytesPerCell).toBeLessThanOrEqual(1 / 6)
    expect(statistics.fill).toBeCloseTo(tileFile.header.arcs / (512 * tileFile.header.tiles))
    tileFile.close()
  })

  it('stay in chunks of few row blocks where most row blocks are empty', () => {
    const n = 40_000
    const graph = smallGraph(n, [
      [0, n - 1],
      [9000, 9001],
      [n - 1, n - 2],
    ])
    const { tileFile } = prepareTiles(onDisk(graph), quietJob)
    expect(arcsOfTiles(tileFile)).toHaveLength(6)
    expect(tileFile.header.chunks).toBe(3)
    tileFile.close()
  })

  it('are kept, and built again when they are of another graph or damaged', () => {
    const place = onDisk(randomSmallGraph(28, 800).graph)
    const first = prepareTiles(place, quietJob)
    first.tileFile.close()
    expect(first.buildMs).toBeGreaterThan(0)
    const again = prepareTiles(place, quietJob)
    expect(again.buildMs).toBe(0)
    again.tileFile.close()
    const other = prepareTiles({ ...place, checksum: 'other' }, quietJob)
    expect(other.buildMs).toBeGreaterThan(0)
    other.tileFile.close()
  })
})
