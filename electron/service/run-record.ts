import type { StoredDataset as Dataset } from '../contract/dataset.ts'
import type { Run, RunRecord } from '../contract/run.ts'
import type { RunOutcome } from '../../workers/contract/jobs.ts'
import manifest from '../../package.json' with { type: 'json' }

export function recordOf(run: Run, dataset: Dataset, outcome: RunOutcome): RunRecord {
  const { name, checksum, vertices, arcs, maxDegree, source, report } = dataset
  const startedAt = run.startedAt ?? run.createdAt
  const now = new Date().toISOString()
  return {
    record: 1,
    run: run.id,
    name: run.name,
    dataset: { name, checksum, vertices, arcs, maxDegree, source, sourceSha256: report.sourceSha256 },
    request: run.request,
    outcome,
    hash: outcome.result.hash,
    versions: versions(),
    startedAt,
    // The clock may have been set back.
    finishedAt: now < startedAt ? startedAt : now,
  }
}

// By its default export: Node runs this file unbundled, too (test/scripts).

const { dependencies, version } = manifest

/** `webgpu` is pinned exactly. */
export function versions(): RunRecord['versions'] {
  return { anticlique: version, node: process.versions.node, webgpu: dependencies.webgpu }
}
