import { existsSync } from 'node:fs'
import type { CallArgs, CallResult } from '../contract/calls.ts'
import type { Library } from '../library/library.ts'
import { inputFailure } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import { inputFile } from './input-file.ts'
import type { JobRunner } from './job-runner.ts'
import { requireLists } from './run-lists.ts'

/** @throws Failure (input) */
export async function planTarget(
  { target, format, ...options }: CallArgs<'plan'>,
  library: Library,
  runner: JobRunner,
  job: JobContext,
): Promise<CallResult<'plan'>> {
  const dataset = library.datasets.find(target)
  const source = dataset === null ? inputFile(target) : target
  if (dataset === null && !existsSync(source))
    throw inputFailure(target, 'there is no dataset and no file of this name', 'Check the spelling of the path.', [
      { action: 'show', page: 'library' },
    ])
  const of =
    dataset === null
      ? ({ kind: 'file', source, format } as const)
      : ({ kind: 'dataset', ...library.place(dataset) } as const)
  requireLists(options)
  const plan = await runner.run('plan', { ...options, target: of, folder: library.folder }, job)
  return { target, dataset: dataset?.name ?? null, plan }
}
