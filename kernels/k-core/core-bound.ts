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
      const rest = due[place >>> 5]! >>> (place & 31)
      if ((rest & 1) === 0) {
        // To the next one of the word, or behind it.
        row += (rest === 0 ? 32 - (place & 31) : 31 - Math.clz32(rest & -rest)) - 1
        continue
      }
      const begin = offsets[row]!
      const end = offsets[row + 1]!
      const before = cores[v]!
      if (isKept(before, cores, targets, begin, end)) {
        drafts[place] = before
        continue
      }
      if (before >= counts.length) counts = new Uint32Array(2 * before)
      // By counting: how many neighbours have each bound, those above the own one with it.
      counts.fill(0, 0, before + 1)
      for (let at = begin; at < end; at++) counts[Math.min(before, cores[targets[at]!]!)]!++
      let after = before
      for (let above = counts[after]!; above < after; above += counts[after]!) after--
      drafts[place] = after
      marks[v >>> 5]! |= 1 << (v & 31)
      for (let at = begin; at < end; at++) {
        const u = targets[at]!
        if (cores[u]! > after && cores[u]! <= before) marks[u >>> 5]! |= 1 << (u & 31)
      }
    }
  },
)

/** Whether so many neighbours have this bound or more. */
function isKept(bound: number, cores: Uint32Array, targets: Uint32Array, begin: number, end: number): boolean {
  let missing = bound
  for (let at = begin; missing > 0 && end - at >= missing; at++) if (cores[targets[at]!]! >= bound) missing--
  return missing === 0
}
