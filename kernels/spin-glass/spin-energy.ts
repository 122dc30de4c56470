import { kernel } from '../kernel.ts'
import { REPLICAS } from './spin-sweep.ts'
import { stagedListPart } from '../parts/staged-list.ts'
import wgsl from './spin-energy.wgsl?raw'

/** The most threads of a launch: each adds up several vertices. */
export const ENERGY_THREADS = 1 << 18

/** Adds to the two words of a replica's energy. */
export function addEnergy(energies: Uint32Array, replica: number, cost: number): void {
  const sum = energies[2 * replica]! + 2 ** 32 * energies[2 * replica + 1]! + cost
  energies[2 * replica] = sum
  energies[2 * replica + 1] = Math.floor(sum / 2 ** 32)
}

/** The energies of all replicas; see spin-energy.wgsl. */
export const spinEnergy = kernel(
  'spin-energy',
  [wgsl, stagedListPart],
  ['first', 'rows', 'isGas'],
  { offsets: 'read', targets: 'read', couplings: 'read', spins: 'read', energies: 'atomic' },
  ({ first, rows, isGas }, { offsets, targets, couplings, spins, energies }) => {
    const costs = new Float64Array(REPLICAS)
    const add = (bits: number, cost: number): void => {
      for (let rest = bits; rest !== 0; rest &= rest - 1) costs[31 - Math.clz32(rest & -rest)]! += cost
    }
    for (let row = 0; row < rows; row++) {
      const v = first + row
      const own = spins[v]!
      if (isGas === 1) add(~own, 1)
      for (let arc = offsets[row]!, end = offsets[row + 1]!; arc < end && targets[arc]! < v; arc++) {
        const other = spins[targets[arc]!]!
        const coupling = couplings[arc]! | 0
        if (isGas === 1) add(own & other, 2)
        else add(coupling > 0 ? own ^ other : ~(own ^ other), 2 * Math.abs(coupling))
      }
    }
    costs.forEach((cost, replica) => addEnergy(energies, replica, cost))
  },
)
