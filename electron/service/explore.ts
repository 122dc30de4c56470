import type { CallArgs, CallResult } from '../contract/calls.ts'
import type { Library } from '../library/library.ts'
import { Failure } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import type { NeighbourhoodArgs } from '../../workers/contract/jobs.ts'
import type { JobRunner } from './job-runner.ts'
import { resultFile } from './result-file.ts'

/** Finds vertices by label or name. @throws Failure (input) */
export function searchVertices(
  { dataset, text, limit }: CallArgs<'explore.search'>,
  library: Library,
  runner: JobRunner,
  job: JobContext,
): Promise<CallResult<'explore.search'>> {
  const place = library.place(library.datasets.get(dataset))
  return runner.run('vertex-search', { ...place, text, limit }, job)
}

/** A part of a dataset, with what a run decided there. @throws Failure (input); (usage) for a run without a result on it */
export function neighbourhoodOf(
  { dataset: name, run: text, ...wanted }: CallArgs<'explore.neighbourhood'>,
  library: Library,
  runner: JobRunner,
  job: JobContext,
): Promise<CallResult<'explore.neighbourhood'>> {
  const dataset = library.datasets.get(name)
  const result = text === undefined ? undefined : resultOf(library, text, dataset.id)
  return runner.run('neighbourhood', { ...wanted, ...library.place(dataset), result }, job)
}

function resultOf(library: Library, text: string, datasetId: number): NeighbourhoodArgs['result'] {
  const run = library.runs.get(text)
  const refuse = (what: string, remedy: string): never => {
    throw new Failure({ code: 'usage', where: run.id, what, remedy })
  }
  if (run.datasetId !== datasetId) return refuse('this run is of another dataset', 'Choose one of this dataset.')
  if (run.record === null || run.state !== 'done')
    return refuse(`this run is ${run.state} and has no result to show`, 'Choose a run that is done.')
  return { kind: run.record.outcome.result.kind, file: resultFile(library, run), hash: run.record.hash }
}
