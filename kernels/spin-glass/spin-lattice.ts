import { kernel } from '../kernel.ts'
import { Threefry, threefryPart } from '../parts/threefry.ts'
import wgsl from './spin-lattice.wgsl?raw'

/** Numbers of neighbours that may pull up. */
export const FIELDS = 7

/** A heat bath on a cubic lattice; see spin-lattice.wgsl. */
export const spinLattice = kernel(
  'spin-lattice',
  [wgsl, threefryPart],
  ['width', 'height', 'depth', 'plane', 'planes', 'colour', 'sweep', 'seed', 'stream', 'bondWords'],
  { bonds: 'read', limits: 'read', spins: 'write' },
  ({ width, height, depth, plane, planes, colour, sweep, seed, stream, bondWords }, { bonds, limits, spins }) => {
    const random = new Threefry([seed, 0])
    const area = width * height
    const yBonds = 32 * bondWords
    const pull = (other: number, bond: number): number => spins[other]! ^ -((bonds[bond >>> 5]! >>> (bond & 31)) & 1)
    for (let z = plane; z < plane + planes; z++)
      for (let y = 0; y < height; y++)
        for (let x = (y + z + colour) & 1; x < width; x += 2) {
          const site = (z * height + y) * width + x
          const left = x === 0 ? site + width - 1 : site - 1
          const above = y === 0 ? site + area - width : site - width
          const before = z === 0 ? site + (depth - 1) * area : site - area
          const a = pull(left, left)
          const b = pull(x + 1 === width ? site + 1 - width : site + 1, site)
          const c = pull(above, yBonds + above)
          const d = pull(y + 1 === height ? site + width - area : site + width, yBonds + site)
          const e = pull(before, 2 * yBonds + before)
          const f = pull(z + 1 === depth ? site - (depth - 1) * area : site + area, 2 * yBonds + site)
          const low1 = a ^ b ^ c
          const carry1 = (a & b) | ((a ^ b) & c)
          const low2 = d ^ e ^ f
          const carry2 = (d & e) | ((d ^ e) & f)
          const ones = low1 ^ low2
          const carry3 = low1 & low2
          const twos = carry1 ^ carry2 ^ carry3
          const fours = (carry1 & carry2) | (carry3 & (carry1 ^ carry2))
          const [is0, is1, is2] = [~(ones | twos | fours), ones & ~twos & ~fours, ~ones & twos & ~fours]
          const [is3, is4, is5, is6] = [ones & twos, ~ones & ~twos & fours, ones & fours, twos & fours]
          let drawn = 0
          let undecided = -1
          for (let place = 0; place < 32 && undecided !== 0; place++) {
            if ((place & 3) === 0) random.draw(site, sweep, place >>> 2, stream)
            const word = random.words[place & 3]!
            const limit =
              (is0 & limits[place]!) |
              (is1 & limits[32 + place]!) |
              (is2 & limits[64 + place]!) |
              (is3 & limits[96 + place]!) |
              (is4 & limits[128 + place]!) |
              (is5 & limits[160 + place]!) |
              (is6 & limits[192 + place]!)
            drawn |= undecided & ~word & limit
            undecided &= ~(word ^ limit)
          }
          spins[site] = drawn
        }
  },
)
