import { resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { Option } from 'commander'
import type { Command } from 'commander'
import { Failure } from '../../../workers/failure.ts'
import type { Run, RunRequest } from '../../contract/run.ts'
import { MAX_PARTITIONS, MAX_QUEUE_PRIORITY, MAX_RETRIES, runRequestSchema } from '../../contract/run.ts'
import { priorities } from '../../../workers/jobs.ts'
import type { AlgorithmName, Heuristic, Priority } from '../../../workers/jobs.ts'
import { algorithmEntries, algorithmEntry } from '../../../workers/catalogue.ts'
import { integerArgument, runDevicesArgument, seedArgument, sizeArgument } from '../argument.ts'
import { runDocument } from '../documents.ts'
import { chooseAlgorithm } from '../choose-algorithm.ts'
import { formatOfFile } from '../export-format.ts'
import { addCatalogueOptions, algorithmArgument, catalogueValues, priorityArgument } from '../catalogue-options.ts'
import { runText } from '../run-text.ts'
import type { Shell, Workplace } from '../shell.ts'

interface RunOptions {
  readonly algorithm: AlgorithmName | 'auto'
  readonly devices: string
  readonly memory?: number
  readonly batches?: number
  readonly priority?: Priority | Heuristic
  readonly seed: number
  readonly verify?: boolean
  readonly name?: string
  readonly output?: string
  readonly column?: string
  readonly keep?: string
  readonly exclude?: string
  readonly partitions?: number
  readonly resume?: string
  readonly checkpoint?: number
  readonly trace?: string
  readonly retries?: number
  readonly queuePriority?: number
}

const examples = `
Priorities: degree (few neighbours first), hash (by id alone), ecl (the order of the ECL-MIS program), column (your own).
The set depends on the graph, the priority and the seed, and on nothing else.

Examples:
  anticlique run cities-10km --verify
  anticlique run wiki-Vote.txt.gz --devices gpu:0 --priority ecl --output set.txt
  anticlique run mesh --column cost.csv --exclude closed.txt --verify
  anticlique run roads --algorithm ld-gpu --verify --output pairs.csv`

export function registerRun(program: Command, shell: Shell): void {
  const command = program
    .command('run')
    .description('Compute a maximal independent set or a matching of a dataset, or of a file, which is imported first.')
    .argument('[dataset or file]', 'a dataset of the library, or a file with a graph')
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
    .option('--name <name>', 'give the run a name')
    .option(
      '--output <file>',
      'write the set to this file: .csv, .bits or .npy, else one id a line; of a matching the pairs',
    )
    .option('--column <file>', 'take priorities from this file: lines "id,value", the highest value first')
    .option('--keep <file>', 'vertices, one id a line, that must be in the set')
    .option('--exclude <file>', 'vertices, one id a line, that must not be in the set')
    .option('--resume <run>', 'go on with a run that was interrupted, from its last checkpoint, as it was asked for')
    .option(
      '--checkpoint <seconds>',
      'keep the states every so often while it runs (default: 30)',
      integerArgument(0, 86_400),
    )
    .option(
      '--retries <n>',
      'when its engine ends or its device is lost, go on by itself this often (default: 0)',
      integerArgument(0, MAX_RETRIES),
    )
    .option(
      '--queue-priority <n>',
      'where runs wait for one device: 9 goes first, 0 last (default: 5)',
      integerArgument(0, MAX_QUEUE_PRIORITY),
    )
    .option('--trace <file>', 'write what each device did when, as trace events for Perfetto (ui.perfetto.dev)')
    .addHelpText('after', examples)
  addCatalogueOptions(command).action((target: string | undefined, given: RunOptions) => {
    const options = withAlgorithm(given, shell)
    const priority = priorityOf(options)
    requireOne(target, options)
    requireKnown(priority, options)
    catalogueValues(algorithmEntry(options.algorithm)!, { ...options })
    return shell.open(async (place) => {
      const run = await runToEnd(await queued(target, priority, options, place, shell), place, shell)
      const files = options.output === undefined ? [] : await exported(run, options.output, place, shell)
      shell.answer(runDocument(run, files), runText(run, files))
      if (run.failure !== null) throw new Failure(run.failure)
    })
  })
}

type Decided = RunOptions & {
  readonly algorithm: AlgorithmName
  /** Whether a graph that no GPU of several can hold goes to all of them, with mg-mis. */
  readonly mayShare?: boolean
}

/** The options with an algorithm in place of `auto`, and a remark that says why. */
function withAlgorithm(options: RunOptions, shell: Shell): Decided {
  const { algorithm } = options
  if (algorithm !== 'auto') return { ...options, algorithm }
  const chosen = chooseAlgorithm(options)
  shell.remark(`Algorithm: ${chosen.why}`)
  const mayShare = options.devices === 'auto' && chosen.algorithm === 'ecl-mis'
  return { ...options, algorithm: chosen.algorithm, mayShare }
}

function priorityOf({ priority, column }: RunOptions): Priority | Heuristic | undefined {
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

/** The dataset of this name; else the file is imported, or found again where it was imported before. */
async function datasetOf(target: string, { service, library }: Workplace, shell: Shell): Promise<string> {
  if (library.datasets.find(target) !== null) return target
  if (!existsSync(target))
    throw new Failure({
      code: 'input',
      where: target,
      what: 'there is no dataset and no file of this name',
      remedy: 'See "anticlique datasets", or check the spelling of the path.',
    })
  const { dataset, reused } = await service.call('datasets.import', { source: target, reuse: true }, shell.job)
  shell.remark(reused ? `${dataset.name} was imported before.` : `Imported ${dataset.name}.`)
  return dataset.name
}

/** @throws Failure (usage) for an order that the algorithm does not have; before anything is imported */
function requireKnown(priority: string | undefined, { algorithm }: Decided): void {
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

/** @throws Failure (usage) unless there is either something to compute or a run to go on with */
function requireOne(target: string | undefined, { resume }: RunOptions): void {
  if ((target === undefined) !== (resume === undefined)) return
  throw new Failure({
    code: 'usage',
    what: target === undefined ? 'what to compute is missing' : 'a run that goes on has its dataset already',
    remedy: 'Name a dataset or a file, or a run with --resume.',
  })
}

/** A new run, or the one to go on with, queued. */
async function queued(
  target: string | undefined,
  priority: Priority | Heuristic | undefined,
  options: Decided,
  place: Workplace,
  shell: Shell,
): Promise<Run> {
  const { service } = place
  if (target === undefined) return (await service.call('runs.resume', { run: options.resume ?? '' })).run
  const dataset = await datasetOf(target, place, shell)
  const path = (file: string | undefined): string | undefined => (file === undefined ? undefined : resolve(file))
  const order = orderOf(priority, options.algorithm)
  const name =
    options.mayShare === true ? await sharedOrAlone(dataset, order, options, place, shell) : options.algorithm
  const request = {
    ...catalogueValues(algorithmEntry(name)!, { ...options }),
    dataset,
    algorithm: name,
    device: options.devices,
    partitions: options.partitions,
    traceFile: path(options.trace),
    checkpointEveryMs: options.checkpoint === undefined ? undefined : 1000 * options.checkpoint,
    priority: order,
    seed: options.seed,
    batches: options.batches,
    memoryBytes: options.memory,
    columnFile: path(options.column),
    keepFile: path(options.keep),
    excludeFile: path(options.exclude),
    verify: options.verify === true,
  }
  const queue = { name: options.name, retries: options.retries, priority: options.queuePriority }
  return (await service.call('runs.start', { request: asRequest(request), ...queue })).run
}

/** What was said, else what the algorithm has by itself. */
function orderOf(said: Priority | Heuristic | undefined, algorithm: AlgorithmName): Priority | Heuristic {
  const standard = algorithmEntry(algorithm)?.options.find(({ name }) => name === 'priority')?.default
  return said ?? ((standard ?? 'degree') as Priority | Heuristic)
}

/** mg-mis where the plan gives the graph to several GPUs, with a remark that says why; else ecl-mis. The set is the same. */
async function sharedOrAlone(
  target: string,
  priority: Priority | Heuristic,
  { seed, batches, memory, devices: device }: Decided,
  { service }: Workplace,
  shell: Shell,
): Promise<AlgorithmName> {
  const asked = { target, algorithm: 'mg-mis', device, priority, seed, batches, memoryBytes: memory } as const
  const { plan } = await service.call('plan', asked, shell.job)
  if (plan.lanes.length === 1) return 'ecl-mis'
  shell.remark(`Algorithm: mg-mis instead, as auto ${plan.deviceAdvice ?? 'takes several devices'}.`)
  return 'mg-mis'
}

/** @throws Failure (usage) for a value that the contract does not have */
function asRequest(values: object): RunRequest {
  const parsed = runRequestSchema.safeParse(values)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new Failure({
    code: 'usage',
    where: `--${String(issue?.path[0] ?? 'options')}`,
    what: issue?.message ?? 'this value is not known',
    remedy: 'See "anticlique run --help".',
  })
}

/** Follows a queued run to its end. @throws Failure where it has no set. */
async function runToEnd(queued: Run, { service }: Workplace, shell: Shell): Promise<Run> {
  const stopListening = service.listen((event) => {
    if (event.type === 'progress' && event.of === queued.id) shell.job.progress(event.progress)
  })
  const cancel = (): void => void service.call('runs.cancel', { run: queued.id }).catch(() => {})
  shell.job.signal.addEventListener('abort', cancel)
  if (shell.job.signal.aborted) cancel()
  try {
    const { run } = await service.call('runs.wait', { run: queued.id })
    if (run.record === null && run.failure !== null) throw new Failure(run.failure)
    return run
  } finally {
    shell.job.signal.removeEventListener('abort', cancel)
    stopListening()
  }
}

async function exported(run: Run, output: string, { service }: Workplace, shell: Shell): Promise<readonly string[]> {
  if (run.state !== 'done') return []
  const { outcome } = await service.call('export', { run: run.id, format: formatOfFile(output), output }, shell.job)
  return outcome.files
}
