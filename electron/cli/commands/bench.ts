/**
 * The command bench: repeats sets or matchings on several datasets and devices, compares their hashes, and tells medians as a table or as JSON.
 * It measures what a person has at hand; the tables of docs/results.md are made by bench/, which compares with other programs. A hash that
 * differs between repeats or devices ends it with exit code 3.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Option, type Command } from 'commander'
import { edgeTies, edgeWeights, priorities, type Priority, type Spread } from '../../../workers/contract/jobs.ts'
import type { StoredDataset as Dataset } from '../../contract/dataset.ts'
import { benchmark, type BenchmarkRow } from '../../service/benchmark.ts'
import { atPath } from '../../../workers/base/failure.ts'
import { deviceListArgument, integerArgument, sizeArgument } from '../argument.ts'
import { count, duration, table } from '../text.ts'
import type { Shell, Workplace } from '../shell.ts'
import { registerPaperBench } from './bench-mg-mis-paper.ts'

interface SetBenchOptions {
  readonly devices: string[]
  readonly priority: Priority
  readonly repeats: number
  readonly scale: number
  readonly edgeFactor: number
  readonly keep?: boolean
}

/** And those of LD-GPU. */
interface MatchingBenchOptions {
  readonly devices: string[]
  readonly memory?: number
  readonly repeats: number
}

const times = 'Times are median (smallest - largest) over the repeats, after one run that warms the device.'

const setExamples = `
Without datasets an R-MAT graph is generated into a temporary library, which is removed afterwards.
${times}

Examples:
  anticlique bench ecl-mis
  anticlique bench ecl-mis mesh wiki-Vote --devices cpu:0,gpu:0 --repeats 9`

const matchingExamples = `
${times}

Examples:
  anticlique bench ld-gpu mesh --devices gpu:0 --weights random3 --repeats 9
  anticlique bench ld-gpu mesh --devices gpu:0 --method rescan --batches 4`

const devicesOption = (): Option =>
  new Option('--devices <list>', 'devices to compare, such as cpu:0,gpu:0')
    .argParser(deviceListArgument)
    .default(['cpu:0'], 'cpu:0')

export function register(program: Command, shell: Shell): void {
  const bench = program.command('bench').description('Measure how long the computation takes.')
  registerMatchingBench(bench, shell)
  registerPaperBench(bench, shell)
  bench
    .command('ecl-mis', { isDefault: true })
    .description('Measure ECL-MIS: preparing, computing, and the kernels alone.')
    .argument('[dataset...]', 'datasets of the library (default: a generated graph)')
    .addOption(devicesOption())
    .addOption(
      new Option('--priority <order>', 'the order by which vertices join')
        .choices(priorities.slice(0, 3))
        .default('ecl'),
    )
    .option('--repeats <n>', 'runs to measure on each device', integerArgument(1, 1000), 5)
    .option('--scale <n>', 'vertices of the generated graph: 2^n', integerArgument(1, 31), 20)
    .option('--edge-factor <n>', 'edges drawn for each of its vertices', integerArgument(1), 16)
    .option('--keep', 'keep the temporary library')
    .addHelpText('after', setExamples)
    .action((names: string[], options: SetBenchOptions) =>
      names.length > 0
        ? shell.open((place) => measureSets(named(names, place), options, place, shell))
        : onGenerated(options, shell),
    )
}

function registerMatchingBench(bench: Command, shell: Shell): void {
  bench
    .command('ld-gpu')
    .description('Measure LD-GPU: preparing, computing, and the kernels alone.')
    .argument('<dataset...>', 'datasets of the library')
    .addOption(devicesOption())
    .addOption(new Option('--weights <choice>', 'what edges weigh').choices(edgeWeights))
    .addOption(new Option('--ties <choice>', 'which of two equal edges comes first').choices(edgeTies).default('hash'))
    .addOption(new Option('--method <choice>', 'how').choices(['ordered', 'rescan']).default('ordered'))
    .option('--batches <n>', 'cut the graph into this many batches', integerArgument(1))
    .option('--partitions <n>', 'workers on each device', integerArgument(1, 64))
    .option('--memory <size>', 'use at most this much memory of the device', sizeArgument)
    .option('--repeats <n>', 'runs to measure on each device', integerArgument(1, 1000), 9)
    .addHelpText('after', matchingExamples)
    .action((names: string[], { devices, repeats, memory, ...more }: MatchingBenchOptions) =>
      shell.open(async (place) => {
        const options = { ...more, memoryBytes: memory }
        const request = { datasets: named(names, place), devices, repeats, priority: 'degree', options } as const
        const rows = await benchmark(place, { ...request, algorithm: 'ld-gpu' }, shell.job)
        const documents = rows.map(({ priority: _p, size: _s, hash: _h, ...row }) => rowDocument(row))
        shell.answer({ algorithm: 'ld-gpu', options, repeats, rows: documents }, matchingTable(rows))
      }),
    )
}

const named = (names: readonly string[], { library }: Workplace): Dataset[] =>
  names.map((name) => library.datasets.get(name))

async function onGenerated(options: SetBenchOptions, shell: Shell): Promise<void> {
  const folder = atPath(tmpdir(), () => mkdtempSync(join(tmpdir(), 'anticlique-bench-library-')))
  try {
    await shell.open(async (place) => {
      const { scale, edgeFactor } = options
      const model = { model: 'rmat', scale, edgeFactor, seed: 1 } as const
      const { dataset } = await place.service.call('datasets.generate', model, shell.job)
      await measureSets([dataset], options, place, shell)
    }, folder)
  } finally {
    if (options.keep === true) shell.note(`The library is kept in ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

async function measureSets(
  datasets: readonly Dataset[],
  { devices, priority, repeats }: SetBenchOptions,
  place: Workplace,
  shell: Shell,
): Promise<void> {
  const rows = await benchmark(place, { datasets, devices, priority, repeats }, shell.job)
  shell.answer({ algorithm: 'ecl-mis', repeats, rows: rows.map(rowDocument) }, setTable(rows))
}

function rowDocument({ dataset, device, ...row }: Pick<BenchmarkRow, 'dataset' | 'device'>): object {
  const { name, vertices, arcs, maxDegree } = dataset
  const graph = { name, vertices, edges: arcs / 2, maxDegree }
  return { graph, device: device.id, deviceName: device.name, driver: device.driver, ...row }
}

const spreadText = ({ median, min, max }: Spread): string => `${duration(median)} (${duration(min)} - ${duration(max)})`
const subject = ({ dataset: { name, arcs }, device }: BenchmarkRow): string[] => [
  name,
  count(arcs / 2),
  `${device.id} ${device.name}`,
]
const measured = ({ prepareMs, computeMs, kernelMs }: BenchmarkRow): string[] =>
  [prepareMs, computeMs, kernelMs].map(spreadText)

const setTable = (rows: readonly BenchmarkRow[]): string =>
  table(
    'graph | edges> | device | driver | priority | prepare> | compute> | kernels> | set> | hash',
    rows.map((row) => [...subject(row), row.device.driver, row.priority, ...measured(row), count(row.size), row.hash]),
  )

const matchingTable = (rows: readonly BenchmarkRow[]): string =>
  table(
    'graph | edges> | device | prepare> | compute> | kernels> | rounds> | pairs> | MMEPS> | hash',
    rows.map((row) => {
      const { rounds, size, hash, kernelMs } = row
      const rate = (size / kernelMs.median / 1000).toFixed(1)
      return [...subject(row), ...measured(row), count(rounds), count(size), rate, hash]
    }),
  )
