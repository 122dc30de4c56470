/**
 * Short augmentations of a matching (Pettie, Sanders 2004; Drake, Hougardy 2005): a matched edge (u, v) is given up for an arm at u, at v, or
 * both, if that raises the weight. An arm is an edge to another vertex, which gives up its mate. Each pass streams the graph, with 32 bytes a
 * vertex, and knows the best arms of the vertices before; the last one matches free neighbours, so that the matching is maximal. One thread, in
 * file order: deterministic. improve-matching.ts chooses it where the graph cannot be held for a search.
 */

import { type Matching, NO_MATE } from '../../graph/matching.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { EdgeOrder } from '../../graph/edge-order.ts'
import type { WeightArray } from '../../graph/weight-values.ts'
import { type BareList, EdgeWeigher, bareLists, unitsOf } from '../../graph/scan-lists.ts'
import type { JobContext } from '../../base/job.ts'

const ARMS = 3
/** Neighbours that are filtered before those that might be arms are weighed. */
const BLOCK = 64

export interface Augmentation {
  /** Passes over the graph. */
  readonly passes: number
  /** Matched edges given up, and the weight gained. */
  readonly swaps: number
  readonly gain: number
  readonly elapsedMs: number
}

interface AugmentLimits {
  readonly rounds: number
  /** No round is begun after so many milliseconds. */
  readonly limitMs: number
}

/** An augmentation between two rounds. */
export interface AugmentState {
  readonly rounds: number
  readonly passes: number
  readonly swaps: number
  /** The gain so far, in units of weight. */
  readonly gain: number
  /** Whether the matching was completed, too. */
  readonly isOver: boolean
  /** Arms: ARMS targets for each vertex, and as many weights of 32 or 64 bits; none where it is over. */
  readonly parts: readonly Uint32Array[]
}

/**
 * Makes a matching heavier, in place.
 * @param from where another attempt stopped
 * @param afterRound for checkpoints
 */
export function augment(
  graph: GaloisGr,
  matching: Matching,
  order: EdgeOrder,
  { rounds, limitMs }: AugmentLimits,
  job: JobContext,
  from?: AugmentState,
  afterRound: (state: AugmentState) => void = () => {},
): Augmentation {
  const startMs = performance.now()
  const units = unitsOf(order.weights)
  if (from?.isOver === true)
    return { passes: from.passes, swaps: from.swaps, gain: from.gain / units, elapsedMs: performance.now() - startMs }
  const weigher = new EdgeWeigher(order)
  const augmenter = new Augmenter(matching.mates, weigher, weigher.areStored && graph.hasValues, from)
  let passes = 0
  const pass = (phase: string, visit: (list: BareList) => void): void => {
    for (const list of bareLists(graph, weigher.areStored && 'values', phase, job)) visit(list)
    passes++
  }
  if (weigher.areStored) pass('weigh', (list) => augmenter.weigh(list))
  else augmenter.weighAll()
  passes = from?.passes ?? passes
  const isOver = (): boolean => job.signal.enough === true || performance.now() - startMs >= limitMs
  for (let round = from?.rounds ?? 0; round < rounds && !isOver(); round++) {
    const before = augmenter.swaps
    pass('augment', (list) => augmenter.visit(list))
    if (augmenter.swaps === before) break
    afterRound({ ...augmenter.state, rounds: round + 1, passes, isOver: false })
  }
  pass('complete', (list) => augmenter.complete(list))
  afterRound({ ...augmenter.state, rounds, passes, isOver: true, parts: [] })
  const { swaps, gain } = augmenter
  return { passes, swaps, gain: gain / units, elapsedMs: performance.now() - startMs }
}

/** An edge that could be matched. */
interface Arm {
  target: number
  weight: number
}

