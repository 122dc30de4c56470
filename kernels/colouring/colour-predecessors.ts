import { kernel } from '../kernel.ts'
import { breaksTie, UNCOLOURED, colourOrderParts } from '../parts/colour-order.ts'
import wgsl from './colour-predecessors.wgsl?raw'

/** Moves the neighbours that are coloured before a vertex to the front of its list; see colour-predecessors.wgsl. */
export const colourPredecessors = kernel(
  'colour-predecessors',
  [wgsl, ...colourOrderParts],
  ['first', 'rows', 'low', 'shift'],
  { offsets: 'read', targets: 'write', keys: 'read', colours: 'read', states: 'write' },
  ({ first, rows, low, shift }, { offsets, targets, keys, colours, states }) => {
    for (let row = 0; row < rows; row++) {
      const v = first + row
      if (colours[v] !== UNCOLOURED) continue
      const [begin, end, key] = [offsets[row]!, offsets[row + 1]!, keys[v]!]
      let to = begin
      for (let at = begin; at < end; at++) {
        const u = targets[at]!
        const other = keys[u]!
        if (other > key || (other === key && breaksTie(u, v, shift))) targets[to++] = u
      }
      states[2 * (v - low)] = to - begin
    }
  },
)
