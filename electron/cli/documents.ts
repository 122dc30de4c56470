import type { Dataset } from '../contract/dataset.ts'
import { optionsOf, type Run } from '../contract/run.ts'
import { inCommands } from './failure-text.ts'

/** `edges` counts each undirected edge once. */
export function datasetDocument(dataset: Dataset): object {
  const { id, name, vertices, arcs, maxDegree, meanDegree, weighted, bytes, checksum, source, linked } = dataset
  const { report, createdAt } = dataset
  return {
    id,
    name,
    vertices,
    edges: arcs / 2,
    arcs,
    maxDegree,
    meanDegree,
    weighted,
    bytes,
    checksum,
    source,
    linked,
    createdAt,
    report,
  }
}

export function runSummary(run: Run): object {
  const outcome = run.record?.outcome
  return {
    id: run.id,
    name: run.name,
    state: run.state,
    dataset: run.dataset,
    algorithm: run.algorithm,
    priority: optionsOf(run.request).priority ?? null,
    devices: outcome?.devices.map(({ id }) => id) ?? [run.request.device],
    size: run.size,
    fraction: outcome?.result.kind === 'independent-set' ? outcome.result.fraction : null,
    weight: outcome?.result.kind === 'matching' ? outcome.result.weight : null,
    figures: outcome?.result.kind === 'values' ? outcome.result.figures : null,
    hash: run.hash,
    verified: outcome?.verification?.verified ?? null,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    failure: run.failure === null ? null : inCommands(run.failure),
  }
}

/** Only for a run with a record. */
export function runDocument(run: Run, files: readonly string[]): object {
  if (run.record === null) throw new Error(`run ${run.id} has no record`)
  const { dataset, outcome } = run.record
  return {
    algorithm: outcome.algorithm,
    dataset: {
      name: dataset.name,
      vertices: dataset.vertices,
      edges: dataset.arcs / 2,
      maxDegree: dataset.maxDegree,
    },
    devices: outcome.devices.map(({ id }) => id),
    options: outcome.options,
    result: outcome.result,
    rounds: outcome.rounds,
    time: outcome.time,
    bytes: outcome.bytes,
    passes: outcome.passes,
    verified: outcome.verification?.verified ?? null,
    upperBound: outcome.verification?.upperBound ?? null,
    ...(outcome.verification?.figures === undefined ? {} : { verifiedFigures: outcome.verification.figures }),
    resumed: outcome.resumed ?? null,
    run: run.id,
    plan: outcome.plan,
    counters: outcome.counters,
    series: outcome.series,
    files,
  }
}