class Augmenter {
  swaps: number
  /** The gain so far, in units of weight. */
  gain: number
  readonly #mates: Uint32Array
  readonly #weigher: EdgeWeigher
  /** Weights of the matched edge at each vertex, 0 where it is free. */
  readonly #mateWeights: WeightArray
  readonly #targets: Uint32Array
  readonly #weights: WeightArray
  readonly #weightBits: Uint32Array
  /** Weights of the arms of the current vertex. */
  readonly #worths = new Float64Array(ARMS)

  /** Neighbours that might be arms, and their weights. */
  readonly #candidates = new Uint32Array(BLOCK)
  readonly #candidateWeights = new Float64Array(BLOCK)

  /** @param isWide weights are numbers of 64 bits */
  constructor(mates: Uint32Array, weigher: EdgeWeigher, isWide: boolean, from?: AugmentState) {
    this.#mates = mates
    this.#weigher = weigher
    const Weights = isWide ? Float64Array : Float32Array
    this.#mateWeights = new Weights(mates.length)
    const [targets, weights] = from?.parts ?? []
    this.#targets = targets ?? new Uint32Array(ARMS * mates.length).fill(NO_MATE)
    this.#weights = new Weights(ARMS * mates.length)
    this.#weightBits = new Uint32Array(this.#weights.buffer)
    if (weights !== undefined) this.#weightBits.set(weights)
    this.swaps = from?.swaps ?? 0
    this.gain = from?.gain ?? 0
  }

