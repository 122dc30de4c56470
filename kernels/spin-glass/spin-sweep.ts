import { kernel } from '../kernel.ts'
import { Threefry, threefryPart } from '../parts/threefry.ts'
import { stagedListPart } from '../parts/staged-list.ts'
import wgsl from './spin-sweep.wgsl?raw'

export const REPLICAS = 32

/** A heat bath on the vertices of one colour; see spin-sweep.wgsl. */
export const spinSweep = kernel(
  'spin-sweep',
  [wgsl, stagedListPart, threefryPart],
  ['at', 'count', 'first', 'sweep', 'seed', 'stream', 'half', 'shift', 'isGas'],
  { order: 'read', offsets: 'read', targets: 'read', couplings: 'read', thresholds: 'read', spins: 'write' },
  (
    { at, count, first, sweep, seed, stream, half, shift, isGas },
    { order, offsets, targets, couplings, thresholds, spins },
  ) => {
    const random = new Threefry([seed, 0])
    const fields = new Int32Array(REPLICAS)
    const chosen = new Uint32Array(REPLICAS)
    const entries = 2 * half + 1
    for (let i = 0; i < count; i++) {
      const v = order[at + i]!
      const row = v - first
      fields.fill(isGas)
      for (let arc = offsets[row]!, end = offsets[row + 1]!; arc < end; arc++) {
        const word = spins[targets[arc]!]!
        const coupling = couplings[arc]! | 0
        if (isGas === 1) for (let k = 0; k < REPLICAS; k++) fields[k]! += ((word >>> k) & 1) * coupling
        else for (let k = 0; k < REPLICAS; k++) fields[k]! += (2 * ((word >>> k) & 1) - 1) * coupling
      }
      for (let k = 0; k < REPLICAS; k++) {
        const index = Math.max(-half, Math.min(half, fields[k]! >> shift)) + half
        chosen[k] = thresholds[k * entries + index]!
      }
      spins[v] = below(random, v, sweep, stream, chosen)
    }
  },
)

/** A bit for each replica whose random word is below its threshold: bit k of the words, from the highest on. */
function below(random: Threefry, v: number, sweep: number, stream: number, thresholds: Uint32Array): number {
  let drawn = 0
  let undecided = -1
  for (let place = 0; place < 32 && undecided !== 0; place++) {
    if ((place & 3) === 0) random.draw(v, sweep, place >>> 2, stream)
    const word = random.words[place & 3]!
    let limit = 0
    for (let rest = undecided; rest !== 0; rest &= rest - 1) {
      const k = 31 - Math.clz32(rest & -rest)
      limit |= ((thresholds[k]! >>> (31 - place)) & 1) << k
    }
    drawn |= undecided & ~word & limit
    undecided &= ~(word ^ limit)
  }
  return drawn
}
