import { runRequestSchema, type RunRecord, type RunRequest } from '../../../electron/contract/run.ts'
import type { DatasetFacts, RunOutcome, ResourcePlan } from '../../../workers/contract/jobs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

export const temporaryFolder = (): string => scratchFolder('test')

/** A path of three vertices, 1 - 2 - 3, as an import would count it. */
export const pathFacts = (overrides: Partial<DatasetFacts> = {}): DatasetFacts => ({
  vertices: 3,
  arcs: 4,
  maxDegree: 2,
  meanDegree: 4 / 3,
  weighted: false,
  bytes: 72,
  checksum: 'c0ffee',
  report: {
    source: 'path.txt',
    format: 'edge-list',
    compression: 'none',
    sourceBytes: 8,
    sourceSha256: null,
    lines: 2,
    entries: 2,
    loopsRemoved: 0,
    duplicatesMerged: 0,
    reverseArcsAdded: 2,
    vertices: 3,
    arcs: 4,
    isolatedVertices: 0,
    labels: { kind: 'integer', smallest: '1', largest: '3' },
    weights: null,
    warnings: [],
    elapsedMs: 1,
  },
  ...overrides,
})

export const request = (overrides: object = {}): RunRequest =>
  runRequestSchema.parse({ dataset: 'path', algorithm: 'ecl-mis', device: 'cpu:0', seed: 1, ...overrides })

/** What the engine says about the path: its two ends are in. */
export const pathOutcome = (overrides: Partial<RunOutcome> = {}): RunOutcome => ({
  algorithm: 'ecl-mis',
  devices: [
    {
      id: 'cpu:0',
      kind: 'cpu',
      name: 'CPU',
      driver: 'TypeScript',
      software: true,
      memoryBytes: null,
      maxBindingBytes: null,
      features: [],
    },
  ],
  options: { priority: 'degree', seed: 1, batches: 1, memoryBytes: null },
  result: { kind: 'independent-set', size: 2, fraction: 2 / 3, hash: '0123456789abcdef' },
  rounds: 1,
  roundCounts: [{ round: 1, undecided: 0 }],
  counters: {},
  series: [],
  time: { prepareMs: 1, computeMs: 2, kernelMs: 2, exchangeMs: 0, readMs: 1, totalMs: 5 },
  bytes: { read: 10, toDevice: 20, fromDevice: 1, exchanged: 0 },
  passes: 1,
  plan: { vertices: 3, arcs: 4, batches: 1, hostBytes: 100, deviceBytes: 100 },
  verification: { verified: true, size: 2, hash: '0123456789abcdef', upperBound: 2, elapsedMs: 1 },
  ...overrides,
})

export const record = (id: string): RunRecord => ({
  record: 1,
  run: id,
  name: null,
  dataset: {
    name: 'path',
    checksum: 'c0ffee',
    vertices: 3,
    arcs: 4,
    maxDegree: 2,
    source: 'path.txt',
    sourceSha256: null,
  },
  request: request(),
  outcome: pathOutcome(),
  hash: '0123456789abcdef',
  versions: { anticlique: '0.1.0', node: '24.0.0', webgpu: '0.6.2' },
  startedAt: '2026-11-21T09:36:01.000Z',
  finishedAt: '2026-11-21T09:36:02.000Z',
})

/** A plan for the path of three vertices, which fits. */
export function pathPlan(): ResourcePlan {
  const bytes = { hostBytes: 100, deviceBytes: 50, scratchBytes: 0, diskBytes: 5000 }
  return {
    vertices: 3,
    arcs: 4,
    exact: true,
    basis: 'the dataset',
    device: 'cpu:0',
    lanes: [{ device: 'cpu:0', shareBytes: 40, holds: 'share', deviceBytes: 50, availableBytes: null }],
    batches: 1,
    steps: [{ name: 'run', ...bytes, passes: 1 }],
    passes: 1,
    needed: { ...bytes, peakDiskBytes: 5000 },
    available: { hostBytes: 2 ** 30, deviceBytes: null, diskBytes: 2 ** 30 },
    refusal: null,
  }
}
