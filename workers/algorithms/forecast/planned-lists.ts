import { statSync } from 'node:fs'
import { openLabels } from '../../graph/labels.ts'
import type { FailureValue } from '../../failure.ts'
import type { PlannedOptions } from '../../jobs.ts'
import { initialStates } from '../initial-states.ts'
import type { ListFiles } from '../run-lists.ts'
import { readLists } from '../run-lists.ts'
import type { Subject } from './forecast.ts'
import { attempt } from './forecast.ts'
import { withGraph } from './subject.ts'

/** Longer ones are looked at when the run starts: a plan is asked for whenever a form changes. */
const MOST_LIST_BYTES = 32 << 20

interface PlannedLists {
  readonly column: Float64Array | undefined
  readonly refusal: FailureValue | null
}

const none: PlannedLists = { column: undefined, refusal: null }

/** Reads the lists of a set as its run does: what is wrong with them, and the values that its view is named after. */
export function plannedLists(asked: PlannedOptions, { dataset, vertices }: Subject): PlannedLists {
  if (dataset === undefined || asked.algorithm === 'tc-mis' || asked.algorithm === 'ld-gpu') return none
  const { keepFile, excludeFile, columnFile } = asked
  const files: ListFiles = { keepFile, excludeFile, columnFile }
  const bytes = Object.values(files).reduce((sum: number, file) => sum + sizeOf(file as string | undefined), 0)
  if (Object.values(files).every((file) => file === undefined) || bytes > MOST_LIST_BYTES) return none
  const tried = withGraph(dataset, (graph) =>
    attempt(() => {
      const labels = openLabels(dataset.folder, vertices)
      const lists = readLists(files, labels, vertices)
      if (lists.keep !== undefined) {
        const own = Uint32Array.from({ length: vertices }, (_, v) => v)
        initialStates(graph, labels, lists.keep, lists.exclude, own)
      }
      return lists
    }),
  )
  if (tried.refusal !== null) return { column: undefined, refusal: tried.refusal }
  return { column: asked.priority === 'column' ? tried.plan.column : undefined, refusal: null }
}

/** 0 for what is not there: reading it says so. */
function sizeOf(file: string | undefined): number {
  return file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0)
}
