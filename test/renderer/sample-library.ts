import type { Dataset } from '../../electron/contract/dataset.ts'
import { defaultSettings } from '../../electron/contract/settings.ts'
import type { Work } from '../../electron/contract/work.ts'
import type { Run, RunRecord, RunState } from '../../electron/contract/run.ts'

const report = {
  source: 'sample cities',
  format: 'sample',
  compression: 'none',
  sourceBytes: 0,
  sourceSha256: null,
  lines: 0,
  entries: 0,
  loopsRemoved: 0,
  duplicatesMerged: 0,
  reverseArcsAdded: 0,
  vertices: 135_233,
  arcs: 2_400_000,
  isolatedVertices: 0,
  labels: { kind: 'dense', smallest: null, largest: null },
  weights: null,
  warnings: [],
  elapsedMs: 1,
} as const

export function dataset(id: number, name: string): Dataset {
  return {
    id,
    name,
    folder: String(id),
    vertices: 135_233,
    arcs: 2_400_000,
    maxDegree: 214,
    meanDegree: 17.3,
    weighted: true,
    bytes: 11_300_000,
    checksum: 'c0ffee',
    source: 'sample cities',
    report,
    createdAt: '2026-11-20T10:00:00.000Z',
    tags: [],
    lastRun: null,
    diskBytes: 11_300_000,
    coordinates: false,
    linked: null,
    packedBytes: null,
  }
}

const device = {
  id: 'cpu:0',
  kind: 'cpu',
  name: 'two cores',
  driver: 'typed arrays',
  software: false,
  memoryBytes: null,
  maxBindingBytes: null,
  features: [],
} as const

export const devices = { devices: [device], noGpu: 'no Vulkan driver was found' }

export function run(id: string, state: RunState, datasetName = 'cities'): Run {
  const request = {
    dataset: datasetName,
    algorithm: 'ecl-mis',
    device: 'auto',
    priority: 'degree',
    seed: 0,
    verify: true,
  } as const
  const startedAt = '2026-11-21T09:00:00.000Z'
  return {
    id,
    datasetId: 1,
    dataset: datasetName,
    name: null,
    note: '',
    starred: false,
    state,
    algorithm: 'ecl-mis',
    request,
    queue: { priority: 5, retries: 0, attempts: 1, devices: ['cpu:0'] },
    record: state === 'done' ? record(id, request) : null,
    failure: state === 'failed' ? { code: 'device', what: 'the device was lost', remedy: 'Start it again.' } : null,
    size: state === 'done' ? 52_900 : null,
    hash: state === 'done' ? '00000000000000ff' : null,
    createdAt: startedAt,
    startedAt,
    finishedAt: null,
  }
}

function record(id: string, request: Run['request']): RunRecord {
  return {
    record: 1,
    run: id,
    name: null,
    dataset: {
      name: request.dataset,
      checksum: 'c0ffee',
      vertices: 135_233,
      arcs: 2_400_000,
      maxDegree: 214,
      source: 'sample cities',
      sourceSha256: null,
    },
    request,
    outcome: {
      algorithm: 'ecl-mis',
      devices: [device],
      options: { priority: 'degree', seed: 0, batches: 1, memoryBytes: null },
      result: { kind: 'independent-set', size: 52_900, fraction: 52_900 / 135_233, hash: '00000000000000ff' },
      rounds: 5,
      roundCounts: [],
      counters: {},
      series: [],
      time: { prepareMs: 1, computeMs: 2, kernelMs: 2, exchangeMs: 0, readMs: 1, totalMs: 230 },
      bytes: { read: 1, toDevice: 1, fromDevice: 1, exchanged: 0 },
      passes: 1,
      plan: { vertices: 135_233, arcs: 2_400_000, batches: 1, hostBytes: 1, deviceBytes: 1 },
      verification: { verified: true, size: 52_900, hash: '00000000000000ff', upperBound: 56_120, elapsedMs: 12 },
    },
    hash: '00000000000000ff',
    versions: { anticlique: '0.1.0', node: '24', webgpu: '0.6' },
    startedAt: '2026-11-21T09:00:00.000Z',
    finishedAt: '2026-11-21T09:00:01.000Z',
  }
}

/** An import of roads.mtx. */
export function work(id: string, state: Work['state'], progress: Work['progress']): Work {
  const failed = { code: 'input', where: 'roads.mtx:7', what: 'this is no number', remedy: 'Mend the line.' } as const
  return {
    id,
    kind: 'import',
    subject: 'roads',
    name: 'roads.mtx',
    startedAt: '2026-11-21T09:00:00.000Z',
    finishedAt: state === 'running' ? null : '2026-11-21T09:00:05.000Z',
    progress,
    state,
    failure: state === 'failed' ? failed : null,
    result: null,
  }
}

export interface SampleLibrary {
  readonly datasets?: readonly Dataset[]
  readonly runs?: readonly Run[]
}

/** What the program would answer to the calls that every page makes. */
export function answers({ datasets = [], runs = [] }: SampleLibrary): Readonly<Record<string, unknown>> {
  return {
    'datasets.list': { datasets },
    'datasets.removed': { removed: [] },
    'runs.checkpoint': { writtenAt: null },
    'runs.list': { runs },
    'work.list': { work: [] },
    'settings.get': { settings: defaultSettings },
    'library.status': {
      folder: '/home/ada/Anticlique',
      version: 4,
      freeBytes: 84_000_000_000,
      usedBytes: 11_300_000,
      runBytes: 2_000_000,
      datasets: datasets.length,
      runs: runs.length,
      software: { anticlique: '0.1.0', node: '24', webgpu: '0.6', platform: 'linux x64' },
      host: 'browser',
    },
    algorithms: { algorithms: [] },
    devices,
    'devices.memory': { devices: [] },
    'explore.vertices': { total: 0, truncated: false, columns: [], edgeColumns: [], rows: [] },
  }
}
