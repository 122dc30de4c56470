import { statSync } from 'node:fs'
import { openLabels } from '../../graph/labels.ts'
import type { FailureValue } from '../../base/failure.ts'
import type { PlannedOptions } from '../../contract/jobs.ts'
import { initialStates } from '../initial-states.ts'
import type { ListFiles } from '../run-lists.ts'
import { readLists } from '../run-lists.ts'
import type { Subject } from './forecast.ts'
import { attempt } from './forecast.ts'
import { withGraph } from './subject.ts'

/** Longer ones are looked at when the run starts: a plan is asked for whenever a form changes. */
const MOST_LIST_BYTES = 32 << 20

/** Reads the lists of a set as its run does. @returns what is wrong with them; null where nothing is */
export function listsRefusal(asked: PlannedOptions, { dataset, vertices }: Subject): FailureValue | null {
  if (dataset === undefined || asked.algorithm === 'tc-mis' || asked.algorithm === 'ld-gpu') return null
  const { keepFile, excludeFile, columnFile } = asked
  const files: ListFiles = { keepFile, excludeFile, columnFile }
  const bytes = Object.values(files).reduce((sum: number, file) => sum + sizeOf(file as string | undefined), 0)
  if (Object.values(files).every((file) => file === undefined) || bytes > MOST_LIST_BYTES) return null
  return withGraph(dataset, (graph) =>
    attempt(() => {
      const labels = openLabels(dataset.folder, vertices)
      const lists = readLists(files, labels, vertices)
      if (lists.keep !== undefined) initialStates(graph, labels, lists.keep, lists.exclude)
    }),
  ).refusal
}

/** 0 for what is not there: reading it says so. */
function sizeOf(file: string | undefined): number {
  return file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0)
}
