import { kernel } from '../kernel.ts'
import { breaksTie, UNCOLOURED, colourOrderParts } from '../parts/colour-order.ts'
import wgsl from './colour-visit.wgsl?raw'

/** A value of `kept`: it is read from the counters. */
export const COUNTED = 0xffffffff

/** The last visit in this thread that saw each colour. */
let seen: Uint32Array = new Uint32Array(1024)
let visit = 0

/** Colours those of a list that wait for none, and lists the others; see colour-visit.wgsl. The twin colours in the order of the list. */
export const colourVisit = kernel(
  'colour-visit',
  [wgsl, ...colourOrderParts],
  ['first', 'low', 'shift', 'base', 'kept', 'at', 'admitted', 'to', 'slot'],
  {
    offsets: 'read',
    targets: 'read',
    keys: 'read',
    colours: 'atomic',
    states: 'write',
    list: 'read',
    rest: 'write',
    counters: 'atomic',
  },
  (params, { list, rest, counters, ...words }) => {
    const { low, base, at, admitted, to, slot } = params
    const { colours, states } = words
    const kept = params.kept === COUNTED ? counters[slot]! : params.kept
    let waiting = to
    for (let entry = 0; entry < kept + admitted; entry++) {
      const own = list[base + (entry < kept ? entry : at + entry - kept)]!
      const waited = states[2 * own + 1]!
      if (waited === 0 || colours[waited - 1] !== UNCOLOURED) {
        const last = lastPredecessor(own, params, words)
        if (last === UNCOLOURED) {
          colours[low + own] = leastUnseen()
          continue
        }
        states[2 * own + 1] = last + 1
      }
      rest[waiting++] = own
    }
    counters[slot + 1]! += waiting - to
  },
)

type Words = Readonly<Record<'offsets' | 'targets' | 'keys' | 'colours' | 'states', Uint32Array>>

/** The last in the order of the predecessors without a colour; the colours of the others are seen in this visit. */
function lastPredecessor(
  own: number,
  { first, low, shift }: Readonly<Record<'first' | 'low' | 'shift', number>>,
  { offsets, targets, keys, colours, states }: Words,
): number {
  beginVisit()
  const begin = offsets[low + own - first]!
  const end = begin + states[2 * own]!
  let [last, key] = [UNCOLOURED, 0]
  let marks: Uint32Array = seen
  const now = visit
  for (let at = begin; at < end; at++) {
    const u = targets[at]!
    const colour = colours[u]!
    if (colour !== UNCOLOURED) {
      if (colour >= marks.length) marks = grow(colour)
      marks[colour] = now
      continue
    }
    const other = keys[u]!
    if (last !== UNCOLOURED && (other > key || (other === key && !breaksTie(last, u, shift)))) continue
    last = u
    key = other
  }
  return last
}

function leastUnseen(): number {
  let colour = 0
  while (seen[colour] === visit) colour++
  return colour
}

function beginVisit(): void {
  visit = (visit + 1) >>> 0
  if (visit !== 0) return
  seen.fill(0)
  visit = 1
}

function grow(colour: number): Uint32Array {
  const larger = new Uint32Array(2 * (colour + 1))
  larger.set(seen)
  seen = larger
  return larger
}
