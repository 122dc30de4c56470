import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredDataset as Dataset } from '../contract/dataset.ts'
import type { Library } from '../library/library.ts'
import { type Failure, ON_PROCESSOR, verificationFailure } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import { spread, type Priority, type RunArgs, type RunOutcome, type Spread } from '../../workers/contract/jobs.ts'
import { sizeOf } from '../../workers/contract/result.ts'
import type { AlgorithmName } from '../../workers/contract/catalogue.ts'
import type { JobRunner } from '../pool/pool.ts'

interface Place {
  readonly library: Library
  readonly runner: JobRunner
}
type Measure = (dataset: Dataset, times: number, args: Partial<RunArgs>) => Promise<RunOutcome[]>

/** Leaves no runs. */
async function withRuns<T>({ library, runner }: Place, job: JobContext, work: (measure: Measure) => Promise<T>) {
  const folder = library.scratchFolder('bench')
  const fixed = { seed: 0, verify: false, resultFile: join(folder, 'result') }
  try {
    return await work(async (dataset, times, args) => {
      const runs: RunOutcome[] = []
      const run = { ...args, ...fixed, ...library.place(dataset) } as RunArgs
      for (let turn = 0; turn < times; turn++) runs.push(await runner.run('run', run, job))
      return runs
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs by `hash`, as in the paper. @param bufferShares of the vertices */
export function benchmarkExchange(
  place: Place,
  asked: {
    readonly datasets: readonly Dataset[]
    readonly device: string
    readonly workers: readonly number[]
    readonly bufferShares: readonly number[]
    readonly repeats: number
  },
  job: JobContext,
): Promise<ExchangeRow[]> {
  const { datasets, device, workers, bufferShares, repeats } = asked
  return withRuns(place, job, async (measure) => {
    const rows: ExchangeRow[] = []
    for (const dataset of datasets)
      for (const partitions of workers)
        for (const bufferShare of bufferShares) {
          const bufferWords = Math.max(2, Math.ceil(bufferShare * dataset.vertices))
          const by = {
            algorithm: 'mg-mis',
            exchange: 'paper',
            priority: 'hash',
            device,
            partitions,
            bufferWords,
          } as const
          rows.push(exchangeRow(dataset, partitions, bufferShare, await measure(dataset, repeats, by)))
        }
    return rows
  })
}

/** @param repeats after one run that warms the device. @throws Failure (verification) when two runs differ */
export function benchmark(
  place: Place,
  asked: {
    readonly datasets: readonly Dataset[]
    readonly devices: readonly string[]
    readonly priority: Priority
    readonly algorithm?: AlgorithmName | undefined
    readonly options?: Partial<RunArgs> | undefined
    readonly repeats: number
  },
  job: JobContext,
): Promise<BenchmarkRow[]> {
  const { datasets, devices, priority, algorithm = 'ecl-mis', options, repeats } = asked
  return withRuns(place, job, async (measure) => {
    const rows: BenchmarkRow[] = []
    for (const dataset of datasets) {
      const hashes = new Set<string>()
      for (const device of devices) {
        const runs = await measure(dataset, repeats + 1, {
          ...options,
          algorithm,
          device,
          priority,
        } as Partial<RunArgs>)
        for (const { result } of runs) hashes.add(result.hash)
        if (hashes.size > 1) throw differ(dataset, hashes)
        rows.push(rowOf(dataset, priority, runs))
      }
    }
    return rows
  })
}

export type ExchangeRow = ReturnType<typeof exchangeRow>

/** Under the exchange of the MG-MIS paper. */
function exchangeRow(dataset: Dataset, workers: number, bufferShare: number, runs: readonly RunOutcome[]) {
  const { options, rounds, counters, series, result } = runs[0]!
  return {
    ...{ dataset, workers, bufferShare, bufferWords: Number(options['bufferWords']), rounds },
    /** Table 2 of the paper. */
    movedPercent: counters['movedPercent'] ?? 0,
    transfers: counters['transfers'] ?? 0,
    /** Words of the largest buffer in each round (Figure 6). */
    need: series.find(({ name }) => name === 'bufferNeed')?.values ?? [],
    computeMs: spread(runs.map(({ time }) => time.computeMs)),
    hash: result.hash,
  }
}

export type BenchmarkRow = ReturnType<typeof rowOf>

/** All times in milliseconds. */
function rowOf(dataset: Dataset, priority: Priority, runs: readonly RunOutcome[]) {
  const { devices, rounds, result } = runs[0]!
  const warm = runs.slice(1)
  const spreadOf = (key: 'computeMs' | 'kernelMs' | 'readMs'): Spread => spread(warm.map(({ time }) => time[key]))
  return {
    ...{ dataset, device: devices[0]!, priority, repeats: warm.length },
    prepareMs: spread(runs.map(({ time }) => time.prepareMs).filter((ms) => ms > 0)),
    computeMs: spreadOf('computeMs'),
    kernelMs: spreadOf('kernelMs'),
    readMs: spreadOf('readMs'),
    ...{ rounds, size: sizeOf(result), hash: result.hash, result, counters: runs.at(-1)!.counters },
  }
}

function differ({ name }: Dataset, hashes: ReadonlySet<string>): Failure {
  const what = `runs on the same graph gave different sets: ${[...hashes].join(', ')}`
  const remedy = 'This is a bug or a faulty device; compare with the processor.'
  return verificationFailure(name, what, remedy, [ON_PROCESSOR])
}
