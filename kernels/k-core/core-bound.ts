import { kernel } from '../kernel.ts'
import wgsl from './core-bound.wgsl?raw'

/** Lowers bounds on core numbers; see core-bound.wgsl. */
export const coreBound = kernel(
  'core-bound',
  wgsl,
  ['first', 'rows', 'low'],
  { offsets: 'read', targets: 'read', cores: 'read', due: 'read', drafts: 'write', marks: 'atomic' },
  ({ first, rows, low }, { offsets, targets, cores, due, drafts, marks }) => {
    let counts = new Uint32Array(1024)
    for (let row = 0; row < rows; row++) {
      const v = first + row
      const place = v - low
      if (((due[place >>> 5]! >>> (place & 31)) & 1) === 0) continue
      const begin = offsets[row]!
      const end = offsets[row + 1]!
      const before = cores[v]!
      if (before >= counts.length) counts = new Uint32Array(2 * before)
      // By counting: how many neighbours have each bound, those above the own one with it.
      counts.fill(0, 0, before + 1)
      for (let at = begin; at < end; at++) counts[Math.min(before, cores[targets[at]!]!)]!++
      let after = before
      for (let above = counts[after]!; above < after; above += counts[after]!) after--
      drafts[place] = after
      if (after === before) continue
      marks[v >>> 5]! |= 1 << (v & 31)
      for (let at = begin; at < end; at++) {
        const u = targets[at]!
        if (cores[u]! > after && cores[u]! <= before) marks[u >>> 5]! |= 1 << (u & 31)
      }
    }
  },
)