  get state(): Pick<AugmentState, 'swaps' | 'gain' | 'parts'> {
    return { swaps: this.swaps, gain: this.gain, parts: [this.#targets, this.#weightBits] }
  }

  /** The weight of the matched edge, where weights are stored. */
  weigh({ v, neighbours, stored }: BareList): void {
    const mate = this.#mates[v]!
    if (mate !== NO_MATE) this.#mateWeights[v] = stored[neighbours.indexOf(mate)] ?? 0
  }

  /** The weights of all matched edges, where they follow from the ends. */
  weighAll(): void {
    for (let v = 0; v < this.#mates.length; v++) {
      const mate = this.#mates[v]!
      if (mate === NO_MATE) continue
      this.#candidates[0] = mate
      this.#weigher.weigh(v, this.#candidates, 1, this.#candidateWeights)
      this.#mateWeights[v] = this.#candidateWeights[0]!
    }
  }

  visit(list: BareList): void {
    const { v } = list
    this.#findArms(list)
    const mate = this.#mates[v]!
    if (mate === NO_MATE) this.#takeBestArm(v)
    else this.#giveUpEdge(v, mate)
  }

  complete(list: BareList): void {
    const { v, neighbours } = list
    if (this.#mates[v] !== NO_MATE) return
    let best: Arm | undefined
    for (let start = 0; start < neighbours.length; start += BLOCK) {
      const count = this.#gather(list, start, Number.MIN_VALUE)
      for (let i = 0; i < count; i++) {
        const weight = this.#candidateWeights[i]!
        if (this.#mates[this.#candidates[i]!] !== NO_MATE || weight < this.#weigher.least) continue
        if (best !== undefined && weight <= best.weight) continue
        best = { target: this.#candidates[i]!, weight }
      }
    }
    if (best === undefined) return
    this.#take(v, best)
    this.gain += best.weight
  }

  /** The gain of an arm, the matched edge at its other end given up. */
  #worth({ target, weight }: Arm): number {
    return weight - this.#mateWeights[target]!
  }

  /** The best arms of v, in order; only what could be one is weighed. */
  #findArms(list: BareList): void {
    const { v, neighbours } = list
    const mate = this.#mates[v]
    const at = ARMS * v
    const worths = this.#worths.fill(0)
    const mateWeights = this.#mateWeights
    const { most, least } = this.#weigher
    this.#targets.fill(NO_MATE, at, at + ARMS)
    for (let start = 0; start < neighbours.length; start += BLOCK) {
      const count = this.#gather(list, start, most - worths[ARMS - 1]!)
      for (let i = 0; i < count; i++) {
        const x = this.#candidates[i]!
        const weight = this.#candidateWeights[i]!
        const worth = weight - mateWeights[x]!
        if (x === mate || weight < least || worth <= worths[ARMS - 1]!) continue
        let place = ARMS - 1
        for (; place > 0 && worth > worths[place - 1]!; place--) {
          worths[place] = worths[place - 1]!
          this.#targets[at + place] = this.#targets[at + place - 1]!
          this.#weights[at + place] = this.#weights[at + place - 1]!
        }
        worths[place] = worth
        this.#targets[at + place] = x
        this.#weights[at + place] = weight
      }
    }
  }

  /** Weighs the neighbours of a block whose matched edges weigh less than `bound`. @returns how many these are */
  #gather({ v, neighbours, stored }: BareList, start: number, bound: number): number {
    const [candidates, weights, mateWeights] = [this.#candidates, this.#candidateWeights, this.#mateWeights]
    const { areStored } = this.#weigher
    const end = Math.min(neighbours.length, start + BLOCK)
    let count = 0
    for (let i = start; i < end; i++) {
      const x = neighbours[i]!
      if (!(mateWeights[x]! < bound)) continue
      if (areStored) weights[count] = stored[i]!
      candidates[count++] = x
    }
    if (count > 0 && !areStored) this.#weigher.weigh(v, candidates, count, weights)
    return count
  }

  #arm(v: number, place: number): Arm | undefined {
    const target = this.#targets[ARMS * v + place]!
    return target === NO_MATE || target === this.#mates[v]
      ? undefined
      : { target, weight: this.#weights[ARMS * v + place]! }
  }

  /** Augments from a free vertex, where that gains. */
  #takeBestArm(v: number): void {
    const arm = this.#arm(v, 0)
    if (arm === undefined) return
    this.gain += this.#worth(arm)
    this.swaps++
    this.#take(v, arm)
  }

  /** Gives an edge up for the arms of both ends that gain most, if any do. */
  #giveUpEdge(v: number, u: number): void {
    let most = 0
    let best: readonly [Arm | undefined, Arm | undefined] | undefined
    // Place ARMS: none.
    for (let i = 0; i <= ARMS; i++) {
      const a = i < ARMS ? this.#arm(v, i) : undefined
      if (i < ARMS && a === undefined) continue
      for (let j = 0; j <= ARMS; j++) {
        const b = j < ARMS ? this.#arm(u, j) : undefined
        if ((j < ARMS && b === undefined) || (a !== undefined && a.target === b?.target)) continue
        const gain = this.#gainOf(v, a, b)
        if (gain <= most) continue
        most = gain
        best = [a, b]
      }
    }
    if (best === undefined) return
    this.#free(v)
    if (best[0] !== undefined) this.#take(v, best[0])
    if (best[1] !== undefined) this.#take(u, best[1])
    this.gain += most
    this.swaps++
  }

  #gainOf(v: number, a: Arm | undefined, b: Arm | undefined): number {
    const worths = (a === undefined ? 0 : this.#worth(a)) + (b === undefined ? 0 : this.#worth(b))
    // A matched edge between both targets is given up once.
    const shared = a !== undefined && b !== undefined && this.#mates[a.target] === b.target
    return worths - this.#mateWeights[v]! + (shared ? this.#mateWeights[a.target]! : 0)
  }

  #free(v: number): void {
    const mate = this.#mates[v]!
    if (mate === NO_MATE) return
    this.#mates[v] = NO_MATE
    this.#mates[mate] = NO_MATE
    this.#mateWeights[v] = 0
    this.#mateWeights[mate] = 0
  }

  #take(v: number, { target, weight }: Arm): void {
    this.#free(target)
    this.#mates[v] = target
    this.#mates[target] = v
    this.#mateWeights[v] = weight
    this.#mateWeights[target] = weight
  }
}
