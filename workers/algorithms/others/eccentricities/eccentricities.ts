import type { JobContext } from '../../../base/job.ts'
import { degreesOf, largestVertex } from '../../../graph/degrees.ts'
import { checkEccentricities } from './check-eccentricities.ts'
import { type Algorithm, type Answer, type Run, valuesAnswer, valuesVerifier } from '../../algorithm.ts'
import { depthOf, gridRun, planGrid, requireGrid, searchRecord } from '../bfs/bfs.ts'
import { searchKernels } from '../bfs/search-worker.ts'

/** Bounds of eccentricities by chosen searches (Takes, Kosters, 2013). */
export const eccentricities: Algorithm = {
  requireOptions: requireGrid,
  plan: (request) => planGrid(request, false),
  severalGpus: 'useful',
  kernels: () => searchKernels,
  compute,
  verifier: valuesVerifier(
    ({ vertices, arcs }) => ({ hostBytes: 24 * vertices + 4 * arcs, passes: 1 }),
    (values, { graph, options: { roots } }, job) => {
      const chosen = typeof roots === 'string' && roots !== '' ? roots.split(' ').map(Number) : []
      return checkEccentricities(graph, values, chosen, job)
    },
  ),
}

const DEFAULT_SEARCHES = 16

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const searches = args.searches ?? DEFAULT_SEARCHES
  const bounds = new EccentricityBounds(degreesOf(graph))
  const computed = await gridRun(run, false, job, ({ levels }) => (before, done) => {
    if (before !== undefined) bounds.take(levels.array, depthOf(before))
    if (done === 0) return graph.arcs === 0 ? undefined : largestVertex(graph)
    return done < searches ? bounds.next() : undefined
  })
  const chosen = computed.outcome.map(({ root }) => root)
  const labels = chosen.length === 0 ? undefined : run.labels()
  // By internal id for the verifier, which searches from them, and by the graph's own for people.
  const roots = { roots: chosen.join(' '), rootIds: JSON.stringify(chosen.map((root) => labels?.of(root))) }
  const record = searchRecord(run, computed, { searches, ...roots })
  return valuesAnswer(run, { values: bounds.lower, figures: bounds.figures(), workers: computed.reports, record })
}

const NONE = 0xffffffff

/**
 * Bounds on the distance of every vertex to the farthest one that it reaches, by searches from chosen roots (Takes, Kosters, Algorithms 6(1),
 * 2013): with e the eccentricity of the root and d the distance, max(d, e - d) <= ecc <= e + d.
 */
export class EccentricityBounds {
  readonly lower: Uint32Array
  readonly upper: Uint32Array
  readonly #degrees: Uint32Array
  /** 1 once a search reached it, 2 for those of the first search. */
  readonly #reached: Uint8Array
  /** Vertices with neighbours that no search reached. */
  #rest = 0
  #takesUpper = false

  /** @param degrees ties go to the larger, then to the smaller id */
  constructor(degrees: Uint32Array) {
    this.#degrees = degrees
    this.#reached = new Uint8Array(degrees.length)
    this.lower = new Uint32Array(degrees.length)
    this.upper = new Uint32Array(degrees.length)
    for (const degree of degrees) if (degree > 0) this.#rest++
    degrees.forEach((degree, v) => (this.lower[v] = degree === 0 ? 0 : 1))
    this.#boundRest()
  }

  /** Takes the levels of a search from a root, whose deepest is `depth`. */
  take(levels: Uint32Array, depth: number): void {
    const { lower, upper } = this
    const isFirst = !this.#reached.includes(2)
    for (let v = 0; v < levels.length; v++) {
      const level = levels[v]!
      if (level === NONE) continue
      if (this.#reached[v] === 0) {
        this.#reached[v] = isFirst ? 2 : 1
        this.#rest--
      }
      const far = Math.max(level, depth - level)
      if (far > lower[v]!) lower[v] = far
      if (depth + level < upper[v]!) upper[v] = depth + level
    }
    this.#boundRest()
  }

  /**
   * The next vertex: by turns one whose upper bound is largest, and one whose lower bound is smallest, of those not known; undefined: all are. The component
   * searched first is searched first.
   */
  next(): number | undefined {
    this.#takesUpper = !this.#takesUpper
    const { lower, upper } = this
    let best = -1
    for (let v = 0; v < lower.length; v++) {
      if (lower[v] === upper[v]) continue
      if (best < 0 || this.#isBefore(v, best)) best = v
    }
    return best < 0 ? undefined : best
  }

  figures() {
    const { lower, upper } = this
    let [diameter, diameterBound, exact, radius] = [0, 0, 0, NONE]
    for (let v = 0; v < lower.length; v++) {
      diameter = Math.max(diameter, lower[v]!)
      diameterBound = Math.max(diameterBound, upper[v]!)
      if (lower[v] === upper[v]) exact++
      if (this.#reached[v] === 2) radius = Math.min(radius, upper[v]!)
    }
    return { diameter, diameterBound, radius: radius === NONE ? 0 : radius, exact }
  }

  /** What no search reached is in components of no more vertices than that. */
  #boundRest(): void {
    this.#degrees.forEach((degree, v) => {
      if (this.#reached[v] === 0) this.upper[v] = degree === 0 ? 0 : Math.max(0, this.#rest - 1)
    })
  }

  #isBefore(v: number, best: number): boolean {
    const isMain = (u: number): number => (this.#reached[u] === 2 ? 1 : 0)
    if (isMain(v) !== isMain(best)) return isMain(v) > isMain(best)
    const [mine, theirs] = this.#takesUpper
      ? [this.upper[v]!, this.upper[best]!]
      : [-this.lower[v]!, -this.lower[best]!]
    return mine !== theirs ? mine > theirs : this.#degrees[v]! > this.#degrees[best]!
  }
}
