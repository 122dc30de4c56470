/**
 * A search of a graph that few cliques cover, hardly more than its largest sets have members: one vertex of each clique is chosen, and conflicts
 * between them become fewer (tabu search of constraint satisfaction: Galinier, Hao: Tabu Search for Maximal Constraint Satisfaction Problems, CP 1997).
 * A step changes the choice of a clique that has a conflict, so that fewest are left; what was chosen stays away for some steps. It scans the cliques
 * with conflicts and reads two lists. Without conflicts the choice is a largest set; else, less an end of each conflict, a set that may be the best.
 * It has the state of a ConflictSearch (conflict-search.ts), beside which conflict-searches.ts runs it; set-bounds.ts makes the cover.
 */

import { sharedWords } from '../../base/words.ts'
import { Xorshift } from '../../generate/random.ts'
import { type ConflictState, AT } from './conflict-search.ts'
import type { Adjacency } from './in-memory-graph.ts'
import type { CliqueCover } from './set-bounds.ts'

/** A cover of more cliques is not searched, nor one that has this part more of them than the best set has members. */
const MOST = { cliques: 1 << 8, more: 1 / 8 }
/** Steps for which what was chosen stays away: a number that is drawn, and a part of the cliques with conflicts. */
const AWAY = { drawn: 10, ofConflicts: 0.6 }

/** The vertices of each clique of a cover, in memory that threads share. */
export interface CliqueLists {
  /** Those of clique c are from starts[c] to starts[c + 1]. */
  readonly starts: Uint32Array
  readonly members: Uint32Array
}

/** @param least members of a set @returns undefined where the cover is too large to be searched */
export function searchableCliques({ cliques, count }: CliqueCover, least: number): CliqueLists | undefined {
  if (count > MOST.cliques || count <= least || count > (1 + MOST.more) * least) return undefined
  const [starts, members] = [sharedWords(count + 1), sharedWords(cliques.length)]
  for (const clique of cliques) starts[clique + 1]!++
  for (let c = 0; c < count; c++) starts[c + 1]! += starts[c]!
  const ends = starts.slice()
  cliques.forEach((clique, v) => (members[ends[clique]!++] = v))
  return { starts, members }
}

/** A search from one set. The same graph, cover, set, seeds and steps give the same set. */
export class CliqueSearch {
  readonly #adjacency: Adjacency
  readonly #cliques: CliqueLists
  /** Scores are the chosen neighbours of each vertex, stamps the step until which it stays away, and the chosen vertices are those that are listed. */
  readonly #state: ConflictState
  readonly #count: number

  constructor(adjacency: Adjacency, cliques: CliqueLists, state: ConflictState) {
    this.#adjacency = adjacency
    this.#cliques = cliques
    this.#state = state
    this.#count = cliques.starts.length - 1
  }

  /** Begins anew. @param set an independent set, one byte a vertex */
  begin(set: Uint8Array): void {
    const { numbers, scores, stamps, lowest, best } = this.#state
    const { starts, members } = this.#cliques
    scores.fill(0)
    stamps.fill(0)
    best.set(set)
    for (let c = 0; c < this.#count; c++) {
      const own = members.subarray(starts[c], starts[c + 1])
      lowest[c] = own.find((v) => set[v] === 1) ?? own[0]!
      this.#score(lowest[c]!, 1)
    }
    numbers[AT.step] = 0
    numbers[AT.best] = set.reduce((sum, bit) => sum + bit, 0)
    let conflicts = 0
    for (let c = 0; c < this.#count; c++) conflicts += scores[lowest[c]!]!
    numbers[AT.conflicts] = conflicts / 2
    numbers[AT.low] = numbers[AT.conflicts]!
  }

  /** Continues for so many steps, to beat sets of a size. */
  run(steps: number, seed: number, beaten: number): void {
    const { numbers, scores, stamps, lowest } = this.#state
    const { starts, members } = this.#cliques
    const count = this.#count
    const random = new Xorshift(seed)
    let [step, conflicts, low] = [numbers[AT.step]!, numbers[AT.conflicts]!, numbers[AT.low]!]
    for (const end = step + steps; step < end && conflicts > 0;) {
      step++
      let [clique, chosen, least, ties, inConflict] = [0, -1, Infinity, 0, 0]
      for (let c = 0; c < count; c++) {
        const now = lowest[c]!
        const own = scores[now]!
        if (own === 0) continue
        inConflict++
        for (let i = starts[c]!, past = starts[c + 1]!; i < past; i++) {
          const v = members[i]!
          // The one that leaves is a neighbour.
          const change = scores[v]! - 1 - own
          if (change > least || v === now || (stamps[v]! > step && conflicts + change >= low)) continue
          if (change < least) {
            least = change
            ties = 0
          } else if (random.draw(++ties + 1) !== 0) continue
          clique = c
          chosen = v
        }
      }
      if (chosen < 0) continue
      const left = lowest[clique]!
      stamps[left] = step + 1 + random.draw(AWAY.drawn) + Math.floor(AWAY.ofConflicts * inConflict)
      lowest[clique] = chosen
      this.#score(left, -1)
      this.#score(chosen, 1)
      conflicts += least
      if (conflicts < low) low = conflicts
      if (count - conflicts > Math.max(beaten, numbers[AT.best]!)) this.#keep()
    }
    numbers[AT.step] = step
    numbers[AT.conflicts] = conflicts
    numbers[AT.low] = low
  }

  #score(v: number, by: 1 | -1): void {
    const { scores } = this.#state
    const { starts, targets } = this.#adjacency
    for (let i = starts[v]!, end = starts[v + 1]!; i < end; i++) scores[targets[i]!]! += by
  }

  /** Keeps what is chosen, but for an end of each conflict. */
  #keep(): void {
    const { numbers, lowest, best } = this.#state
    const { starts, targets } = this.#adjacency
    best.fill(0)
    let size = 0
    for (let c = 0; c < this.#count; c++) {
      const v = lowest[c]!
      const list = targets.subarray(starts[v], starts[v + 1])
      if (list.some((u) => best[u] === 1)) continue
      best[v] = 1
      size++
    }
    numbers[AT.best] = size
  }
}
