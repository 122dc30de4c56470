import { Option } from 'commander'
import type { Command } from 'commander'
import { edgeTies, edgeWeights } from '../../../workers/contract/jobs.ts'
import type { EdgeTies, EdgeWeights } from '../../../workers/contract/jobs.ts'
import { benchmark } from '../../service/benchmark.ts'
import type { BenchmarkRow } from '../../service/benchmark.ts'
import { deviceListArgument, integerArgument, sizeArgument } from '../argument.ts'
import { count } from '../quantity.ts'
import type { Shell } from '../shell.ts'
import { table } from '../table.ts'
import { spreadText, subjectOf } from './bench-row.ts'

interface MatchingBenchOptions {
  readonly devices: string[]
  readonly weights?: EdgeWeights
  readonly ties: EdgeTies
  readonly method: 'ordered' | 'rescan'
  readonly batches?: number
  readonly partitions?: number
  readonly memory?: number
  readonly repeats: number
}

const examples = `
Times are median (smallest - largest) over the repeats, after one run that warms the device.

Examples:
  anticlique bench ld-gpu mesh --devices gpu:0 --weights random3 --repeats 9
  anticlique bench ld-gpu mesh --devices gpu:0 --method rescan --batches 4`

export function registerMatchingBench(bench: Command, shell: Shell): void {
  bench
    .command('ld-gpu')
    .description('Measure LD-GPU: preparing, computing, and the kernels alone.')
    .argument('<dataset...>', 'datasets of the library')
    .option('--devices <list>', 'devices to compare, such as cpu:0,gpu:0', deviceListArgument, ['cpu:0'])
    .addOption(new Option('--weights <choice>', 'what edges weigh').choices(edgeWeights))
    .addOption(new Option('--ties <choice>', 'which of two equal edges comes first').choices(edgeTies).default('hash'))
    .addOption(new Option('--method <choice>', 'how').choices(['ordered', 'rescan']).default('ordered'))
    .option('--batches <n>', 'cut the graph into this many batches', integerArgument(1))
    .option('--partitions <n>', 'workers on each device', integerArgument(1, 64))
    .option('--memory <size>', 'use at most this much memory of the device', sizeArgument)
    .option('--repeats <n>', 'runs to measure on each device', integerArgument(1, 1000), 9)
    .addHelpText('after', examples)
    .action((names: string[], { devices, repeats, memory, ...options }: MatchingBenchOptions) =>
      shell.open(async (place) => {
        const datasets = names.map((name) => place.library.datasets.get(name))
        const request = { datasets, devices, repeats, priority: 'degree', algorithm: 'ld-gpu' } as const
        const all = { ...options, memoryBytes: memory }
        const rows = await benchmark(place, { ...request, options: all }, shell.job)
        shell.answer({ algorithm: 'ld-gpu', options: all, repeats, rows: rows.map(rowDocument) }, rowTable(rows))
      }),
    )
}

function rowDocument({ dataset, device, priority: _priority, size: _size, hash: _hash, ...row }: BenchmarkRow): object {
  return { ...subjectOf(dataset, device), ...row }
}

function rowTable(rows: readonly BenchmarkRow[]): string {
  return table(
    [
      { title: 'graph', align: 'left' },
      { title: 'edges', align: 'right' },
      { title: 'device', align: 'left' },
      { title: 'prepare', align: 'right' },
      { title: 'compute', align: 'right' },
      { title: 'kernels', align: 'right' },
      { title: 'rounds', align: 'right' },
      { title: 'pairs', align: 'right' },
      { title: 'MMEPS', align: 'right' },
      { title: 'hash', align: 'left' },
    ],
    rows.map(({ dataset, device, prepareMs, computeMs, kernelMs, rounds, size, hash }) => [
      dataset.name,
      count(dataset.arcs / 2),
      `${device.id} ${device.name}`,
      spreadText(prepareMs),
      spreadText(computeMs),
      spreadText(kernelMs),
      count(rounds),
      count(size),
      (size / kernelMs.median / 1000).toFixed(1),
      hash,
    ]),
  )
}
