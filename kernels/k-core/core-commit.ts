import { kernel } from '../kernel.ts'
import wgsl from './core-commit.wgsl?raw'

/** Makes drafts bounds; see core-commit.wgsl. */
export const coreCommit = kernel(
  'core-commit',
  wgsl,
  ['low', 'count'],
  { due: 'read', drafts: 'read', cores: 'write', changes: 'write', counters: 'atomic' },
  ({ low, count }, { due, drafts, cores, changes, counters }) => {
    for (let place = 0; place < count; place++) {
      const rest = due[place >>> 5]! >>> (place & 31)
      if ((rest & 1) === 0) {
        place += (rest === 0 ? 32 - (place & 31) : 31 - Math.clz32(rest & -rest)) - 1
        continue
      }
      const v = low + place
      if (drafts[place] === cores[v]) continue
      cores[v] = drafts[place]!
      const slot = counters[0]!++
      changes[2 * slot] = v
      changes[2 * slot + 1] = drafts[place]!
    }
  },
)
