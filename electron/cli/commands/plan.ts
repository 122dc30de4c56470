import { Option, type Command } from 'commander'
import {
  graphFormats,
  type FormatName,
  type PlanLane,
  type RankPlan,
  type ResourcePlan,
} from '../../../workers/contract/jobs.ts'
import { integerArgument, sizeArgument } from '../argument.ts'
import { inCommands, failureText } from '../failure-text.ts'
import { addRequestOptions, asPlan, decide, sharedOrAlone, type RequestOptions } from '../run-request.ts'
import type { Shell } from '../shell.ts'
import { bytes, count, duration, facts, table } from '../text.ts'

interface PlanOptions extends RequestOptions {
  readonly format?: FormatName
  readonly member?: string
  readonly hostMemory?: number
  readonly ranks?: number
  readonly network?: number
}

const examples = `
It takes the options of a run, and refuses what the run would refuse, in the same words. Nothing is written.
A small file is counted; a larger one is judged by its header, its size and a sample of its lines. Every figure is an upper bound; batches and
the memory of the device are those of the run where its view is prepared.

Examples:
  anticlique plan wiki-Vote.txt.gz
  anticlique plan mesh --devices gpu:0 --memory 4GiB --quality swap:3 --json
  anticlique plan web --algorithm mg-mis --devices gpu:0,gpu:1 --exchange paper --buffer-words 100000`

export function register(program: Command, shell: Shell): void {
  const command = program
    .command('plan')
    .description('Foresee the memory, disk and passes that importing and computing take, and whether they fit here.')
    .argument('<file or dataset>', 'a dataset of the library, or a file with a graph')
    .addOption(new Option('--format <format>', 'take the file for this instead of looking at it').choices(graphFormats))
    .option('--member <name>', 'of an archive: which file in it is the graph, where there are several')
    .option('--host-memory <size>', 'import and prepare within this much memory (default: a quarter)', sizeArgument)
    .option('--ranks <n>', 'of a run across machines: what each of so many ranks takes', integerArgument(1, 1 << 20))
    .option('--network <size>', 'bytes a second between two of them (default: 1.25GB, 10 Gbit/s)', sizeArgument)
  addRequestOptions(command, examples).action((target: string, options: PlanOptions) => {
    const decided = decide(options, shell)
    return shell.open(async (place) => {
      const algorithm = await sharedOrAlone(target, decided, place, shell)
      const { device, values } = decided
      const { format, member, hostMemory: hostBytes, ranks, network: networkBytesPerSecond } = options
      const across = { ranks, networkBytesPerSecond }
      const args = asPlan({ ...values, target, device, algorithm, format, member, hostBytes, ...across })
      const { plan, ...of } = await place.service.call('plan', args, shell.job)
      const { refusal: refused, ...figures } = plan
      const refusal = refused === null ? null : inCommands(refused)
      shell.answer({ ...of, plan: { ...figures, fits: refusal === null, refusal } }, planText(target, plan))
    })
  })
}

const steps = {
  import: 'import',
  tiles: 'cut into tiles',
  run: 'compute',
  improve: 'improve',
  verify: 'verify',
} as const

const holdings = {
  share: 'all of it stays there',
  nothing: 'it is streamed',
} as const

function laneText({ shareBytes, holds, deviceBytes, availableBytes }: PlanLane, whole: string): string {
  const room = availableBytes === null ? '' : ` of ${bytes(availableBytes)}`
  return `${bytes(shareBytes)} of the ${whole}: ${holdings[holds]}; takes ${bytes(deviceBytes)}${room}`
}

/** Each rank of a run across machines. */
function ranksFacts({ ranks, sliceBytes, replicatedBytes, roundBytes, roundMs }: RankPlan): [string, string][] {
  return [
    ['ranks', `${count(ranks)}; each reads ${bytes(sliceBytes)} and holds ${bytes(replicatedBytes)} of all vertices`],
    ['a whole round', `${bytes(roundBytes)} received at most, in ${duration(roundMs)} over the network`],
  ]
}

export function planText(target: string, plan: ResourcePlan): string {
  const { needed, available } = plan
  const about = plan.exact ? '' : 'about '
  const areTiles = plan.steps.some(({ name }) => name === 'tiles') || plan.basis.endsWith('tiles')
  const whole = areTiles ? 'tiles' : 'graph'
  const head = facts([
    ['vertices', about + count(plan.vertices)],
    ['edges', about + count(Math.ceil(plan.arcs / 2))],
    ['known from', plan.basis],
    ['batches', count(plan.batches)],
    ...plan.lanes.map((lane) => [lane.device, laneText(lane, whole)] as [string, string]),
    ...(plan.across === undefined ? [] : ranksFacts(plan.across)),
    ...(plan.deviceAdvice === undefined ? [] : [['devices', plan.deviceAdvice] as [string, string]]),
  ])
  const rows = plan.steps.map((step) => [
    steps[step.name],
    bytes(step.hostBytes),
    step.deviceBytes === 0 ? '' : bytes(step.deviceBytes),
    step.scratchBytes === 0 ? '' : bytes(step.scratchBytes),
    bytes(step.diskBytes),
    count(step.passes),
  ])
  const total = [
    'at most',
    bytes(needed.hostBytes),
    bytes(needed.deviceBytes),
    bytes(needed.scratchBytes),
    bytes(needed.diskBytes),
    count(plan.passes),
  ]
  const free = [
    'available',
    bytes(available.hostBytes),
    available.deviceBytes === null ? 'unknown' : bytes(available.deviceBytes),
    '',
    bytes(available.diskBytes),
    '',
  ]
  const figures = table('step | memory> | on device> | scratch disk> | disk kept> | passes>', [...rows, total, free])
  const verdict = plan.refusal === null ? 'It fits.' : `It does not fit: ${failureText(plan.refusal)}`
  return `${target}\n${head}\n\n${figures}\n\n${verdict}`
}
