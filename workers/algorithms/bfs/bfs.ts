import { NONE } from '../../../kernels/bfs/bfs-none.ts'
import { CounterHash } from '../../generate/random.ts'
import { Failure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { PlannedOptions } from '../../contract/jobs.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Labels } from '../../graph/labels.ts'
import { checkLevels, checkParents } from '../../verify/verify-search.ts'
import type { Algorithm, Answer, ResultVerifier, Run } from '../algorithm.ts'
import { Checkpoint, type Checkpointer } from '../checkpoint.ts'
import { valuesAnswer, valuesOf, valuesVerdict } from '../values-answer.ts'
import type { FinishedSearch, SearchSoFar } from './search.ts'
import { searchKernels } from './search-worker.ts'
import { gridRun, planGrid, requireGrid, searchRecord } from './grid-run.ts'

const verifierOf = (parents: boolean): ResultVerifier => ({
  plan: ({ vertices }) => ({ hostBytes: 8 * vertices + (64 << 20), passes: parents ? 2 : 1 }),
  verify: (stored, job) => {
    const startMs = performance.now()
    const { graph, labels, options } = stored
    const { root: label } = options
    const root = typeof label === 'string' ? rootNamed(labels, label) : undefined
    const { witness, figures } = (parents ? checkParents : checkLevels)(graph, valuesOf(stored), root, job)
    return Promise.resolve(valuesVerdict(stored, witness, figures, startMs))
  },
})

/** Breadth-first search; its answer are the levels, or the parents. */
const search = (parents: boolean): Algorithm => ({
  requireOptions: requireGrid,
  plan: (request) => planGrid(request, parents),
  improvePasses: () => 0,
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
  throw new Failure({
    code: 'usage',
    what: `no vertex is called "${label}"`,
    remedy: 'Name a root by its id in your file.',
  })
}

async function compute(run: Run, parents: boolean, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const root = args.root === undefined ? largestVertex(graph) : rootNamed(run.labels(), args.root)
  const roots = [...randomRoots(graph, args, (args.searches ?? 1) - 1), ...(graph.vertices === 0 ? [] : [root])]
  const checkpoint = roots.length > 1 ? undefined : searchCheckpoint(run, root)
  const kept = checkpoint?.start()
  const computed = await gridRun(run, parents, job, ({ levels }) => {
    levels.set(kept?.parts[0] ?? [])
    return {
      next: (_, done) => roots[done],
      checkpointer: checkpoint && levelsCheckpointer(checkpoint, levels),
      before: kept?.notes,
    }
  })
  const { shared, searches } = computed
  const values = shared.parents ?? shared.levels
  if (graph.vertices > 0 && searches.length === 0) values.fill(NONE)
  const last = searches.at(-1)
  const figures = { reached: last?.reached ?? 0, depth: depthOf(last) }
  const label = graph.vertices === 0 ? null : run.labels().of(root)
  return valuesAnswer(
    run,
    {
      ...{ values, figures, workers: computed.reports, checkpoint },
      record: (result) => searchRecord(run, computed, result, { root: label, searches: roots.length }),
    },
    verifierOf(parents),
    job,
  )
}

/** The last level that found something. */
export const depthOf = (search: FinishedSearch | undefined): number =>
  search === undefined ? 0 : search.levels.length - (search.levels.at(-1)?.found === 0 ? 1 : 0)

/** Of the vertices with the most neighbours the least. */
export function largestVertex(graph: GaloisGr): number {
  const STEP = 1 << 20
  let [best, most] = [0, -1]
  for (let first = 0; first < graph.vertices; first += STEP) {
    const offsets = graph.readOffsets(first, Math.min(graph.vertices, first + STEP))
    for (let i = 0; i + 1 < offsets.length; i++)
      if (offsets[i + 1]! - offsets[i]! > most) [best, most] = [first + i, offsets[i + 1]! - offsets[i]!]
  }
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

type SearchCheckpoint = Checkpoint<SearchSoFar>

function searchCheckpoint({ args, graph }: Run, root: number): SearchCheckpoint | undefined {
  const { vertices } = graph
  return Checkpoint.of<SearchSoFar>(args, { graph: args.checksum, order: `search-${root}`, tiles: '', vertices })
}

const levelsCheckpointer = (checkpoint: SearchCheckpoint, levels: Uint32Array): Checkpointer<SearchSoFar> => ({
  isDue: () => checkpoint.isDue(true),
  keep: (soFar) => checkpoint.write([levels], soFar),
})
