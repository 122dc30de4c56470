import { Option, type Command } from 'commander'
import { graphFormats, type FormatName } from '../../../workers/contract/jobs.ts'
import { integerArgument, sizeArgument } from '../argument.ts'
import { inCommands } from '../failure-text.ts'
import { planText } from '../plan-text.ts'
import { addRequestOptions, asPlan, decide, sharedOrAlone, type RequestOptions } from '../run-request.ts'
import type { Shell } from '../shell.ts'

interface PlanOptions extends RequestOptions {
  readonly format?: FormatName
  readonly hostMemory?: number
  readonly ranks?: number
  readonly network?: number
}

const examples = `
It takes the options of a run, and refuses what the run would refuse, in the same words. Nothing is written.
A file is judged by its header, its size and a sample of its lines. Every figure is an upper bound; batches and
the memory of the device are those of the run where its view is prepared.

Examples:
  anticlique plan wiki-Vote.txt.gz
  anticlique plan mesh --devices gpu:0 --memory 4GiB --quality swap:3 --json
  anticlique plan web --algorithm mg-mis --devices gpu:0,gpu:1 --exchange paper --buffer-words 100000`

export function registerPlan(program: Command, shell: Shell): void {
  const command = program
    .command('plan')
    .description('Foresee the memory, disk and passes that importing and computing take, and whether they fit here.')
    .argument('<file or dataset>', 'a dataset of the library, or a file with a graph')
    .addOption(new Option('--format <format>', 'take the file for this instead of looking at it').choices(graphFormats))
    .option('--host-memory <size>', 'import and prepare within this much memory (default: a quarter)', sizeArgument)
    .option('--ranks <n>', 'of a run across machines: what each of so many ranks takes', integerArgument(1, 1 << 20))
    .option('--network <size>', 'bytes a second between two of them (default: 1.25GB, 10 Gbit/s)', sizeArgument)
    .addHelpText('after', examples)
  addRequestOptions(command).action((target: string, options: PlanOptions) => {
    const decided = decide(options, shell)
    return shell.open(async (place) => {
      const algorithm = await sharedOrAlone(target, decided, place, shell)
      const { device, values } = decided
      const { format, hostMemory: hostBytes, ranks, network: networkBytesPerSecond } = options
      const across = { ranks, networkBytesPerSecond }
      const args = asPlan({ ...values, target, device, algorithm, format, hostBytes, ...across })
      const { plan, ...of } = await place.service.call('plan', args, shell.job)
      const { refusal: refused, ...figures } = plan
      const refusal = refused === null ? null : inCommands(refused)
      shell.answer({ ...of, plan: { ...figures, fits: refusal === null, refusal } }, planText(target, plan))
    })
  })
}
