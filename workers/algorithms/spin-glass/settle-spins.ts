import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { scanLists } from '../../graph/scan-lists.ts'
import type { CubicLattice } from './lattice-bonds.ts'
import type { SpinLayout } from './spin-layout.ts'
import { type SpinModel, couplingsOf, isGas } from './spin-model.ts'

/** What spins amount to, in quanta. */
export interface SettledSpins {
  /** Above the least conceivable energy: see spin-energy.wgsl. */
  readonly cost: number
  /** Sizes of the couplings between spins that differ; of a cut what the edges weigh. */
  readonly cut: number
  readonly up: number
  readonly flips: number
}

/** Sums of a pass. */
interface Pass {
  cost: number
  cut: number
  flips: number
}

/** Flips spins, 1 or 0 each, in order of their ids while that lowers the energy, until no single flip does. */
export function settleSpins(
  graph: GaloisGr,
  model: SpinModel,
  { lattice, bonds }: Pick<SpinLayout, 'lattice' | 'bonds'>,
  spins: Uint8Array,
  job: JobContext,
): SettledSpins {
  let flips = 0
  for (;;) {
    const pass: Pass = { cost: 0, cut: 0, flips: 0 }
    if (lattice === undefined) passLists(graph, model, spins, pass, job)
    else passLattice(lattice, bonds, spins, model.name === 'max-cut', pass, job)
    flips += pass.flips
    if (pass.flips > 0) continue
    let up = 0
    for (const spin of spins) up += spin
    return { cost: pass.cost + (isGas(model) ? spins.length - up : 0), cut: pass.cut, up, flips }
  }
}

function passLists(graph: GaloisGr, model: SpinModel, spins: Uint8Array, pass: Pass, job: JobContext): void {
  const gas = isGas(model)
  scanLists(graph, job, 'finish', ({ first, offsets, targets, firstArc }) => {
    const weights = model.weighted ? graph.readWeights(firstArc, firstArc + targets.length) : undefined
    const couplings = couplingsOf(model, first, offsets, targets, weights)
    for (let row = 0; row + 1 < offsets.length; row++) {
      const v = first + row
      let field = gas ? 1 : 0
      for (let arc = offsets[row]!; arc < offsets[row + 1]!; arc++) {
        const coupling = couplings[arc]! | 0
        const isUp = spins[targets[arc]!] === 1
        if (isUp) field += coupling
        else if (!gas) field -= coupling
      }
      if (spins[v] === 1 ? field < 0 : field > 0) {
        spins[v]! ^= 1
        pass.flips++
      }
      for (let arc = offsets[row]!; arc < offsets[row + 1]! && targets[arc]! < v; arc++) {
        const coupling = couplings[arc]! | 0
        const isCut = spins[targets[arc]!] !== spins[v]
        if (isCut) pass.cut += gas ? 1 : model.name === 'max-cut' ? -coupling : Math.abs(coupling)
        if (gas) pass.cost += 2 * (spins[targets[arc]!]! & spins[v]!)
        else if (isCut === coupling > 0) pass.cost += 2 * Math.abs(coupling)
      }
    }
  })
}

function passLattice(
  { width, height, depth }: CubicLattice,
  bonds: Uint32Array,
  spins: Uint8Array,
  signed: boolean,
  pass: Pass,
  job: JobContext,
): void {
  const area = width * height
  const directionBits = (32 * bonds.length) / 3
  /** 1 where the bond between two sites is not satisfied. */
  const isBroken = (site: number, other: number, bond: number): number =>
    spins[site]! ^ spins[other]! ^ ((bonds[bond >>> 5]! >>> (bond & 31)) & 1)
  for (let z = 0; z < depth; z++) {
    throwIfCancelled(job.signal)
    job.progress({ phase: 'finish', done: z * area, total: depth * area, unit: 'vertices' })
    for (let site = z * area; site < (z + 1) * area; site++) {
      const x = site % width
      const y = Math.floor(site / width) % height
      const left = x === 0 ? site + width - 1 : site - 1
      const right = x + 1 === width ? site + 1 - width : site + 1
      const above = y === 0 ? site + area - width : site - width
      const under = y + 1 === height ? site + width - area : site + width
      const before = z === 0 ? site + (depth - 1) * area : site - area
      const after = z + 1 === depth ? site - (depth - 1) * area : site + area
      const forward = (): number =>
        isBroken(site, right, site) +
        isBroken(site, under, directionBits + site) +
        isBroken(site, after, 2 * directionBits + site)
      const backward =
        isBroken(site, left, left) +
        isBroken(site, above, directionBits + above) +
        isBroken(site, before, 2 * directionBits + before)
      if (forward() + backward > 3) {
        spins[site]! ^= 1
        pass.flips++
      }
      pass.cost += 2 * forward()
      const cutAcross = (other: number, bond: number): number => {
        if (spins[site] === spins[other]) return 0
        return signed ? 2 * ((bonds[bond >>> 5]! >>> (bond & 31)) & 1) - 1 : 1
      }
      pass.cut +=
        cutAcross(right, site) + cutAcross(under, directionBits + site) + cutAcross(after, 2 * directionBits + site)
    }
  }
}
