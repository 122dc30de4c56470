import type { JobContext } from '../../base/job.ts'
import { degreesOf } from '../../graph/degrees.ts'
import { checkEccentricities } from '../../verify/verify-eccentricities.ts'
import type { Algorithm, Answer, ResultVerifier, Run } from '../algorithm.ts'
import { depthOf, largestVertex } from '../bfs/bfs.ts'
import { gridRun, planGrid, requireGrid, searchRecord } from '../bfs/grid-run.ts'
import { searchKernels } from '../bfs/search-worker.ts'
import { valuesAnswer, valuesOf, valuesVerdict } from '../values-answer.ts'
import { EccentricityBounds } from './eccentricity-bounds.ts'

/** Bounds of eccentricities by chosen searches (Takes, Kosters, 2013). */
export const eccentricities: Algorithm = {
  requireOptions: requireGrid,
  plan: (request) => planGrid(request, false),
  improvePasses: () => 0,
  severalGpus: 'useful',
  kernels: () => searchKernels,
  compute,
  verifier: { plan: ({ vertices, arcs }) => ({ hostBytes: 24 * vertices + 4 * arcs, passes: 1 }), verify },
}

const DEFAULT_SEARCHES = 16

function verify(stored: Parameters<ResultVerifier['verify']>[0], job: JobContext) {
  const startMs = performance.now()
  const { roots } = stored.options
  const chosen = typeof roots === 'string' && roots !== '' ? roots.split(' ').map(Number) : []
  const { witness, figures } = checkEccentricities(stored.graph, valuesOf(stored), chosen, job)
  return Promise.resolve(valuesVerdict(stored, witness, figures, startMs))
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const searches = args.searches ?? DEFAULT_SEARCHES
  const bounds = new EccentricityBounds(degreesOf(graph))
  const computed = await gridRun(run, false, job, ({ levels }) => ({
    next: (before, done) => {
      if (before !== undefined) bounds.take(levels, depthOf(before))
      if (done === 0) return graph.arcs === 0 ? undefined : largestVertex(graph)
      return done < searches ? bounds.next() : undefined
    },
  }))
  // By internal id: what the verifier searches from.
  const roots = computed.searches.map(({ root }) => root).join(' ')
  return valuesAnswer(
    run,
    {
      ...{ values: bounds.lower, figures: bounds.figures(), workers: computed.reports, checkpoint: undefined },
      record: (result) => searchRecord(run, computed, result, { searches, roots }),
    },
    eccentricities.verifier!,
    job,
  )
}
