import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredDataset as Dataset } from '../contract/dataset.ts'
import type { Library } from '../library/library.ts'
import { Failure, ON_PROCESSOR } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import { sizeOf } from '../../workers/contract/jobs.ts'
import type { Priority, RunArgs, RunOutcome } from '../../workers/contract/jobs.ts'
import type { AlgorithmName } from '../../workers/contract/catalogue.ts'
import type { JobRunner } from './job-runner.ts'

type BenchmarkOption = 'weights' | 'ties' | 'method' | 'batches' | 'partitions' | 'memoryBytes'

export interface BenchmarkRequest {
  readonly datasets: readonly Dataset[]
  readonly devices: readonly string[]
  readonly priority: Priority
  /** Absent: ecl-mis. */
  readonly algorithm?: AlgorithmName | undefined
  readonly options?: Partial<Pick<RunArgs, BenchmarkOption>> | undefined
  /** After one that warms the device. */
  readonly repeats: number
}

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** All times in milliseconds. */
export interface BenchmarkRow {
  readonly dataset: Dataset
  readonly device: RunOutcome['devices'][number]
  readonly priority: Priority
  readonly repeats: number
  readonly prepareMs: Spread
  readonly computeMs: Spread
  readonly kernelMs: Spread
  readonly readMs: Spread
  readonly rounds: number
  readonly size: number
  readonly hash: string
  readonly result: RunOutcome['result']
  readonly counters: RunOutcome['counters']
}

/** Leaves no runs. @throws Failure (verification) when two runs differ */
export async function benchmark(
  { library, runner }: { library: Library; runner: JobRunner },
  request: BenchmarkRequest,
  job: JobContext,
): Promise<BenchmarkRow[]> {
  const { datasets, devices, priority, repeats } = request
  const folder = mkdtempSync(join(tmpdir(), 'anticlique-bench-'))
  const rows: BenchmarkRow[] = []
  try {
    for (const dataset of datasets) {
      const hashes = new Set<string>()
      for (const device of devices) {
        const runs: RunOutcome[] = []
        for (let turn = 0; turn <= repeats; turn++)
          runs.push(await measured(library.datasetFolder(dataset), dataset, device, request, folder, runner, job))
        for (const { result } of runs) hashes.add(result.hash)
        if (hashes.size > 1) throw differ(dataset, hashes)
        rows.push(rowOf(dataset, priority, runs))
      }
    }
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function measured(
  folder: string,
  { checksum }: Dataset,
  device: string,
  { priority, algorithm = 'ecl-mis', options }: BenchmarkRequest,
  temporary: string,
  runner: JobRunner,
  job: JobContext,
): Promise<RunOutcome> {
  const resultFile = join(temporary, 'result')
  const args = { ...options, folder, checksum, algorithm, device, priority, seed: 0, verify: false, resultFile }
  return runner.run('run', args, job)
}

function rowOf(dataset: Dataset, priority: Priority, runs: RunOutcome[]): BenchmarkRow {
  const [first, ...rest] = runs
  const device = first?.devices[0]
  if (first === undefined || device === undefined) throw new Error('a benchmark needs a run on a device')
  const spreadOf = (key: 'prepareMs' | 'computeMs' | 'kernelMs' | 'readMs'): Spread =>
    spread(rest.map(({ time }) => time[key]))
  return {
    dataset,
    device,
    priority,
    repeats: rest.length,
    prepareMs: spread([first, ...rest].map(({ time }) => time.prepareMs).filter((ms) => ms > 0)),
    computeMs: spreadOf('computeMs'),
    kernelMs: spreadOf('kernelMs'),
    readMs: spreadOf('readMs'),
    rounds: first.rounds,
    size: sizeOf(first.result),
    hash: first.result.hash,
    result: first.result,
    counters: runs.at(-1)?.counters ?? {},
  }
}

/** All 0 for none. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  const lower = sorted.length % 2 === 1 ? upper : (sorted[middle - 1] ?? 0)
  return { median: (lower + upper) / 2, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 }
}

function differ({ name }: Dataset, hashes: ReadonlySet<string>): Failure {
  return new Failure({
    code: 'verification',
    where: name,
    what: `runs on the same graph gave different sets: ${[...hashes].join(', ')}`,
    remedy: 'This is a bug or a faulty device; compare with the processor.',
    fixes: [ON_PROCESSOR],
  })
}
