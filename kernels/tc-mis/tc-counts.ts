import { kernel } from '../kernel.ts'
import { indexAt, isOpen, rowsAmong, rowsAt, tilesPart } from '../parts/tiles.ts'
import wgsl from './tc-counts.wgsl?raw'

const TILES_READ = 1

export const TC_COUNTS_BUFFERS = {
  tiles: 'read vec4',
  open: 'read',
  openAny: 'read',
  cands: 'read',
  hits: 'atomic',
  counters: 'atomic',
} as const

/** A thread a tile. */
export const tcCounts = kernel(
  'tc-counts',
  [wgsl, tilesPart],
  ['count', 'seeds'],
  TC_COUNTS_BUFFERS,
  ({ count, seeds }, { tiles, open, openAny, cands, hits, counters }) => {
    for (let tile = 0; tile < count; tile++) {
      if (!isOpen(tiles, tile, openAny)) continue
      const index = indexAt(tile)
      let isRead = 0
      for (let seed = 0; seed < seeds; seed++) {
        const at = (tiles[index]! >>> 1) * seeds + seed
        const candidates = tiles[index + 2]! & cands[tiles[index + 1]! * seeds + seed]!
        for (let rows = candidates === 0 ? 0 : rowsAmong(tiles, tile, open[at]!); rows !== 0; rows &= rows - 1) {
          const row = 31 - Math.clz32(rows & -rows)
          isRead = 1
          if ((tiles[rowsAt(tile) + row]! & candidates) !== 0) hits[at]! |= 1 << (16 * (tiles[index]! & 1) + row)
        }
      }
      counters[TILES_READ]! += isRead
    }
  },
)

export type TcCounts = typeof tcCounts
