import { statSync } from 'node:fs'
import { openLabels } from '../graph/labels.ts'
import type { FailureValue } from '../base/failure.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import type { PlannedOptions } from '../contract/jobs.ts'
import { initialStates } from './initial-states.ts'
import type { ListFiles } from './run-lists.ts'
import { readLists } from './run-lists.ts'
import type { GraphSize } from './estimate.ts'
import { attempt } from './estimate.ts'
import { withGraph } from './graph-size.ts'

/** Longer ones are looked at when the run starts: a plan is asked for whenever a form changes. */
const MOST_LIST_BYTES = 32 << 20

/** Reads the lists of a set as its run does. @returns what is wrong with them; null where nothing is */
export function listsRefusal(options: PlannedOptions, { dataset, vertices }: GraphSize): FailureValue | null {
  const takesLists = algorithmEntry(options.algorithm)?.options.some(({ name }) => name === 'keepFile')
  if (dataset === undefined || takesLists !== true) return null
  const { keepFile, excludeFile, columnFile } = options
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
