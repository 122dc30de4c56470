import { CounterHash } from '../../generate/random.ts'
import { usageFailure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { PlannedOptions } from '../../contract/jobs.ts'
import { degreeRuns } from '../../graph/degrees.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Labels } from '../../graph/labels.ts'
import { checkLevels, checkParents } from '../../verify/verify-distances.ts'
import type { Algorithm, Answer, ResultVerifier, Run } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import { valuesAnswer, valuesVerifier } from '../values-answer.ts'
import { gridRun, planGrid, requireGrid, searchRecord } from './grid-run.ts'
import type { FinishedSearch } from './search.ts'
import { type SearchSoFar, searchKernels } from './search-worker.ts'

const verifierOf = (parents: boolean): ResultVerifier =>
  valuesVerifier(
    ({ vertices }) => ({ hostBytes: 8 * vertices + (64 << 20), passes: parents ? 2 : 1 }),
    (values, { graph, labels, options: { root: label } }, job) => {
      const root = typeof label === 'string' ? rootNamed(labels, label) : undefined
      return (parents ? checkParents : checkLevels)(graph, values, root, job)
    },
  )

/** Breadth-first search; its answer are the levels, or the parents. */
const search = (parents: boolean): Algorithm => ({
  requireOptions: requireGrid,
  plan: (request) => planGrid(request, parents),
  severalGpus: 'useful',
  kernels: () => searchKernels,
  compute: (run, job) => compute(run, parents, job),
  verifier: verifierOf(parents),
})

export const bfs = search(false)
export const bfsTree = search(true)

/** @throws Failure (usage) where no vertex is called so */
function rootNamed(labels: Labels, label: string): number {
  const v = labels.find(label)
  if (v >= 0) return v
  throw usageFailure(undefined, `no vertex is called "${label}"`, 'Name a root by its id in your file.')
}

async function compute(run: Run, parents: boolean, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const { vertices } = graph
  const root = args.root === undefined ? largestVertex(graph) : rootNamed(run.labels(), args.root)
  const roots = [...randomRoots(graph, args, (args.searches ?? 1) - 1), ...(vertices === 0 ? [] : [root])]
  const identity = { graph: args.checksum, order: `search-${root}`, tiles: '', vertices }
  const checkpoint = roots.length > 1 ? undefined : Checkpoint.of<SearchSoFar>(args, identity)
  const computed = await gridRun(run, parents, job, () => (_, done) => roots[done], checkpoint, checkpoint?.start())
  const { shared, outcome: searches } = computed
  const values = (shared.parents ?? shared.levels).array
  const last = searches.at(-1)
  const figures = { reached: last?.reached ?? 0, depth: depthOf(last) }
  const label = vertices === 0 ? null : run.labels().of(root)
  const record = searchRecord(run, computed, { root: label, searches: roots.length })
  return valuesAnswer(run, { values, figures, workers: computed.reports, checkpoint, record })
}

/** The last level that found something. */
export const depthOf = (search: FinishedSearch | undefined): number =>
  search === undefined ? 0 : search.levels.length - (search.levels.at(-1)?.found === 0 ? 1 : 0)

/** Of the vertices with the most neighbours the least. */
export function largestVertex(graph: GaloisGr): number {
  let [best, most] = [0, -1]
  for (const { first, degrees } of degreeRuns(graph))
    degrees.forEach((degree, i) => degree > most && ([best, most] = [first + i, degree]))
  return best
}

/** As Graph500 draws them: at random, of those that have neighbours. */
function randomRoots(graph: GaloisGr, { seed }: Pick<PlannedOptions, 'seed'>, count: number): number[] {
  if (graph.arcs === 0) return []
  const hash = new CounterHash(seed)
  const roots: number[] = []
  for (let item = 0; roots.length < count; item++) {
    hash.item(item)
    const v = hash.below(graph.vertices, 0)
    const { first, end } = graph.arcsOf(v)
    if (end > first) roots.push(v)
  }
  return roots
}
