import { Threefry } from '../../../kernels/parts/threefry.ts'
import { REPLICAS } from '../../../kernels/spin-glass/spin-sweep.ts'

export type SpinMethod = 'heat-bath' | 'annealing' | 'tempering'

export interface SpinProgram {
  readonly method: SpinMethod
  /** Of the heat bath; in units of the couplings. */
  readonly temperature: number
  readonly coldest: number
  readonly hottest: number
  readonly sweeps: number
  /** Energies are measured after so many sweeps, and replicas swapped. */
  readonly every: number
  readonly seed: number
}

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

/**
 * Temperatures of 32 replicas by sweep: one for all (heat bath), falling geometrically (annealing: Kirkpatrick, Gelatt, Vecchi, Science 220, 1983), or a
 * geometric ladder on which neighbours are swapped (parallel tempering: Hukushima, Nemoto, J. Phys. Soc. Japan 65, 1996). Every worker
 * follows it by itself, from the same energies.
 */
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

  /** Of each replica. @param sweep the first is 1; 0 is at infinite temperature, and draws the spins to begin with */
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
