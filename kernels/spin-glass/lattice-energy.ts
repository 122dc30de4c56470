import { kernel } from '../kernel.ts'
import { addEnergy } from './spin-energy.ts'
import { REPLICAS } from './spin-sweep.ts'
import wgsl from './lattice-energy.wgsl?raw'

/** Sites that an invocation looks at: launch one for so many. */
export const SITES_EACH = 80

/** The energies of all replicas on a lattice; see lattice-energy.wgsl. */
export const latticeEnergy = kernel(
  'lattice-energy',
  wgsl,
  ['width', 'height', 'depth', 'plane', 'planes', 'bondWords'],
  { bonds: 'read', spins: 'read', energies: 'atomic' },
  ({ width, height, depth, plane, planes, bondWords }, { bonds, spins, energies }) => {
    const area = width * height
    const yBonds = 32 * bondWords
    const costs = new Uint32Array(REPLICAS)
    const count = (site: number, other: number, bond: number): void => {
      const pays = spins[site]! ^ spins[other]! ^ -((bonds[bond >>> 5]! >>> (bond & 31)) & 1)
      for (let rest = pays; rest !== 0; rest &= rest - 1) costs[31 - Math.clz32(rest & -rest)]! += 2
    }
    for (let site = plane * area, end = (plane + planes) * area; site < end; site++) {
      const x = site % width
      const y = Math.floor(site / width) % height
      const z = Math.floor(site / area)
      count(site, x + 1 === width ? site + 1 - width : site + 1, site)
      count(site, y + 1 === height ? site + width - area : site + width, yBonds + site)
      count(site, z + 1 === depth ? site - (depth - 1) * area : site + area, 2 * yBonds + site)
    }
    costs.forEach((cost, replica) => addEnergy(energies, replica, cost))
  },
)
