import type { CallArgs, Handlers } from '../contract/calls.ts'
import type { Library } from '../library/library.ts'
import { usageFailure } from '../../workers/base/failure.ts'
import type { ResultPlace } from '../../workers/contract/jobs.ts'
import type { JobRunner } from '../pool/pool.ts'
import { finishedRun, matchingOf } from './results.ts'
import { quietJob, throwIfCancelled } from '../../workers/base/job.ts'

/** The calls of pages that show a graph. @throws Failure (input); (usage) for a run without a result or dataset */
export function exploreHandlers(library: Library, engine: JobRunner): Handlers<'explore.'> {
  const runner = queuedLooks(engine)
  const placeOfDataset = (name: string) => library.place(library.datasets.get(name))
  return {
    'explore.search': ({ dataset, text, limit }, job) =>
      runner.run('vertex-search', { ...placeOfDataset(dataset), text, limit }, job),
    'explore.facts': async ({ dataset: name, onlyKept }, job) => {
      const { report } = library.datasets.get(name)
      const args = { ...placeOfDataset(name), weightRange: report.weights, onlyKept }
      return { facts: await runner.run('graph-facts', args, job) }
    },
    'explore.neighbourhood': ({ dataset, run, against, ...wanted }, job) =>
      runner.run('neighbourhood', { ...wanted, ...drawnOf(library, dataset, run, against) }, job),
    'explore.overview': ({ dataset, run, against, ...wanted }, job) =>
      runner.run('overview', { ...wanted, ...drawnOf(library, dataset, run, against) }, job),
    'explore.open': ({ dataset, run, against, ...wanted }, job) =>
      runner.run('open-nodes', { ...wanted, ...drawnOf(library, dataset, run, against) }, job),
    'explore.layout': (args, job) => runner.run('layout', args, job),
    'explore.vertices': ({ dataset, ...wanted }, job) =>
      runner.run('result-rows', { ...wanted, show: 'in', ...placeOfDataset(dataset) }, job),
    'explore.values': async ({ run: text }, job) => {
      const { run, dataset, result } = finishedRun(library, text)
      if (result.kind !== 'values')
        throw usageFailure(
          run.id,
          'this run gave no values',
          'Choose a run of an algorithm that gives every vertex one.',
        )
      return runner.run('value-counts', { ...library.place(dataset), result }, job)
    },
    'explore.result': async (args, job) => runner.run('result-rows', resultRows(args, library), job),
  }
}

function drawnOf(library: Library, name: string, run: string | undefined, against: string | undefined) {
  const dataset = library.datasets.get(name)
  const result = (text: string | undefined) => (text === undefined ? undefined : resultOf(library, text, dataset.id))
  return { ...library.place(dataset), result: result(run), against: result(against) }
}

function resultRows({ run: text, against: other, ...wanted }: CallArgs<'explore.result'>, library: Library) {
  const { run, record, dataset, result } = finishedRun(library, text)
  const against = other === undefined ? undefined : resultOf(library, other, dataset.id)
  if (against === undefined ? wanted.show === 'both' || wanted.show === 'only' : against.kind !== result.kind)
    throw usageFailure(run.id, 'this run has nothing of its kind to compare with', 'Choose two sets, or two matchings.')
  const claim = result.kind === 'matching' || result.kind === 'b-matching' ? matchingOf(record, result.file) : undefined
  const order = claim && { weights: claim.weights, seed: claim.seed }
  return { ...wanted, ...library.place(dataset), result, against, order }
}

function resultOf(library: Library, text: string, datasetId: number): ResultPlace {
  const { run, dataset, result } = finishedRun(library, text)
  if (dataset.id === datasetId) return result
  throw usageFailure(run.id, 'this run is of another dataset', 'Choose one of this dataset.')
}

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
