import type { JobContext } from '../../base/job.ts'
import { degreesOf } from '../../graph/degrees.ts'
import { checkEccentricities } from '../../verify/verify-distances.ts'
import type { Algorithm, Answer, Run } from '../algorithm.ts'
import { depthOf, largestVertex } from '../bfs/bfs.ts'
import { gridRun, planGrid, requireGrid, searchRecord } from '../bfs/grid-run.ts'
import { searchKernels } from '../bfs/search-worker.ts'
import { valuesAnswer, valuesVerifier } from '../values-answer.ts'
import { EccentricityBounds } from './eccentricity-bounds.ts'

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
  // By internal id: what the verifier searches from.
  const roots = computed.outcome.map(({ root }) => root).join(' ')
  const record = searchRecord(run, computed, { searches, roots })
  return valuesAnswer(run, { values: bounds.lower, figures: bounds.figures(), workers: computed.reports, record })
}
