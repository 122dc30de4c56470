import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Option } from 'commander'
import type { Command } from 'commander'
import { priorities } from '../../../workers/contract/jobs.ts'
import type { Priority } from '../../../workers/contract/jobs.ts'
import type { StoredDataset as Dataset } from '../../contract/dataset.ts'
import { benchmark } from '../../service/benchmark.ts'
import type { BenchmarkRow } from '../../service/benchmark.ts'
import { deviceListArgument, integerArgument } from '../argument.ts'
import { count } from '../quantity.ts'
import type { Shell, Workplace } from '../shell.ts'
import { registerMatchingBench } from './bench-matching.ts'
import { registerPaperBench } from './bench-mg-mis-paper.ts'
import { table } from '../table.ts'
import { spreadText, subjectOf } from './bench-row.ts'

interface BenchOptions {
  readonly devices: string[]
  readonly priority: Priority
  readonly repeats: number
  readonly scale: number
  readonly edgeFactor: number
  readonly keep?: boolean
}

const examples = `
Without datasets an R-MAT graph is generated into a temporary library, which is removed afterwards.
Times are median (smallest - largest) over the repeats, after one run that warms the device.

Examples:
  anticlique bench ecl-mis
  anticlique bench ecl-mis mesh wiki-Vote --devices cpu:0,gpu:0 --repeats 9`

export function registerBench(program: Command, shell: Shell): void {
  const bench = program.command('bench').description('Measure how long the computation takes.')
  registerMatchingBench(bench, shell)
  registerPaperBench(bench, shell)
  bench
    .command('ecl-mis', { isDefault: true })
    .description('Measure ECL-MIS: preparing, computing, and the kernels alone.')
    .argument('[dataset...]', 'datasets of the library (default: a generated graph)')
    .option('--devices <list>', 'devices to compare, such as cpu:0,gpu:0', deviceListArgument, ['cpu:0'])
    .addOption(
      new Option('--priority <order>', 'the order by which vertices join')
        .choices(priorities.slice(0, 3))
        .default('ecl'),
    )
    .option('--repeats <n>', 'runs to measure on each device', integerArgument(1, 1000), 5)
    .option('--scale <n>', 'vertices of the generated graph: 2^n', integerArgument(1, 31), 20)
    .option('--edge-factor <n>', 'edges drawn for each of its vertices', integerArgument(1), 16)
    .option('--keep', 'keep the temporary library')
    .addHelpText('after', examples)
    .action((names: string[], options: BenchOptions) =>
      names.length > 0
        ? shell.open(async (place) => {
            await measure(
              names.map((name) => place.library.datasets.get(name)),
              options,
              place,
              shell,
            )
          })
        : onGenerated(options, shell),
    )
}

async function onGenerated(options: BenchOptions, shell: Shell): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'anticlique-bench-library-'))
  try {
    await shell.open(async (place) => {
      const { scale, edgeFactor } = options
      const model = { model: 'rmat', scale, edgeFactor, seed: 1 } as const
      const { dataset } = await place.service.call('datasets.generate', model, shell.job)
      await measure([dataset], options, place, shell)
    }, folder)
  } finally {
    if (options.keep === true) shell.note(`The library is kept in ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(
  datasets: readonly Dataset[],
  { devices, priority, repeats }: BenchOptions,
  place: Workplace,
  shell: Shell,
): Promise<void> {
  const rows = await benchmark(place, { datasets, devices, priority, repeats }, shell.job)
  shell.answer({ algorithm: 'ecl-mis', repeats, rows: rows.map(rowDocument) }, rowTable(rows))
}

function rowDocument({ dataset, device, ...row }: BenchmarkRow): object {
  return { ...subjectOf(dataset, device), ...row }
}

function rowTable(rows: readonly BenchmarkRow[]): string {
  return table(
    [
      { title: 'graph', align: 'left' },
      { title: 'edges', align: 'right' },
      { title: 'device', align: 'left' },
      { title: 'driver', align: 'left' },
      { title: 'priority', align: 'left' },
      { title: 'prepare', align: 'right' },
      { title: 'compute', align: 'right' },
      { title: 'kernels', align: 'right' },
      { title: 'set', align: 'right' },
      { title: 'hash', align: 'left' },
    ],
    rows.map((row) => [
      row.dataset.name,
      count(row.dataset.arcs / 2),
      `${row.device.id} ${row.device.name}`,
      row.device.driver,
      row.priority,
      spreadText(row.prepareMs),
      spreadText(row.computeMs),
      spreadText(row.kernelMs),
      count(row.size),
      row.hash,
    ]),
  )
}
