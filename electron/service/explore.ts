import type { CallArgs, CallResult } from '../contract/calls.ts'
import type { Library } from '../library/library.ts'
import { Failure } from '../../workers/base/failure.ts'
import type { NeighbourhoodArgs, ResultPlace } from '../../workers/contract/jobs.ts'
import type { JobRunner } from './job-runner.ts'
import { matchingOf } from './results.ts'
import { resultFile } from './result-file.ts'
import { quietJob, throwIfCancelled, type JobContext } from '../../workers/base/job.ts'

type Looks = ReturnType<typeof queuedLooks>

/** The calls of pages that show a graph. */
export function exploreHandlers(library: Library, engine: JobRunner) {
  const runner = queuedLooks(engine)
  return {
    'explore.search': (args: CallArgs<'explore.search'>, job: JobContext) => searchVertices(args, library, runner, job),
    'explore.facts': async ({ dataset: name, onlyKept }: CallArgs<'explore.facts'>, job: JobContext) => {
      const dataset = library.datasets.get(name)
      const args = { ...library.place(dataset), weightRange: dataset.report.weights, onlyKept }
      return { facts: await runner.run('graph-facts', args, job) }
    },
    'explore.neighbourhood': (args: CallArgs<'explore.neighbourhood'>, job: JobContext) =>
      neighbourhoodOf(args, library, runner, job),
    'explore.overview': (args: CallArgs<'explore.overview'>, job: JobContext) => overviewOf(args, library, runner, job),
    'explore.layout': (args: CallArgs<'explore.layout'>, job: JobContext) => runner.run('layout', args, job),
    'explore.vertices': ({ dataset, ...wanted }: CallArgs<'explore.vertices'>, job: JobContext) =>
      runner.run(
        'result-rows',
        { ...wanted, show: 'in' as const, ...library.place(library.datasets.get(dataset)) },
        job,
      ),
    'explore.result': (args: CallArgs<'explore.result'>, job: JobContext) => resultRows(args, library, runner, job),
  }
}

/** @throws Failure (input) */
function searchVertices(
  { dataset, text, limit }: CallArgs<'explore.search'>,
  library: Library,
  runner: Looks,
  job: JobContext,
): Promise<CallResult<'explore.search'>> {
  const place = library.place(library.datasets.get(dataset))
  return runner.run('vertex-search', { ...place, text, limit }, job)
}

/** @throws Failure (input); (usage) for a run without a result on it */
function neighbourhoodOf(
  { dataset: name, run, against, ...wanted }: CallArgs<'explore.neighbourhood'>,
  library: Library,
  runner: Looks,
  job: JobContext,
): Promise<CallResult<'explore.neighbourhood'>> {
  return runner.run('neighbourhood', { ...wanted, ...drawnOf(library, name, run, against) }, job)
}

function overviewOf(
  { dataset: name, run, against, ...wanted }: CallArgs<'explore.overview'>,
  library: Library,
  runner: Looks,
  job: JobContext,
): Promise<CallResult<'explore.overview'>> {
  return runner.run('overview', { ...wanted, ...drawnOf(library, name, run, against) }, job)
}

function drawnOf(library: Library, name: string, run: string | undefined, against: string | undefined) {
  const dataset = library.datasets.get(name)
  const result = (text: string | undefined) => (text === undefined ? undefined : resultOf(library, text, dataset.id))
  return { ...library.place(dataset), result: result(run), against: result(against) }
}

/** @throws Failure (input); (usage) for a run without a result or dataset */
async function resultRows(
  { run: text, against: other, ...wanted }: CallArgs<'explore.result'>,
  library: Library,
  runner: Looks,
  job: JobContext,
): Promise<CallResult<'explore.result'>> {
  const run = library.runs.get(text)
  const result = placeOf(library, run)
  const dataset = run.datasetId === null ? null : library.datasets.byId(run.datasetId)
  if (dataset === null) throw refused(run.id, 'the dataset of this run was deleted', 'Restore it, or import it again.')
  const against = other === undefined ? undefined : resultOf(library, other, dataset.id)
  if (against === undefined ? wanted.show === 'both' || wanted.show === 'only' : against.kind !== result.kind)
    throw refused(run.id, 'this run has nothing of its kind to compare with', 'Choose two sets, or two matchings.')
  const claim = result.kind === 'matching' ? matchingOf(run.record!, result.file) : undefined
  const order = claim && { weights: claim.weights, seed: claim.seed }
  return runner.run('result-rows', { ...wanted, ...library.place(dataset), result, against, order }, job)
}

function resultOf(library: Library, text: string, datasetId: number): NeighbourhoodArgs['result'] {
  const run = library.runs.get(text)
  if (run.datasetId !== datasetId)
    throw refused(run.id, 'this run is of another dataset', 'Choose one of this dataset.')
  return placeOf(library, run)
}

/** @throws Failure (usage) for a run without a result */
function placeOf(library: Library, run: ReturnType<Library['runs']['get']>): ResultPlace {
  if (run.record === null || run.state !== 'done')
    throw refused(run.id, `this run is ${run.state} and has no result to show`, 'Choose a run that is done.')
  const { kind } = run.record.outcome.result
  return { kind, algorithm: run.algorithm, file: resultFile(library, run), hash: run.record.hash }
}

const refused = (where: string, what: string, remedy: string): Failure =>
  new Failure({ code: 'usage', where, what, remedy })

/** Each is a thread, which keeps what it drew. */
export const MOST_LOOKS = 4

/**
 * A few at once, the others in their order: hundreds would leave runs no processor. Those that no page waits for any more are passed over; one that has
 * begun ends by itself.
 */
export function queuedLooks(runner: JobRunner): Pick<JobRunner, 'run'> {
  const waiting: (() => void)[] = []
  let under = 0
  return {
    async run(name, args, job) {
      if (under === MOST_LOOKS) await new Promise<void>((resolve) => waiting.push(resolve))
      else under++
      try {
        throwIfCancelled(job.signal)
        return await runner.run(name, args, { ...job, signal: quietJob.signal })
      } finally {
        // The turn goes over.
        const next = waiting.shift()
        if (next === undefined) under--
        else next()
      }
    },
  }
}
