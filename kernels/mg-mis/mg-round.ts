import { kernel } from '../kernel.ts'
import { shiftedHash, hashPart } from '../parts/vertex-hash.ts'
import wgsl from './mg-round.wgsl?raw'

export const mgRound = kernel(
  'mg-round',
  [wgsl, hashPart],
  ['first', 'count', 'origin', 'low', 'high', 'workers', 'share', 'extra', 'capacity', 'counter', 'ranked', 'shift'],
  {
    states: 'atomic',
    offsets: 'read',
    targets: 'read',
    remoteNbrIndex: 'write',
    ranks: 'read',
    send: 'write',
    counters: 'atomic',
  },
  (params, { states, offsets, targets, remoteNbrIndex, ranks, send, counters }) => {
    const { first, count, origin, low, high, workers, share, extra, capacity, counter, ranked, shift } = params
    const ownerOf = ownersOf(share, extra)
    const priorityOf = (v: number): number => (ranked === 0 ? shiftedHash(v + shift) : ranks[v]!)
    let waiting = 0
    let keptBack = 0

    /** Looks at the neighbours from neighbour `from` on. */
    const processNeighbors = (at: number, start: number, degree: number, from: number): void => {
      let minIndex = degree
      for (let k = from; k < degree; k++) {
        const u = targets[start + k]!
        if (u >= low && u < high) {
          const local = u - origin
          states[local >>> 4]! |= OUT << ((local & 15) << 1)
          continue
        }
        const owner = ownerOf(u)
        if (minIndex === degree) {
          const slot = counters[owner]!++
          if (slot < capacity) send[owner * capacity + slot] = u
          else minIndex = k
        } else counters[workers + owner]!++
      }
      remoteNbrIndex[at] = minIndex
      if (minIndex < degree) keptBack++
    }

    for (let i = 0; i < count; i++) {
      const at = first + i
      const state = (states[at >>> 4]! >>> ((at & 15) << 1)) & 3
      if (state === OUT) continue
      const start = offsets[i]!
      const degree = offsets[i + 1]! - start
      const known = remoteNbrIndex[at]!
      if (state === IN) {
        if (known < degree) processNeighbors(at, start, degree, known)
        continue
      }
      const mine = priorityOf(origin + at)
      let k = 0
      for (; k < degree; k++) {
        const u = targets[start + k]!
        const isLocal = u >= low && u < high
        const local = u - origin
        if (isLocal && ((states[local >>> 4]! >>> ((local & 15) << 1)) & 3) === OUT) continue
        if (priorityOf(u) < mine) continue
        if (!isLocal && k < known) continue
        if (!isLocal) remoteNbrIndex[at] = k
        break
      }
      if (k < degree) waiting++
      else {
        states[at >>> 4]! |= IN << ((at & 15) << 1)
        processNeighbors(at, start, degree, 0)
      }
    }
    counters[counter]! += waiting
    counters[counter + 1]! += keptBack
  },
)

/** The first `extra` have one vertex more. */
export function ownersOf(share: number, extra: number): (v: number) => number {
  const wide = extra * (share + 1)
  return (v) => (v < wide ? Math.floor(v / (share + 1)) : extra + Math.floor((v - wide) / share))
}

const IN = 1
export const OUT = 2
