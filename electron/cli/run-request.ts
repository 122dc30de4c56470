import { resolve } from 'node:path'
import { Option } from 'commander'
import type { Command } from 'commander'
import { algorithmEntries, algorithmEntry } from '../../workers/contract/catalogue.ts'
import { Failure } from '../../workers/base/failure.ts'
import { priorities } from '../../workers/contract/jobs.ts'
import type { Heuristic, Priority } from '../../workers/contract/jobs.ts'
import type { AlgorithmName } from '../../workers/contract/catalogue.ts'
import { MAX_PARTITIONS } from '../contract/run.ts'
import { integerArgument, runDevicesArgument, seedArgument, sizeArgument } from './argument.ts'
import { addCatalogueOptions, algorithmArgument, catalogueValues, priorityArgument } from './catalogue-options.ts'
import { chooseAlgorithm } from './choose-algorithm.ts'
import type { Shell, Workplace } from './shell.ts'

/** What may be asked of a run, beside the options of the catalogue; of its plan the same. */
export interface RequestOptions {
  readonly algorithm: AlgorithmName | 'auto'
  readonly devices: string
  readonly memory?: number
  readonly batches?: number
  readonly priority?: Priority | Heuristic
  readonly seed: number
  readonly verify?: boolean
  readonly column?: string
  readonly keep?: string
  readonly exclude?: string
  readonly partitions?: number
}

/** Options with an algorithm and an order in place of what was left open. */
export interface Decided {
  readonly options: RequestOptions
  readonly algorithm: AlgorithmName
  /** Whether a graph that no GPU of several can hold goes to all of them, with mg-mis. */
  readonly mayShare: boolean
  readonly priority: Priority | Heuristic
}

export function addRequestOptions(command: Command): Command {
  command
    .option(
      '--algorithm <name>',
      `${algorithmEntries.map(({ name }) => name).join(', ')}, or auto, which picks one that makes sets`,
      algorithmArgument,
      'ecl-mis',
    )
    .option(
      '--devices <list>',
      'compute on cpu:0, gpu:0, ..., several with commas, or auto: one GPU, or all where one cannot hold the graph',
      runDevicesArgument,
      'auto',
    )
    .option(
      '--partitions <n>',
      'workers that share the graph; they take the devices in turn (default: one for each device)',
      integerArgument(1, MAX_PARTITIONS),
    )
    .option('--memory <size>', 'use at most this much memory of the device, such as 512MiB or 4GiB', sizeArgument)
    .option('--batches <n>', 'cut the graph into this many batches (default: as few as fit)', integerArgument(1))
    .addOption(
      new Option(
        '--priority <order>',
        `who goes first: ${priorities.join(', ')} (default: degree; with --column column)`,
      ).argParser(priorityArgument),
    )
    .option(
      '--seed <n>',
      'another seed gives another set; 0 is the hash of the ECL-MIS program as it is',
      seedArgument,
      0,
    )
    .option('--verify', 'check the set afterwards, by other code, and give an upper bound')
    .option('--column <file>', 'take priorities from this file: lines "id,value", the highest value first')
    .option('--keep <file>', 'vertices, one id a line, that must be in the set')
    .option('--exclude <file>', 'vertices, one id a line, that must not be in the set')
  return addCatalogueOptions(command)
}

/** @throws Failure (usage) for options that do not go together; before anything is read */
export function decide(options: RequestOptions, shell: Shell): Decided {
  const { algorithm, mayShare } = chosenAlgorithm(options, shell)
  const said = saidPriority(options)
  requireKnown(said, algorithm)
  catalogueValues(algorithmEntry(algorithm)!, { ...options })
  const standard = algorithmEntry(algorithm)?.options.find(({ name }) => name === 'priority')?.default
  return { options, algorithm, mayShare, priority: said ?? ((standard ?? 'degree') as Priority | Heuristic) }
}

/** The fields of a run, and of its plan, by this algorithm. */
export function requestFields({ options, priority }: Decided, algorithm: AlgorithmName) {
  const path = (file: string | undefined): string | undefined => (file === undefined ? undefined : resolve(file))
  return {
    ...catalogueValues(algorithmEntry(algorithm)!, { ...options }),
    algorithm,
    device: options.devices,
    partitions: options.partitions,
    priority,
    seed: options.seed,
    batches: options.batches,
    memoryBytes: options.memory,
    columnFile: path(options.column),
    keepFile: path(options.keep),
    excludeFile: path(options.exclude),
    verify: options.verify === true,
  }
}

/**
 * The algorithm that computes. Left to the program, it is mg-mis where the plan gives the graph to several GPUs, with a remark that says
 * why; else ecl-mis. The set is the same.
 */
export async function sharedOrAlone(
  target: string,
  { options, algorithm, mayShare, priority }: Decided,
  { service }: Workplace,
  shell: Shell,
): Promise<AlgorithmName> {
  if (!mayShare) return algorithm
  const { seed, batches, memory: memoryBytes, devices: device } = options
  const asked = { target, algorithm: 'mg-mis', device, priority, seed, batches, memoryBytes } as const
  const { plan } = await service.call('plan', asked, shell.job)
  if (plan.lanes.length === 1) return 'ecl-mis'
  shell.remark(`Algorithm: mg-mis instead, as auto ${plan.deviceAdvice ?? 'takes several devices'}.`)
  return 'mg-mis'
}

/** An algorithm in place of `auto`, with a remark that says why. */
function chosenAlgorithm(options: RequestOptions, shell: Shell): Pick<Decided, 'algorithm' | 'mayShare'> {
  const { algorithm } = options
  if (algorithm !== 'auto') return { algorithm, mayShare: false }
  const chosen = chooseAlgorithm(options)
  shell.remark(`Algorithm: ${chosen.why}`)
  return { algorithm: chosen.algorithm, mayShare: options.devices === 'auto' && chosen.algorithm === 'ecl-mis' }
}

function saidPriority({ priority, column }: RequestOptions): Priority | Heuristic | undefined {
  if (column !== undefined && priority !== undefined && priority !== 'column')
    throw new Failure({
      code: 'usage',
      where: '--column',
      what: `a column has no meaning with --priority ${priority}`,
      remedy: 'Leave one of them out.',
    })
  if (column === undefined && priority === 'column')
    throw new Failure({
      code: 'usage',
      where: '--priority column',
      what: 'the file with the priorities is missing',
      remedy: 'Give it with --column FILE, lines "id,value".',
    })
  return priority ?? (column === undefined ? undefined : 'column')
}

/** @throws Failure (usage) for an order that the algorithm does not have */
function requireKnown(priority: string | undefined, algorithm: AlgorithmName): void {
  const choices = algorithmEntry(algorithm)?.options.find(({ name }) => name === 'priority')?.choices ?? []
  if (priority === undefined || choices.some(({ value }) => value === priority)) return
  const owner = /^h[123]$/.test(priority) ? 'this order belongs to tc-mis' : `${algorithm} has no such order`
  throw new Failure({
    code: 'usage',
    where: `--priority ${priority}`,
    what: owner,
    remedy: choices.length === 0 ? 'Leave it out.' : `Use one of ${choices.map(({ value }) => value).join(', ')}.`,
  })
}
