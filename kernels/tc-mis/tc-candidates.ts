import { kernel } from '../kernel.ts'
import { indexAt, isOpen, rowsAmong, rowsAt, tilesPart } from '../parts/tiles.ts'
import wgsl from './tc-candidates.wgsl?raw'

/** A thread a tile. */
export const tcCandidates = kernel(
  'tc-candidates',
  [wgsl, tilesPart],
  ['count', 'seeds'],
  { tiles: 'read vec4', open: 'read', openAny: 'read', keys: 'read', cands: 'atomic' },
  ({ count, seeds }, { tiles, open, openAny, keys, cands }) => {
    for (let tile = 0; tile < count; tile++) {
      if (!isOpen(tiles, tile, openAny)) continue
      const block = tiles[indexAt(tile)]!
      const column = tiles[indexAt(tile) + 1]!
      for (let seed = 0; seed < seeds; seed++) {
        const at = (block >>> 1) * seeds + seed
        const columns = open[column * seeds + seed]!
        for (let rows = columns === 0 ? 0 : rowsAmong(tiles, tile, cands[at]!); rows !== 0; rows &= rows - 1) {
          const row = 31 - Math.clz32(rows & -rows)
          const v = 16 * block + row
          const own = keys[v * seeds + seed]!
          for (let near = tiles[rowsAt(tile) + row]! & columns; near !== 0; near &= near - 1) {
            const u = 32 * column + 31 - Math.clz32(near & -near)
            if (keys[u * seeds + seed]! <= own) continue
            cands[at]! &= ~(1 << (v & 31))
            break
          }
        }
      }
    }
  },
)
