import type { Dataset } from '../contract/dataset.ts'
import { optionsOf, type Run } from '../contract/run.ts'
import { inCommands } from './failure-text.ts'

/** Fields in the order in which they are printed: of the contract, and such as are made here. */
const documentFields = {
  dataset: 'id name vertices edges arcs maxDegree meanDegree weighted bytes checksum source linked createdAt report',
  summary: `id name state dataset algorithm priority devices size fraction weight figures hash verified createdAt
    startedAt finishedAt failure`,
  run: `algorithm dataset devices options result rounds time bytes passes verified upperBound verifiedFigures resumed
    run plan counters series files`,
} as const

export const fieldsOf = (name: keyof typeof documentFields): readonly string[] => documentFields[name].split(/\s+/)

function documentOf(name: keyof typeof documentFields, values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(fieldsOf(name).map((field) => [field, values[field]]))
}

/** `edges` counts each undirected edge once. */
export const datasetDocument = (dataset: Dataset): object =>
  documentOf('dataset', { ...dataset, edges: dataset.arcs / 2 })

export function runSummary(run: Run): object {
  const outcome = run.record?.outcome
  const result = outcome?.result
  return documentOf('summary', {
    ...run,
    priority: optionsOf(run.request).priority ?? null,
    devices: outcome?.devices.map(({ id }) => id) ?? [run.request.device],
    fraction: result?.kind === 'independent-set' ? result.fraction : null,
    weight: result?.kind === 'matching' ? result.weight : null,
    figures: result?.kind === 'values' ? result.figures : null,
    verified: outcome?.verification?.verified ?? null,
    failure: run.failure === null ? null : inCommands(run.failure),
  })
}

/** Only for a run with a record. */
export function runDocument(run: Run, files: readonly string[]): object {
  if (run.record === null) throw new Error(`run ${run.id} has no record`)
  const { dataset, outcome } = run.record
  const { name, vertices, arcs, maxDegree } = dataset
  const { devices, verification, resumed } = outcome
  return documentOf('run', {
    ...outcome,
    dataset: { name, vertices, edges: arcs / 2, maxDegree },
    devices: devices.map(({ id }) => id),
    verified: verification?.verified ?? null,
    upperBound: verification?.upperBound ?? null,
    verifiedFigures: verification?.figures,
    resumed: resumed ?? null,
    run: run.id,
    files,
  })
}
