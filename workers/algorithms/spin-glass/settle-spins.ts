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
  if (lattice !== undefined) return new LatticeSpins(lattice, bonds, spins).settle(model.name === 'max-cut', job)
  let flips = 0
  for (;;) {
    const pass: Pass = { cost: 0, cut: 0, flips: 0 }
    passLists(graph, model, spins, pass, job)
    flips += pass.flips
    if (pass.flips > 0) continue
    let up = 0
    for (const spin of spins) up += spin
    return { cost: pass.cost + (isGas(model) ? spins.length - up : 0), cut: pass.cut, flips }
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

class LatticeSpins {
  readonly #lattice: CubicLattice
  readonly #bonds: Uint32Array
  readonly #spins: Uint8Array

  constructor(lattice: CubicLattice, bonds: Uint32Array, spins: Uint8Array) {
    this.#lattice = lattice
    this.#bonds = bonds
    this.#spins = spins
  }

  settle(signed: boolean, job: JobContext): SettledSpins {
    // A site beside none that flipped since its last visit does not flip.
    const due = new Uint8Array(this.#spins.length).fill(1)
    let flips = 0
    for (let more = 1; more > 0; flips += more) {
      more = 0
      this.#each(job, due, (site, around) => {
        due[site] = 0
        if (this.#brokenAhead(site, around) + this.#brokenBehind(site, around) <= 3) return
        this.#spins[site]! ^= 1
        more++
        for (const other of around) due[other] = 1
      })
    }
    let [cost, cut] = [0, 0]
    this.#each(job, undefined, (site, around) => {
      cost += 2 * this.#brokenAhead(site, around)
      for (let i = 0; i < 3; i++)
        if (this.#spins[site] !== this.#spins[around[i]!]) cut += signed ? 2 * this.#bond(i, site) - 1 : 1
    })
    return { cost, cut, flips }
  }

  /** The neighbours of every site that is due: right, under, after, left, above, before. */
  #each(job: JobContext, due: Uint8Array | undefined, visit: (site: number, around: Uint32Array) => void): void {
    const { width, height, depth } = this.#lattice
    const area = width * height
    const around = new Uint32Array(6)
    for (let z = 0; z < depth; z++) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'finish', done: z * area, total: depth * area, unit: 'vertices' })
      for (let y = 0; y < height; y++)
        for (let x = 0, site = z * area + y * width; x < width; x++, site++) {
          if (due?.[site] === 0) continue
          around[0] = x + 1 === width ? site + 1 - width : site + 1
          around[1] = y + 1 === height ? site + width - area : site + width
          around[2] = z + 1 === depth ? site - (depth - 1) * area : site + area
          around[3] = x === 0 ? site + width - 1 : site - 1
          around[4] = y === 0 ? site + area - width : site - width
          around[5] = z === 0 ? site + (depth - 1) * area : site - area
          visit(site, around)
        }
    }
  }

  /** 1 where the coupling from a site ahead is negative. */
  #bond(direction: number, site: number): number {
    const bit = (32 * this.#bonds.length * direction) / 3 + site
    return (this.#bonds[bit >>> 5]! >>> (bit & 31)) & 1
  }

  /** Bonds of the three that a site has ahead that are not satisfied. */
  #brokenAhead(site: number, around: Uint32Array): number {
    let broken = 0
    for (let i = 0; i < 3; i++) broken += this.#spins[site]! ^ this.#spins[around[i]!]! ^ this.#bond(i, site)
    return broken
  }

  #brokenBehind(site: number, around: Uint32Array): number {
    let broken = 0
    for (let i = 0; i < 3; i++) {
      const other = around[3 + i]!
      broken += this.#spins[site]! ^ this.#spins[other]! ^ this.#bond(i, other)
    }
    return broken
  }
}
