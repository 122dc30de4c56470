import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JobContext } from '../../workers/base/job.ts'
import type { RunOutcome } from '../../workers/contract/jobs.ts'
import type { StoredDataset as Dataset } from '../contract/dataset.ts'
import type { Library } from '../library/library.ts'
import type { Spread } from './benchmark.ts'
import { spread } from './benchmark.ts'
import type { JobRunner } from './job-runner.ts'

export interface ExchangeBenchmarkRequest {
  readonly datasets: readonly Dataset[]
  readonly device: string
  readonly workers: readonly number[]
  /** Shares of the vertices. */
  readonly bufferShares: readonly number[]
  readonly repeats: number
}

/** Under the exchange of the MG-MIS paper. */
export interface ExchangeRow {
  readonly dataset: Dataset
  readonly workers: number
  readonly bufferShare: number
  readonly bufferWords: number
  readonly rounds: number
  /** Table 2 of the paper. */
  readonly movedPercent: number
  readonly transfers: number
  /** Words of the largest buffer in each round (Figure 6). */
  readonly need: readonly number[]
  readonly computeMs: Spread
  readonly hash: string
}

/** By `hash`, as in the paper; leaves no runs. */
export async function benchmarkExchange(
  { library, runner }: { library: Library; runner: JobRunner },
  { datasets, device, workers, bufferShares, repeats }: ExchangeBenchmarkRequest,
  job: JobContext,
): Promise<ExchangeRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anticlique-bench-'))
  const rows: ExchangeRow[] = []
  try {
    for (const dataset of datasets)
      for (const partitions of workers)
        for (const bufferShare of bufferShares) {
          const bufferWords = Math.max(2, Math.ceil(bufferShare * dataset.vertices))
          const run = {
            ...{
              folder: library.datasetFolder(dataset),
              checksum: dataset.checksum,
              resultFile: join(folder, 'result'),
            },
            ...({ algorithm: 'mg-mis', exchange: 'paper', device, partitions, bufferWords } as const),
            ...({ priority: 'hash', seed: 0, verify: false } as const),
          }
          const runs: RunOutcome[] = []
          for (let turn = 0; turn < repeats; turn++) runs.push(await runner.run('run', run, job))
          rows.push(rowOf(dataset, partitions, bufferShare, runs))
        }
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function rowOf(dataset: Dataset, workers: number, bufferShare: number, runs: readonly RunOutcome[]): ExchangeRow {
  const [first] = runs
  if (first === undefined) throw new Error('a benchmark needs a run')
  return {
    dataset,
    workers,
    bufferShare,
    bufferWords: Number(first.options['bufferWords']),
    rounds: first.rounds,
    movedPercent: first.counters['movedPercent'] ?? 0,
    transfers: first.counters['transfers'] ?? 0,
    need: first.series.find(({ name }) => name === 'bufferNeed')?.values ?? [],
    computeMs: spread(runs.map(({ time }) => time.computeMs)),
    hash: first.result.hash,
  }
}
