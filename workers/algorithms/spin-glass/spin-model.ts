import { EdgeHash } from '../../../kernels/parts/edge-hash.ts'
import { REPLICAS } from '../../../kernels/spin-glass/spin-sweep.ts'
import type { RunArgs } from '../../contract/jobs.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { ArcBatch, ArcChoice } from '../arc-store.ts'

/**
 * What is minimised: H = -sum J s s over edges, in whole multiples of a quantum. `bimodal`: J = 1 or -1 by a hash of the edge under a seed;
 * `ising`: J = 1; `couplings`: J is what an edge weighs, less `zero`; `max-cut`: J is that, negative; `independent-set`: a gas,
 * H = -sum x + 2 sum x x, x = 1 for a spin that is up.
 */
export interface SpinModel {
  readonly name: NonNullable<RunArgs['model']>
  /** Of the couplings of `bimodal`. */
  readonly seed: number
  /** Whether edges weigh what the graph says, less `zero`; else 1. */
  readonly weighted: boolean
  readonly zero: number
  /** Couplings are whole multiples of it. */
  readonly quantum: number
  /** The mean size of a coupling, not in quanta. */
  readonly size: number
}

export const isGas = ({ name }: SpinModel): boolean => name === 'independent-set'

/** Without weights; of `bimodal` but for its sign. */
export const commonCoupling = { bimodal: 1, ising: 1, couplings: 1, 'max-cut': -1, 'independent-set': -2 } as const

/** The couplings of the lists of consecutive vertices, in quanta, as words. */
export function couplingsOf(
  { name, seed, zero, quantum }: SpinModel,
  first: number,
  offsets: Uint32Array,
  targets: Uint32Array,
  weights: Float32Array | undefined,
): Uint32Array {
  const couplings = new Uint32Array(targets.length)
  if (weights !== undefined) {
    const sign = name === 'max-cut' ? -1 : 1
    for (let arc = 0; arc < weights.length; arc++) couplings[arc] = sign * Math.round((weights[arc]! - zero) / quantum)
    return couplings
  }
  if (name !== 'bimodal') return couplings.fill(commonCoupling[name])
  const hash = new EdgeHash(seed)
  let [highs, lows] = [new Uint32Array(64), new Uint32Array(64)]
  for (let row = 0; row + 1 < offsets.length; row++) {
    const [begin, count] = [offsets[row]!, offsets[row + 1]! - offsets[row]!]
    if (count > highs.length) [highs, lows] = [new Uint32Array(2 * count), new Uint32Array(2 * count)]
    hash.ofList(first + row, targets, begin, count, highs, lows)
    for (let i = 0; i < count; i++) couplings[begin + i] = highs[i]! >>> 31 === 0 ? 1 : -1
  }
  return couplings
}

/** The choice of an arc store that adds couplings. */
export function couplingChoice(graph: GaloisGr, model: SpinModel): ArcChoice {
  return (offsets, targets, { first, firstArc, arcs }: ArcBatch) => {
    const weights = model.weighted ? graph.readWeights(firstArc, firstArc + arcs) : undefined
    return { offsets, targets, values: couplingsOf(model, first, offsets, targets, weights) }
  }
}

/** How fields are looked up: field >> shift, clamped to [-half, half]. */
export interface FieldTable {
  readonly half: number
  readonly shift: number
}

/** Beyond it the rarer spin is drawn with a probability below 2^-32. */
const CERTAIN = 22.5
const MOST_ENTRIES = 1 << 14

/** @param largestField that any vertex may feel, in quanta. @param hottest temperature, in units of the couplings */
export function fieldTable(model: SpinModel, largestField: number, hottest: number): FieldTable {
  const half = Math.max(1, Math.min(largestField, Math.ceil((CERTAIN * hottest) / perField(model))))
  let shift = 0
  while (half >> shift > MOST_ENTRIES) shift++
  return { half: (half >> shift) + (shift > 0 ? 1 : 0), shift }
}

/** The exponent of the heat bath by field, at temperature 1. */
const perField = (model: SpinModel): number => (isGas(model) ? 1 : 2 * model.quantum)

/** The spin is up where a random word is below its threshold: 2^32 / (1 + exp(-field / T)), for each replica by field. */
export function thresholdsOf(
  model: SpinModel,
  { half, shift }: FieldTable,
  temperatures: readonly number[],
): Uint32Array {
  const entries = 2 * half + 1
  const thresholds = new Uint32Array(REPLICAS * entries)
  const rows = new Map<number, Uint32Array>()
  temperatures.forEach((temperature, replica) => {
    let row = rows.get(temperature)
    if (row === undefined) {
      row = Uint32Array.from({ length: entries }, (_, i) => {
        const field = (i - half) * 2 ** shift
        const chance = 1 / (1 + Math.exp((-perField(model) * field) / temperature))
        return Math.min(2 ** 32 - 1, Math.floor(2 ** 32 * chance))
      })
      rows.set(temperature, row)
    }
    thresholds.set(row, replica * entries)
  })
  return thresholds
}

/** Thresholds of a cubic lattice as spin-lattice reads them: for 0 to 6 neighbours that pull up 32 words of bits. */
export function limitsOf(thresholds: Uint32Array, { half }: FieldTable): Uint32Array {
  const limits = new Uint32Array(7 * 32)
  const entries = 2 * half + 1
  for (let up = 0; up <= 6; up++) {
    const index = Math.max(-half, Math.min(half, 2 * up - 6)) + half
    for (let place = 0; place < 32; place++)
      for (let replica = 0; replica < REPLICAS; replica++)
        limits[32 * up + place]! |= ((thresholds[replica * entries + index]! >>> (31 - place)) & 1) << replica
  }
  return limits
}
