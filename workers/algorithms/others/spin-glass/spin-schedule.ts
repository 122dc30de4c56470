/**
 * Temperatures of 32 replicas by sweep: one for all (heat bath), falling geometrically (annealing: Kirkpatrick, Gelatt, Vecchi, Science 220,
 * 1983), or a geometric ladder on which neighbours are swapped (parallel tempering: Hukushima, Nemoto, J. Phys. Soc. Japan 65, 1996). Every
 * worker follows it by itself, from the same energies. Thresholds by field are tables in integers, so that all devices flip alike.
 * spin-worker.ts takes them to a device.
 */

import { Threefry } from '../../../../kernels/parts/threefry.ts'
import { REPLICAS } from '../../../../kernels/spin-glass/spin-sweep.ts'
import type { PlannedOptions } from '../../../contract/jobs.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { type SpinModel, RESOLUTION, isGas } from './spin-model.ts'

type SpinMethod = 'heat-bath' | 'annealing' | 'tempering'

export interface SpinProgram {
  readonly method: SpinMethod
  /** The temperature of the heat bath, in units of the couplings. */
  readonly temperature: number
  readonly coldest: number
  readonly hottest: number
  readonly sweeps: number
  /** Energies are measured after so many sweeps, and replicas swapped. */
  readonly every: number
  readonly seed: number
}

/** @param mean size of a coupling */
export function programOf(
  args: PlannedOptions,
  { vertices, arcs }: Pick<GaloisGr, 'vertices' | 'arcs'>,
  mean: number,
): SpinProgram {
  const { method, temperature = 1.1019, sweeps = 1000, every = 4, seed } = args
  const meanDegree = vertices === 0 ? 0 : arcs / vertices
  // Fields grow with the root of the degree.
  const usual = 1.7 * mean * Math.max(1, Math.sqrt(meanDegree / 6))
  const coldest = args.coldest ?? Math.min(0.3 * mean, args.hottest ?? Infinity)
  const hottest = args.hottest ?? Math.max(usual, coldest)
  const chosen = method === 'annealing' || method === 'heat-bath' ? method : 'tempering'
  return { method: chosen, temperature, coldest, hottest, sweeps, every, seed }
}

export const hottestOf = ({ method, temperature, hottest }: SpinProgram): number =>
  method === 'heat-bath' ? temperature : hottest

/** Random numbers of the host, apart from those of sweeps. */
const SWAPS = 1
/** Measurements are averaged in so many blocks, whose spread gives the error. */
const BLOCKS = 16

/** The mean energy at a temperature, with its standard error. */
export interface MeanEnergy {
  readonly temperature: number
  readonly mean: number
  readonly error: number
}

/** What a run that is interrupted resumes with, beside its spins. */
export interface ScheduleState {
  /** Sweeps that were made. */
  sweep: number
  /** Rung of the ladder that each replica is on. */
  readonly places: number[]
  /** The lowest energy of each measurement. */
  readonly lowest: number[]
  /** Sums of energies of the second half by rung, or by replica, and block; and measurements of each block. */
  readonly sums: number[][]
  readonly counts: number[]
  /** Swaps. */
  tried: number
  swapped: number
}

const newState = (): ScheduleState => ({
  ...{ sweep: 0, lowest: [], tried: 0, swapped: 0, counts: new Array<number>(BLOCKS).fill(0) },
  places: Array.from({ length: REPLICAS }, (_, replica) => replica),
  sums: Array.from({ length: REPLICAS }, () => new Array<number>(BLOCKS).fill(0)),
})

/** The temperatures of one run and its measurements. */
export class SpinSchedule {
  readonly program: SpinProgram
  readonly state: ScheduleState
  /** The lowest energy so far. */
  #best: number
  readonly #random: Threefry

  constructor(program: SpinProgram, before = newState()) {
    this.program = program
    this.state = structuredClone(before)
    this.#best = before.lowest.reduce((least, energy) => Math.min(least, energy), Infinity)
    this.#random = new Threefry([program.seed, 0])
  }

