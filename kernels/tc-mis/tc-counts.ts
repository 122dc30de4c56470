import type { Kernel } from '../kernel.ts'
import { withTiles } from '../parts/tiles.ts'
import wgsl from './tc-counts.wgsl?raw'

export type TcCounts = Kernel<
  'chunks' | 'seeds' | 'previous' | 'statistics',
  'records' | 'data' | 'openAny' | 'candsAny' | 'cands' | 'hits' | 'counters'
>

/** Phase 2 in plain integers; see tc-counts.wgsl. Workgroups stride over the chunks of a batch. */
export const tcCounts: TcCounts = {
  name: 'tc-counts',
  wgsl: withTiles(wgsl),
  workgroup: 256,
  params: ['chunks', 'seeds', 'previous', 'statistics'],
  buffers: [
    { name: 'records', access: 'read' },
    { name: 'data', access: 'read' },
    { name: 'openAny', access: 'read' },
    { name: 'candsAny', access: 'read' },
    { name: 'cands', access: 'read' },
    { name: 'hits', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ chunks, seeds, previous, statistics }, { records, data, openAny, candsAny, cands, hits, counters }) => {
    if (counters[previous] === 0) return
    for (let record = 0; record < 4 * chunks; record += 4) {
      const [first, tiles, firstRow] = [records[record]!, records[record + 1]!, records[record + 2]!]
      if (!hasOpenRow(openAny, firstRow, records[record + 3]!)) continue
      counters[statistics]! += tiles
      for (let tile = 0; tile < tiles; tile++) {
        const index = first + ROWS * tiles + 2 * tile
        const column = data[index]!
        const summary = data[index + 1]!
        const block = firstRow + (summary >>> 24)
        const openRows = openRowsOf(openAny, block)
        const candidates = candsAny[column]!
        if ((summary & (candidates | (candidates >>> 16)) & 0xffff) === 0) continue
        if (((summary >>> 16) & (openRows | (openRows >>> 8)) & 0xff) === 0) continue
        counters[statistics + 1]!++
        for (let row = 0; row < ROWS; row++) {
          const word = data[first + ROWS * tile + row]!
          if (word === 0) continue
          const bit = 1 << (ROWS * (block & 1) + row)
          for (let seed = 0; seed < seeds; seed++)
            if ((word & cands[column * seeds + seed]!) !== 0) hits[(block >>> 1) * seeds + seed]! |= bit
        }
      }
    }
  },
}

const ROWS = 16

/** A row block is half a word. */
const openRowsOf = (openAny: Uint32Array, block: number): number =>
  (openAny[block >>> 1]! >>> (ROWS * (block & 1))) & 0xffff

function hasOpenRow(openAny: Uint32Array, firstRow: number, lastRow: number): boolean {
  for (let row = firstRow; row <= lastRow; row++) if (openRowsOf(openAny, row) !== 0) return true
  return false
}
