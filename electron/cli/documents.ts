import type { Dataset } from '../contract/dataset.ts'
import { optionsOf, type Run } from '../contract/run.ts'
import { inCommands } from './failure-text.ts'

const picked = (from: object, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, (from as Readonly<Record<string, unknown>>)[name]]))

/** Of a dataset, of a run, and of what came of it, as the contract has them. */
export const datasetFields =
  'id name vertices arcs maxDegree meanDegree weighted bytes checksum source linked createdAt report'.split(' ')
export const runFields = 'id name state dataset algorithm size hash createdAt startedAt finishedAt'.split(' ')
export const outcomeFields = 'algorithm options result rounds time bytes passes plan counters series'.split(' ')

/** `edges` counts each undirected edge once. */
export const datasetDocument = (dataset: Dataset): object => ({
  ...picked(dataset, datasetFields),
  edges: dataset.arcs / 2,
})

export function runSummary(run: Run): object {
  const outcome = run.record?.outcome
  const result = outcome?.result
  return {
    ...picked(run, runFields),
    priority: optionsOf(run.request).priority ?? null,
    devices: outcome?.devices.map(({ id }) => id) ?? [run.request.device],
    fraction: result?.kind === 'independent-set' ? result.fraction : null,
    weight: result?.kind === 'matching' ? result.weight : null,
    figures: result?.kind === 'values' ? result.figures : null,
    verified: outcome?.verification?.verified ?? null,
    failure: run.failure === null ? null : inCommands(run.failure),
  }
}

/** Only for a run with a record. */
export function runDocument(run: Run, files: readonly string[]): object {
  if (run.record === null) throw new Error(`run ${run.id} has no record`)
  const { dataset, outcome } = run.record
  const { name, vertices, arcs, maxDegree } = dataset
  const { devices, verification, resumed } = outcome
  return {
    ...picked(outcome, outcomeFields),
    dataset: { name, vertices, edges: arcs / 2, maxDegree },
    devices: devices.map(({ id }) => id),
    verified: verification?.verified ?? null,
    upperBound: verification?.upperBound ?? null,
    ...(verification?.figures === undefined ? {} : { verifiedFigures: verification.figures }),
    resumed: resumed ?? null,
    run: run.id,
    files,
  }
}
