import { sharedWords } from '../../base/words.ts'
import { Xorshift } from '../../generate/random.ts'
import { Automorphisms, type Automorphism, cyclesOf, primePowers } from './automorphisms.ts'
import { type VertexSizes, ConflictSearch, conflictState } from './conflict-search.ts'
import { ConflictSearches } from './conflict-searches.ts'
import type { Adjacency } from './in-memory-graph.ts'
import type { SearchLimits } from './quality-option.ts'

/** Automorphisms that are drawn, groups that are tried, and steps of each before the better half continues with twice as many. */
const DRAWN = 24
const TRIED = 12
const TRIAL_STEPS = 1 << 14

/** A graph in which each orbit of a group is a vertex, of which no two members are neighbours. */
interface OrbitGraph {
  readonly adjacency: Adjacency
  readonly sizes: VertexSizes
  /** The vertices of each orbit. */
  readonly orbits: readonly (readonly number[])[]
}

/**
 * Searches for sets that symmetries of the graph map to themselves (as codes were found by Etzion, Ostergard: Greedy and heuristic algorithms for codes and
 * colorings, IEEE Transactions on Information Theory 44, 1998): a group of prime order is drawn from the automorphisms, and its orbits are searched for
 * conflicts in place of the vertices. Of some groups the better half continues, again and again, until one is left.
 */
export class SymmetricSearches {
  readonly #adjacency: Adjacency
  readonly #automorphisms: Automorphisms

  constructor(adjacency: Adjacency) {
    this.#adjacency = adjacency
    this.#automorphisms = new Automorphisms(adjacency)
  }

  /** Whether the graph has any symmetry that may be drawn. */
  get isSymmetric(): boolean {
    return this.#automorphisms.isSymmetric
  }

  /** @param members replaced where a larger set is found; one byte a vertex @returns the steps that were made */
  run(members: Uint8Array, seed: number, { steps, pause }: SearchLimits): number {
    let made = 0
    let trials = this.#groups(new Xorshift(seed), pause).map(trialOf)
    for (let each = TRIAL_STEPS; trials.length > 1; each *= 2) {
      for (const trial of trials) {
        if (made + each > steps || pause()) return made
        trial.best = trial.search.run(each, seed, 0)
        made += each
      }
      trials = trials.toSorted((a, b) => b.best - a.best).slice(0, Math.ceil(trials.length / 2))
    }
    const graph = trials[0]?.graph
    return graph === undefined ? made : made + searchOrbits(graph, members, seed, { steps: steps - made, pause })
  }

  #groups(random: Xorshift, pause: () => boolean): OrbitGraph[] {
    const groups = new Map<string, OrbitGraph>()
    for (let drawn = 0; drawn < DRAWN && groups.size < TRIED && !pause(); drawn++) {
      const automorphism = this.#automorphisms.draw(random)
      if (automorphism === undefined) continue
      for (const { prime, power } of primePowers(automorphism)) {
        const graph = orbitGraph(this.#adjacency, power)
        const key = `${prime} ${graph.adjacency.vertices} ${graph.adjacency.targets.length}`
        if (graph.adjacency.vertices > 0) groups.set(key, graph)
      }
    }
    return [...groups.values()]
  }
}

/** A short search of the orbits of one group. */
function trialOf(graph: OrbitGraph) {
  const { adjacency, sizes } = graph
  const search = new ConflictSearch(adjacency, conflictState(adjacency), sizes)
  search.begin(new Uint8Array(adjacency.vertices))
  return { graph, search, best: 0 }
}

function searchOrbits(
  { adjacency, sizes, orbits }: OrbitGraph,
  members: Uint8Array,
  seed: number,
  limits: SearchLimits,
): number {
  const before = members.reduce((sum, bit) => sum + bit, 0)
  const searches = new ConflictSearches(adjacency, limits.steps, sizes)
  try {
    const chosen = new Uint8Array(adjacency.vertices)
    const made = searches.run(chosen, seed, limits)
    if (searches.best > before) {
      members.fill(0)
      orbits.forEach((orbit, i) => {
        if (chosen[i] === 1) for (const v of orbit) members[v] = 1
      })
    }
    return made
  } finally {
    searches.end()
  }
}

/** @param power whose orbits have one length or single vertices */
function orbitGraph({ vertices, starts, targets }: Adjacency, power: Automorphism): OrbitGraph {
  const orbits: number[][] = []
  const numbers = new Uint32Array(vertices)
  for (const orbit of cyclesOf(power)) {
    for (const v of orbit) numbers[v] = vertices
    const [first] = orbit
    const list = targets.subarray(starts[first!], starts[first! + 1])
    if (list.some((u) => orbit.length > 1 && orbit.includes(u))) continue
    for (const v of orbit) numbers[v] = orbits.length
    orbits.push(orbit)
  }
  // The neighbours of one vertex are in the orbits that those of the others are in.
  const lists = orbits.map(([first]) => {
    const list = targets.subarray(starts[first!], starts[first! + 1]).map((u) => numbers[u]!)
    return [...new Set(list)].filter((orbit) => orbit < vertices).sort((a, b) => a - b)
  })
  const adjacency = {
    vertices: orbits.length,
    starts: sharedWords(orbits.length + 1),
    targets: sharedWords(lists.reduce((sum, { length }) => sum + length, 0)),
  }
  lists.forEach((list, i) => {
    adjacency.targets.set(list, adjacency.starts[i])
    adjacency.starts[i + 1] = adjacency.starts[i]! + list.length
  })
  const most = Math.max(...orbits.map(({ length }) => length), 1)
  const sizes = Uint32Array.from(orbits, ({ length }) => length)
  return { adjacency, orbits, sizes: { sizes, factors: sizes.map((size) => most / size) } }
}