  /** The temperature of each replica. @param sweep the first is 1; 0 is at infinite temperature, and draws the spins to begin with */
  temperatures(sweep: number): number[] {
    const { method, temperature, coldest, hottest, sweeps } = this.program
    if (sweep === 0) return new Array<number>(REPLICAS).fill(Infinity)
    if (method === 'heat-bath') return new Array<number>(REPLICAS).fill(temperature)
    if (method === 'tempering') return this.state.places.map((place) => this.#rung(place))
    const share = sweeps <= 1 ? 1 : (sweep - 1) / (sweeps - 1)
    return new Array<number>(REPLICAS).fill(hottest * (coldest / hottest) ** share)
  }

  isMeasured(sweep: number): boolean {
    return sweep > 0 && (sweep % this.program.every === 0 || sweep === this.program.sweeps)
  }

  /** Takes the energies of all replicas. @returns the replica that is lower than all before, if one is */
  measure(sweep: number, energies: readonly number[]): number | undefined {
    const lowest = Math.min(...energies)
    this.state.sweep = sweep
    this.state.lowest.push(lowest)
    if (2 * sweep > this.program.sweeps) this.#average(sweep, energies)
    if (this.program.method === 'tempering') this.#swap(sweep, energies)
    if (lowest >= this.#best) return undefined
    this.#best = lowest
    return energies.indexOf(lowest)
  }

  /** Mean energies of the second half, the coldest first; of the heat bath one. */
  means(): MeanEnergy[] {
    const { counts, sums } = this.state
    const blocks = [...counts.keys()].filter((block) => counts[block]! > 0)
    const means = sums.map((row) => blocks.map((block) => row[block]! / counts[block]!))
    if (blocks.length === 0) return []
    if (this.program.method === 'tempering')
      return means.map((values, place) => ({ temperature: this.#rung(place), ...meanAndError(values) }))
    // Replicas are independent: their spread is the error.
    const replicas = means.map((values) => meanAndError(values).mean)
    const { temperature, coldest, method } = this.program
    return [{ temperature: method === 'annealing' ? coldest : temperature, ...meanAndError(replicas) }]
  }

  #rung(place: number): number {
    const { coldest, hottest } = this.program
    return coldest * (hottest / coldest) ** (place / (REPLICAS - 1))
  }

  #average(sweep: number, energies: readonly number[]): void {
    const { sweeps, method } = this.program
    const half = sweeps / 2
    const block = Math.min(BLOCKS - 1, Math.floor((BLOCKS * (sweep - half)) / Math.max(1, half)))
    const { places, sums, counts } = this.state
    energies.forEach(
      (energy, replica) => (sums[method === 'tempering' ? places[replica]! : replica]![block]! += energy),
    )
    counts[block]!++
  }

  /** Pairs of neighbouring rungs, the even and the odd ones by turns. */
  #swap(sweep: number, energies: readonly number[]): void {
    const { state } = this
    const onRung = new Array<number>(REPLICAS)
    state.places.forEach((place, replica) => (onRung[place] = replica))
    for (let place = state.lowest.length & 1; place + 1 < REPLICAS; place += 2) {
      const [cold, hot] = [onRung[place]!, onRung[place + 1]!]
      const gain = (1 / this.#rung(place) - 1 / this.#rung(place + 1)) * (energies[cold]! - energies[hot]!)
      this.#random.draw(place, sweep, 0, SWAPS)
      state.tried++
      if (gain < 0 && this.#random.words[0]! / 2 ** 32 >= Math.exp(gain)) continue
      state.swapped++
      state.places[cold] = place + 1
      state.places[hot] = place
    }
  }
}

function meanAndError(values: readonly number[]): { readonly mean: number; readonly error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  if (values.length < 2) return { mean, error: 0 }
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) }
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

/** The most words of thresholds, as long as the fields of the graph are not known. */
export function mostThresholdWords(
  vertices: number,
  { name, weighted }: Pick<SpinModel, 'name' | 'weighted'>,
  program: SpinProgram,
): number {
  const reach = weighted ? Infinity : Math.ceil((CERTAIN * hottestOf(program)) / perField({ name, quantum: 1 }))
  const most = Math.min((weighted ? RESOLUTION : 2) * vertices, reach, MOST_ENTRIES + 1)
  return REPLICAS * (2 * Math.max(1, most) + 1)
}

/** The exponent of the heat bath by field, at temperature 1. */
const perField = ({ name, quantum }: Pick<SpinModel, 'name' | 'quantum'>): number => (isGas({ name }) ? 1 : 2 * quantum)

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
export function latticeLimits(thresholds: Uint32Array, { half }: FieldTable): Uint32Array {
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
