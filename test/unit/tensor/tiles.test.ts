import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { buildTiles } from '../../../workers/graph/tiles/build-tiles.ts'
import { prepareTiles } from '../../../workers/graph/tiles/prepare-tiles.ts'
import { TileFile, tileStatistics } from '../../../workers/graph/tiles/tile-file.ts'
import {
  CHUNK_RECORD_WORDS,
  CHUNK_TILES,
  INDEX_WORDS,
  TILE_WORDS,
  chunkWords,
  tileOrders,
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

/** All arcs that the tiles hold, as "row column" in positions, with every law of the format checked on the way. */
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
  it.each(tileOrders)('hold every arc once, in order %s, on graphs of every shape', (order) => {
    let tiles = 0
    for (let seed = 0; seed < 20; seed++) {
      const { graph, shape } = randomSmallGraph(seed, 3000)
      const { tileFile } = prepareTiles({ ...onDisk(graph), order }, quietJob)
      const vertexAt =
        order === 'none' ? Uint32Array.from(graph.neighbours, (_, v) => v) : tileFile.readWords('vertexAt')
      expect(
        [...vertexAt].sort((a, b) => a - b),
        shape,
      ).toEqual(graph.neighbours.map((_, v) => v))
      const positions = new Uint32Array(graph.vertices)
      vertexAt.forEach((v, p) => (positions[v] = p))
      const expected = graph.neighbours.flatMap((list, v) => list.map((u) => `${positions[v]!} ${positions[u]!}`))
      expect(arcsOfTiles(tileFile).sort(), `${shape}, seed ${seed}`).toEqual(expected.sort())
      const offsets = tileFile.readWords('listOffsets')
      const lists = tileFile.readWords('lists')
      const byPosition = [...vertexAt].map((v) => graph.neighbours[v]!.map((u) => positions[u]!).sort((a, b) => a - b))
      expect([...lists]).toEqual(byPosition.flat())
      let end = 0
      expect([...offsets]).toEqual([0, ...byPosition.map((list) => (end += list.length))])
      tiles += tileFile.header.tiles
      tileFile.close()
    }
    expect(tiles).toBeGreaterThan(2500)
  })

  it('come out the same byte by byte in little memory', () => {
    for (const order of tileOrders) {
      const { folder } = onDisk(randomSmallGraph(28, 3000).graph)
      const scratch = mkdtempSync(join(tmpdir(), 'anticlique-tiles-'))
      folders.push(scratch)
      const graph = GaloisGr.open(join(folder, 'graph.gr'))
      const files = [2 ** 30, 30 * graph.vertices + 4].map((budgetBytes) => {
        const path = join(scratch, `${budgetBytes}`)
        buildTiles(graph, path, { checksum: 'x', order, budgetBytes }, quietJob)
        return readFileSync(path)
      })
      graph.close()
      expect(files[1]!.equals(files[0]!), order).toBe(true)
      expect(files[0]!.length).toBeGreaterThan(10_000)
    }
  })

  it('take at most a sixth of a byte for each cell, and tell how full they are', () => {
    const { graph } = randomSmallGraph(28, 3000)
    const { tileFile } = prepareTiles({ ...onDisk(graph), order: 'none' }, quietJob)
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
    const { tileFile } = prepareTiles({ ...onDisk(graph), order: 'none' }, quietJob)
    expect(arcsOfTiles(tileFile)).toHaveLength(6)
    expect(tileFile.header.chunks).toBe(3)
    tileFile.close()
  })

  it('are filled better by an order that suits the graph', () => {
    // A band of width 3 whose ids are shuffled.
    const n = 4096
    const id = (v: number): number => (v * 1237) % n
    const graph = smallGraph(
      n,
      Array.from({ length: 3 * n - 6 }, (_, i): [number, number] => {
        const v = Math.floor(i / 3)
        return [id(v), id(v + 1 + (i % 3))]
      }),
    )
    const place = onDisk(graph)
    const [none, rcm] = (['none', 'rcm'] as const).map((order) => {
      const { tileFile } = prepareTiles({ ...place, order }, quietJob)
      const statistics = tileStatistics(tileFile.header)
      tileFile.close()
      return statistics
    })
    expect(rcm!.naturalTiles).toBe(none!.tiles)
    // Two tiles for each of the 256 row blocks is the least that a band can have.
    expect(rcm!.tiles).toBeLessThanOrEqual(512)
    expect(rcm!.tiles).toBeLessThan(none!.tiles / 4)
  })

  it('are kept, and built again when they are of another graph or damaged', () => {
    const place = onDisk(randomSmallGraph(28, 800).graph)
    const first = prepareTiles({ ...place, order: 'degree' }, quietJob)
    first.tileFile.close()
    expect(first.buildMs).toBeGreaterThan(0)
    const again = prepareTiles({ ...place, order: 'degree' }, quietJob)
    expect(again.buildMs).toBe(0)
    again.tileFile.close()
    const other = prepareTiles({ ...place, checksum: 'other', order: 'degree' }, quietJob)
    expect(other.buildMs).toBeGreaterThan(0)
    other.tileFile.close()
  })
})
