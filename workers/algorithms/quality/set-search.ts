import { type AnnealingTime, type KeptCooling, AnnealedSearch } from './annealed-search.ts'
import type { Sweeps } from './annealing.ts'
import type { Adjacency } from './held-graph.ts'
import { LocalSearch, type SearchLimits } from './local-search.ts'

/** Arcs for a vertex, of a graph whose lists are long. */
const LONG_LISTS = 32
/** Steps after which a search can be resumed. */
const EPOCH = 1 << 18
/** Steps of a local search, which begins anew from its best set after them. */
export const LOCAL_EPOCH = 1 << 20

/** For a large independent set: annealing; where there are many arcs for a vertex and a quick one finds nothing, local search. */
export class SetSearch {
  readonly #adjacency: Adjacency
  readonly #annealed: AnnealedSearch
  #local: LocalSearch | undefined

  constructor(adjacency: Adjacency, sweeps: Sweeps, time: AnnealingTime, kept?: KeptCooling) {
    this.#adjacency = adjacency
    const hasLongLists = adjacency.targets.length > LONG_LISTS * adjacency.vertices
    this.#annealed = new AnnealedSearch(adjacency, sweeps, time, hasLongLists, kept)
  }

  /** Of the largest set so far. */
  get best(): number {
    return Math.max(this.#annealed.best, this.#local?.best ?? 0)
  }

  /** After which it can be resumed. Local search begins anew then. */
  get epochSteps(): number {
    return this.#annealed.isFutile ? LOCAL_EPOCH : EPOCH
  }

  kept(): Promise<Omit<KeptCooling, 'best'>> {
    return this.#annealed.kept()
  }

  /** @param members become the best set */
  writeBest(members: Uint8Array): void {
    if (this.#local === undefined) this.#annealed.writeBest(members)
  }

  end(): void {
    this.#annealed.end()
  }

  /** Continues. @param members one byte a vertex; the best set, before the first call and where {@link writeBest} left it @returns the steps that were made */
  async run(
    members: Uint8Array,
    seed: number,
    { steps, pause, isCancelled }: SearchLimits & { readonly isCancelled?: () => boolean },
  ): Promise<number> {
    let isPaused = false
    const look = (): boolean => (isPaused = pause())
    const made = await this.#annealed.run(members, seed, { steps, pause: look, isCancelled })
    if (!this.#annealed.isFutile || isPaused) return made
    if (this.#local === undefined) {
      // What it finds follows from their order, too, which is another one where it is resumed.
      sortLists(this.#adjacency)
      this.#annealed.writeBest(members)
      this.#local = new LocalSearch(this.#adjacency)
    }
    return made + this.#local.run(members, seed, { steps: steps - made, pause })
  }
}

/** Longer ones are sorted by the library. */
const SHORT = 64

/** Most are nearly in order. */
function sortLists({ vertices, starts, targets }: Adjacency): void {
  for (let v = 0; v < vertices; v++) {
    const [start, end] = [starts[v]!, starts[v + 1]!]
    if (end - start > SHORT) {
      targets.subarray(start, end).sort()
      continue
    }
    for (let i = start + 1; i < end; i++) {
      const target = targets[i]!
      let at = i
      for (; at > start && targets[at - 1]! > target; at--) targets[at] = targets[at - 1]!
      targets[at] = target
    }
  }
}
