import { Option } from 'commander'
import type { Command } from 'commander'
import { graphFormats, priorities } from '../../../workers/jobs.ts'
import type { AlgorithmName, GraphFormat, Priority } from '../../../workers/jobs.ts'
import { integerArgument, runDevicesArgument, seedArgument, sizeArgument } from '../argument.ts'
import { algorithmArgument } from '../catalogue-options.ts'
import { planText } from '../plan-text.ts'
import type { Shell } from '../shell.ts'

interface PlanOptions {
  readonly algorithm: AlgorithmName
  readonly devices: string
  readonly format?: GraphFormat
  readonly memory?: number
  readonly hostMemory?: number
  readonly batches?: number
  readonly priority: Priority
  readonly seed: number
}

const examples = `
Nothing is written. A file is judged by its header, its size and a sample of its lines. Every figure is an upper bound.

Examples:
  anticlique plan wiki-Vote.txt.gz
  anticlique plan mesh --devices gpu:0 --memory 4GiB --json
  anticlique plan web --algorithm mg-mis --devices gpu:0,gpu:1`

export function registerPlan(program: Command, shell: Shell): void {
  program
    .command('plan')
    .description('Foresee the memory, disk and passes that importing and computing take, and whether they fit here.')
    .argument('<file or dataset>', 'a dataset of the library, or a file with a graph')
    .option('--algorithm <name>', 'what to compute', algorithmArgument, 'ecl-mis')
    .option(
      '--devices <list>',
      'compute on cpu:0, gpu:0, ..., several with commas, or auto, which says why it takes which',
      runDevicesArgument,
      'auto',
    )
    .addOption(new Option('--format <format>', 'take the file for this instead of looking at it').choices(graphFormats))
    .option('--memory <size>', 'use at most this much memory of the device, such as 4GiB', sizeArgument)
    .option('--host-memory <size>', 'import and prepare within this much memory (default: a quarter)', sizeArgument)
    .option('--batches <n>', 'cut the graph into this many batches', integerArgument(1))
    .addOption(new Option('--priority <order>', 'the order of the view').choices(priorities).default('degree'))
    .option('--seed <n>', 'the seed of the order', seedArgument, 0)
    .addHelpText('after', examples)
    .action((target: string, { devices, memory, hostMemory, ...options }: PlanOptions) =>
      shell.open(async ({ service }) => {
        const args = { target, ...options, device: devices, memoryBytes: memory, hostBytes: hostMemory }
        const { plan, ...of } = await service.call('plan', args, shell.job)
        const { refusal, ...figures } = plan
        shell.answer({ ...of, plan: { ...figures, fits: refusal === null, refusal } }, planText(target, plan))
      }),
    )
}
