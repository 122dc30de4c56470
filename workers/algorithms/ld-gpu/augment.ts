import { type Matching, NO_MATE } from '../../graph/matching.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { EdgeOrder } from '../../graph/edge-order.ts'
import { type BareList, EdgeWeigher, bareLists, unitsOf } from '../../graph/weighed-lists.ts'
import type { JobContext } from '../../base/job.ts'
import { Failure } from '../../base/failure.ts'

/** Arms that are kept of each vertex. */
const ARMS = 3
/** Neighbours that are looked at before those of them that might be arms are weighed. */
const BLOCK = 64

export interface Augmentation {
  /** Passes over the graph, the one that ends them included. */
  readonly passes: number
  /** Matched edges that were given up for others, and what that gained. */
  readonly swaps: number
  readonly gain: number
  readonly elapsedMs: number
}

/** How far a matching was augmented; with its mates, all that the next round follows from. */
export interface AugmentState {
  /** Of augmentation. */
  readonly rounds: number
  readonly passes: number
  readonly swaps: number
  /** In units of weight. */
  readonly gain: number
  /** Whether the last pass was made too. */
  readonly isOver: boolean
  /** The arms of each vertex, ARMS targets and as many f32 weights. */
  readonly targets: Uint32Array
  readonly weights: Float32Array
}

/**
 * Makes a matching heavier by short augmentations (Pettie, Sanders 2004; Drake, Hougardy 2005): a matched edge (u, v) is given up for an
 * arm at u, an arm at v, or both. An arm is an edge to another vertex x, which gives up its mate for it. Every one raises the weight. Each
 * pass streams the canonical graph once, with 32 bytes of memory a vertex; it knows the best arms of the vertices that it has seen. The
 * last pass gives free vertices that are neighbours to each other, so that the matching is maximal. What is found depends on nothing but
 * the matching and the graph.
 * @param from where another attempt left the matching
 * @param afterRound called with how everything is then, between rounds and at the end; for checkpoints
 */
export function augment(
  graph: GaloisGr,
  matching: Matching,
  order: EdgeOrder,
  rounds: number,
  job: JobContext,
  from?: AugmentState,
  afterRound: (state: AugmentState) => void = () => {},
): Augmentation {
  const startMs = performance.now()
  const units = unitsOf(order.weights)
  if (from?.isOver === true)
    return { passes: from.passes, swaps: from.swaps, gain: from.gain / units, elapsedMs: performance.now() - startMs }
  const weigher = new EdgeWeigher(order)
  const augmenter = new Augmenter(matching.mates, weigher, from)
  let passes = 0
  const pass = (phase: string, visit: (list: BareList) => void): void => {
    for (const list of bareLists(graph, weigher.areStored, phase, job)) visit(list)
    passes++
  }
  if (weigher.areStored) pass('weigh', (list) => augmenter.weigh(list))
  else augmenter.weighAll()
  passes = from?.passes ?? passes
  for (let round = from?.rounds ?? 0; round < rounds; round++) {
    const before = augmenter.swaps
    pass('augment', (list) => augmenter.visit(list))
    if (augmenter.swaps === before) break
    afterRound({ ...augmenter.state, rounds: round + 1, passes, isOver: false })
  }
  pass('complete', (list) => augmenter.complete(list))
  afterRound({ ...augmenter.state, rounds, passes, isOver: true })
  const { swaps, gain } = augmenter
  return { passes, swaps, gain: gain / units, elapsedMs: performance.now() - startMs }
}

/** An edge that could be taken: its other end, -1 for none, and its weight. */
interface Arm {
  target: number
  weight: number
}

class Augmenter {
  swaps: number
  /** In units of weight. */
  gain: number
  readonly #mates: Uint32Array
  readonly #weigher: EdgeWeigher
  /** The weight of the matched edge at each vertex, 0 where it is free. */
  readonly #mateWeights: Float32Array
  readonly #targets: Uint32Array
  readonly #weights: Float32Array
  /** Of the arms of the vertex at hand. */
  readonly #worths = new Float64Array(ARMS)

  /** Neighbours that might be arms, and what the edges to them weigh. */
  readonly #candidates = new Uint32Array(BLOCK)
  readonly #candidateWeights = new Float32Array(BLOCK)

  constructor(mates: Uint32Array, weigher: EdgeWeigher, from?: AugmentState) {
    this.#mates = mates
    this.#weigher = weigher
    this.#mateWeights = new Float32Array(mates.length)
    this.#targets = from?.targets ?? new Uint32Array(ARMS * mates.length).fill(NO_MATE)
    this.#weights = from?.weights ?? new Float32Array(ARMS * mates.length)
    this.swaps = from?.swaps ?? 0
    this.gain = from?.gain ?? 0
  }

  get state(): Pick<AugmentState, 'swaps' | 'gain' | 'targets' | 'weights'> {
    return { swaps: this.swaps, gain: this.gain, targets: this.#targets, weights: this.#weights }
  }

  /** Notes the weight of the matched edge of one vertex, where weights lie in the graph. */
  weigh({ v, neighbours, stored }: BareList): void {
    const mate = this.#mates[v]!
    if (mate !== NO_MATE) this.#mateWeights[v] = stored[neighbours.indexOf(mate)] ?? 0
  }

  /** Notes the weights of all matched edges, where they follow from the ends. */
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

  /** What is gained by an arm, its other end's present edge given up. */
  #worth({ target, weight }: Arm): number {
    return weight - this.#mateWeights[target]!
  }

  /** Notes the arms of v that are worth most, the best first. What could not be one of them, whatever it weighs, is not weighed. */
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

  /** Weighs the neighbours of a block whose matched edges weigh less than `bound`; how many they are. */
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

  /** A free vertex takes a neighbour from its mate where that is worth it. */
  #takeBestArm(v: number): void {
    const arm = this.#arm(v, 0)
    if (arm === undefined) return
    this.gain += this.#worth(arm)
    this.swaps++
    this.#take(v, arm)
  }

  /** Gives up the edge from v to u for the arms of both that gain most, where they gain anything. */
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
    // Two ends of one matched edge give it up once.
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

const DEFAULT_ROUNDS = 3
const MOST_ROUNDS = 1000

/** Rounds of augmentations that a quality asks for: none for `fast`. @throws Failure (usage) for anything else */
export function augmentRounds(quality: string | undefined): number {
  if (quality === undefined || quality === 'fast') return 0
  const [, rounds = String(DEFAULT_ROUNDS)] = /^augment(?::(\d{1,4}))?$/.exec(quality) ?? []
  if (quality.startsWith('augment') && /^augment(?::\d+)?$/.test(quality) && Number(rounds) <= MOST_ROUNDS)
    return Number(rounds)
  throw new Failure({
    code: 'usage',
    what: `"${quality}" is no quality of a matching`,
    remedy: `Use fast, or augment:3 with up to ${MOST_ROUNDS} rounds.`,
  })
}
