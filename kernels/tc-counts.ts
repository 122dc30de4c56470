import type { Kernel } from './kernel.ts'
import wgsl from './tc-counts.wgsl?raw'

export type TcCounts = Kernel<
  'seeds' | 'picked' | 'statistics',
  'records' | 'data' | 'picks' | 'openAny' | 'candsAny' | 'cands' | 'hits' | 'counters'
>

/** Phase 2 in plain integers; see tc-counts.wgsl. Threads stride over the picked chunks. */
export const tcCounts: TcCounts = {
  name: 'tc-counts',
  wgsl,
  workgroup: 256,
  params: ['seeds', 'picked', 'statistics'],
  buffers: [
    { name: 'records', access: 'read' },
    { name: 'data', access: 'read' },
    { name: 'picks', access: 'read' },
    { name: 'openAny', access: 'read' },
    { name: 'candsAny', access: 'read' },
    { name: 'cands', access: 'read' },
    { name: 'hits', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ seeds, picked, statistics }, { records, data, picks, openAny, candsAny, cands, hits, counters }) => {
    for (let item = 0; item < counters[picked]!; item++) {
      const record = 4 * picks[item]!
      const [first, tiles, firstRow] = [records[record]!, records[record + 1]!, records[record + 2]!]
      counters[statistics]! += tiles
      for (let tile = 0; tile < tiles; tile++) {
        const index = first + ROWS * tiles + 2 * tile
        const column = data[index]!
        const summary = data[index + 1]!
        const block = firstRow + (summary >>> 24)
        const openRows = (openAny[block >>> 1]! >>> (ROWS * (block & 1))) & 0xffff
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
