/**
 * A search for a large independent set of a graph in memory: annealing (annealed-search.ts), by one thread, all threads or the GPU; where lists
 * are long and a quick cooling finds nothing, searches of conflicts (conflict-searches.ts), and in each third epoch those of symmetric sets
 * (symmetric-searches.ts). It goes by epochs, after which it can be resumed. near-optimal.ts drives it, search-start.ts makes the start.
 */

import { type AnnealingTime, type GivesUp, type KeptCooling, AnnealedSearch } from './annealed-search.ts'
import type { Sweeps } from './annealing.ts'
import type { Adjacency } from './in-memory-graph.ts'
import { searchableCliques } from './clique-search.ts'
import { ConflictSearches, conflictEpoch } from './conflict-searches.ts'
import type { SearchLimits } from './quality-option.ts'
import { smallCliqueCover } from './set-bounds.ts'
import { SymmetricSearches } from './symmetric-searches.ts'

/** Arcs for a vertex, of a graph whose lists are long. */
const LONG_LISTS = 32
/** Vertices of a graph of long lists whose coolings soon gain nothing where weights of conflicts still do. */
const FEW_VERTICES = 1 << 14
/** One of so many epochs of a search of conflicts is for sets that are as symmetric as the graph. */
const SYMMETRIC_EPOCHS = 3
/** Steps after which a search can be resumed. */
const EPOCH = 1 << 18

/** A search of a step a vertex, as "better" makes, is too short for conflicts to find as much as coolings do: those of a large graph have half of it. */
function givesUp({ vertices, targets }: Adjacency, steps: number): GivesUp {
  if (targets.length <= LONG_LISTS * vertices) return 'never'
  const isShort = steps <= vertices
  if (vertices <= FEW_VERTICES) return isShort ? 'never' : 'where a round gains nothing'
  return isShort ? 'at half' : 'where the trial gains nothing'
}

/** A search for a large independent set, epoch by epoch. */
export class SetSearch {
  readonly #adjacency: Adjacency
  readonly #annealed: AnnealedSearch
  readonly #steps: number
  #conflicts: ConflictSearches | undefined
  #symmetric: SymmetricSearches | undefined

  constructor(adjacency: Adjacency, sweeps: Sweeps, time: AnnealingTime, kept?: KeptCooling) {
    this.#adjacency = adjacency
    this.#steps = time.steps
    this.#annealed = new AnnealedSearch(adjacency, sweeps, time, givesUp(adjacency, time.steps), kept)
  }

  /** The size of the largest set so far. */
  get best(): number {
    return Math.max(this.#annealed.best, this.#conflicts?.best ?? 0)
  }

  /** Steps after which it can be resumed. A search of conflicts begins anew then. */
  get epochSteps(): number {
    if (this.#annealed.isFutile) return conflictEpoch(this.#adjacency, this.#steps)
    return Math.min(EPOCH, this.#annealed.trialSteps)
  }

  kept(): Promise<Omit<KeptCooling, 'best'>> {
    return this.#annealed.kept()
  }

  /** @param members become the best set */
  writeBest(members: Uint8Array): void {
    if (this.#conflicts === undefined) this.#annealed.writeBest(members)
  }

  end(): void {
    this.#annealed.end()
    this.#conflicts?.end()
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
    if (this.#conflicts === undefined) {
      // What it finds follows from their order, too, which is another one where it is resumed.
      sortLists(this.#adjacency)
      this.#annealed.writeBest(members)
      const size = members.reduce((sum, bit) => sum + bit, 0)
      const cover = this.#adjacency.vertices > FEW_VERTICES ? undefined : smallCliqueCover(this.#adjacency, pause)
      const cliques = cover && searchableCliques(cover, size)
      this.#conflicts = new ConflictSearches(this.#adjacency, this.#steps, undefined, cliques)
    }
    const before = made + this.#searchSymmetric(members, seed, { steps: steps - made, pause })
    return before + this.#conflicts.run(members, seed, { steps: steps - before, pause })
  }

  /** Searches symmetric sets in every third epoch, if the graph has symmetries. */
  #searchSymmetric(members: Uint8Array, seed: number, limits: SearchLimits): number {
    if (seed % SYMMETRIC_EPOCHS !== SYMMETRIC_EPOCHS - 1) return 0
    this.#symmetric ??= new SymmetricSearches(this.#adjacency)
    return this.#symmetric.isSymmetric ? this.#symmetric.run(members, seed, limits) : 0
  }
}

/** Most are in order. */
function sortLists({ vertices, starts, targets }: Adjacency): void {
  for (let v = 0; v < vertices; v++) {
    const [start, end] = [starts[v]!, starts[v + 1]!]
    let ordered = start + 1
    while (ordered < end && targets[ordered - 1]! < targets[ordered]!) ordered++
    if (ordered < end) targets.subarray(start, end).sort()
  }
}
