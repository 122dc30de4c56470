/**
 * `anticlique run`: a dataset, or a file that is imported on the way, to a verified result, one run or one for each of several seeds. Requests
 * are made in run-request.ts from the catalogue's options; a graph that no single GPU holds goes to several. Ctrl+C cancels, a second one ends
 * at once. The service queues and runs; run-text.ts prints.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Option, type Command } from 'commander'
import { Failure, inputFailure, usageFailure } from '../../../workers/base/failure.ts'
import { outputPlace } from '../../../workers/base/output-file.ts'
import { acrossWays } from '../../../workers/contract/jobs.ts'
import { MAX_QUEUE_PRIORITY, MAX_RETRIES, runRequestSchema, type Run } from '../../contract/run.ts'
import { nameOfFile } from '../../service/files.ts'
import { runsBesideCheck } from '../../service/run-inputs.ts'
import { integerArgument, outputArgument } from '../argument.ts'
import { runDocument } from '../documents.ts'
import { LINKABLE } from '../../pool/short-files.ts'
import { exported } from './results.ts'
import {
  addRequestOptions,
  chooseAlgorithm,
  decide,
  sharedOrAlone,
  type Decided,
  type RequestOptions,
} from '../run-request.ts'
import {
  keptRuns,
  type KeptRuns,
  MOST_SEEDS,
  type SeedSweep,
  swept,
  sweepDocument,
  sweepOf,
  sweepText,
} from '../seed-sweep.ts'
import { joinRank, noteIfBound, rankOf, type AcrossOptions, type OwnRank } from '../own-rank.ts'
import { runText } from '../run-text.ts'
import type { Shell, Workplace } from '../shell.ts'

interface RunOptions extends RequestOptions, AcrossOptions {
  readonly name?: string | undefined
  readonly output?: string
  readonly member?: string
  readonly resume?: string
  readonly checkpoint?: number
  readonly trace?: string
  readonly queuePriority?: number
  readonly seeds?: number
  readonly seed?: number
  readonly keepRuns?: KeptRuns
}

const examples = `
The answer depends on the graph, the options and the seed, and on nothing else; with --quality also on its steps
or time, and on whether the lists fit --memory.

Examples:
  anticlique run cities-10km --verify
  anticlique run cities-10km --quality better --verify
  anticlique run wiki-Vote.txt.gz --devices gpu:0 --priority ecl --output set.txt
  anticlique run cities-10km --seeds 20 --verify
  anticlique run mesh --column cost.csv --exclude closed.txt --verify
  anticlique run roads --algorithm ld-gpu --verify --output pairs.csv`

export function register(program: Command, shell: Shell): void {
  const command = program
    .command('run')
    .description('Compute a maximal independent set or a matching of a dataset, or of a file, which is imported first.')
    .argument('[dataset or file]', 'a dataset of the library, or a file with a graph')
    .option('--name <name>', 'give the run a name')
    .option(
      '--output <file>',
      'write the set to this file: .csv, .bits or .npy, else one id a line; of a matching the pairs',
      outputArgument,
    )
    .option('--member <name>', 'of an archive: which file in it is the graph, where there are several')
    .option('--resume <run>', 'resume a run that was interrupted, from its last checkpoint, as it was asked for')
    .option(
      '--checkpoint <seconds>',
      'keep the states every so often while it runs (default: 30)',
      integerArgument(0, 86_400),
    )
    .option(
      '--retries <n>',
      'when its engine ends or its device is lost, resume by itself this often (default: 0)',
      integerArgument(0, MAX_RETRIES),
    )
    .option(
      '--queue-priority <n>',
      'where runs wait for one device: 9 goes first, 0 last (default: 5)',
      integerArgument(0, MAX_QUEUE_PRIORITY),
    )
    .addOption(
      new Option(
        '--across <way>',
        'compute together with the other processes that mpirun or srun started: mpi',
      ).choices(acrossWays),
    )
    .option('--graph <path>', 'across machines: read the graph from this copy on the disk of each node')
    .addOption(
      new Option(
        '--keep-runs <which>',
        'of --seeds: the best run stays in the library, or all do (default: best)',
      ).choices(keptRuns),
    )
    .option('--trace <file>', 'write what each device did when, as trace events for Perfetto (ui.perfetto.dev)')
  addRequestOptions(command, examples, [seedsOption()]).action((target: string | undefined, options: RunOptions) => {
    requireOne(target, options)
    const rank = rankOf(options)
    if (rank !== undefined && rank.rank > 0) return joinRank(rank, shell)
    if (options.resume !== undefined) requireAlone(command)
    // Before it is computed.
    for (const file of [options.output, options.trace]) if (file !== undefined) outputPlace(resolve(file))
    const isAuto = options.algorithm === 'auto'
    const sweep = sweepOf(isAuto ? chooseAlgorithm(options).algorithm : options.algorithm, { ...options })
    const decided = decide(sweep === undefined ? options : { ...options, seeds: undefined }, shell)
    return shell.open(async (place) => {
      if (rank !== undefined) {
        noteIfBound(rank.rank, shell)
        await place.runner.run('mpi', {}, shell.job)
      }
      if (sweep !== undefined) return sweepSeeds(sweep, target!, decided, options, place, shell)
      const run = await runToEnd(await queued(target, decided, { ...options, rank }, place, shell), place, shell)
      const files = options.output === undefined ? [] : await exported(run, options.output, place, shell)
      shell.answer(() => runDocument(run, files), runText(run, files))
      if (run.failure !== null) throw new Failure(run.failure)
    })
  })
}

const seedsOption = (): Option =>
  new Option('--seeds <n>', 'compute with this many seeds, from --seed on, and keep the best result').argParser(
    integerArgument(1, MOST_SEEDS),
  )

/** One run after another, of which the first imports a file. */
async function sweepSeeds(
  sweep: SeedSweep,
  target: string,
  decided: Decided,
  options: RunOptions,
  place: Workplace,
  shell: Shell,
): Promise<void> {
  const { service } = place
  let dataset = target
  const ofSeed = async (seed: number): Promise<Run> => {
    const values = { ...decided.values, seed }
    const name = options.name === undefined || sweep.keep === 'best' ? options.name : `${options.name}-${seed}`
    const asked = await queued(dataset, { ...decided, values }, { ...options, name, rank: undefined }, place, shell)
    const run = await runToEnd(asked, place, shell)
    dataset = run.dataset
    if (run.failure === null) return run
    // A result that breaks a law ends the sweep, and stays.
    shell.answer(runDocument(run, []), runText(run))
    throw new Failure(run.failure)
  }
  const found = await swept(sweep, ofSeed, ({ id }) => service.call('runs.remove', { run: id }))
  const files = options.output === undefined ? [] : await exported(found.best, options.output, place, shell)
  shell.answer(sweepDocument(sweep, found, files), sweepText(sweep, found, files))
}

async function datasetOf(
  target: string,
  member: string | undefined,
  { service, library }: Workplace,
  shell: Shell,
): Promise<string> {
  if (library.datasets.find(target) !== null) return target
  if (!existsSync(target))
    throw inputFailure(
      target,
      'there is no dataset and no file of this name',
      'See "anticlique datasets", or check the spelling of the path.',
    )
  const { dataset, reused } = await service.call(
    'datasets.import',
    { source: target, reuse: true, link: 'possible', member },
    shell.job,
  )
  shell.remark(reused ? `${dataset.name} was imported before.` : `Imported ${dataset.name}.`)
  return dataset.name
}

function requireOne(target: string | undefined, { resume }: RunOptions): void {
  if ((target === undefined) !== (resume === undefined)) return
  throw usageFailure(
    undefined,
    target === undefined ? 'what to compute is missing' : 'a resumed run has its dataset already',
    'Name a dataset or a file, or a run with --resume.',
  )
}

function requireAlone(command: Command): void {
  const other = command.options.find(
    (option) =>
      !['--resume', '--output', '--across', '--graph'].includes(option.long ?? '') &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (other === undefined) return
  throw usageFailure(
    other.long,
    'a resumed run is computed as it was asked for',
    'Leave it out; "anticlique verify RUN" checks the result afterwards.',
  )
}

async function queued(
  target: string | undefined,
  decided: Decided,
  options: RunOptions & { readonly rank: OwnRank | undefined },
  place: Workplace,
  shell: Shell,
): Promise<Run> {
  const { service } = place
  const across = options.rank?.across
  if (target === undefined) return (await service.call('runs.resume', { run: options.resume ?? '', across })).run
  const queue = { name: options.name, retries: options.retries, priority: options.queuePriority, across }
  const files = {
    traceFile: options.trace === undefined ? undefined : resolve(options.trace),
    checkpointEveryMs: options.checkpoint === undefined ? undefined : 1000 * options.checkpoint,
  }
  const { device, algorithm, values } = decided
  if (across === undefined && mayStay(target, place) && !decided.mayShare) {
    const request = runRequestSchema.parse({ ...values, ...files, device, algorithm, dataset: nameOfFile(target) })
    if (runsBesideCheck(target, request))
      return (await service.call('runs.start', { request, source: resolve(target), ...queue })).run
  }
  const dataset = await datasetOf(target, options.member, place, shell)
  const request = runRequestSchema.parse({
    ...values,
    ...files,
    device,
    algorithm: await sharedOrAlone(dataset, decided, place, shell),
    dataset,
  })
  return (await service.call('runs.start', { request, ...queue })).run
}

/** Whether the file looks canonical, and its name is free. */
function mayStay(target: string, { library: { datasets } }: Workplace): boolean {
  return (
    LINKABLE.test(target) &&
    existsSync(target) &&
    [target, nameOfFile(target)].every((name) => datasets.find(name) === null)
  )
}

export async function runToEnd(queued: Run, { service }: Workplace, shell: Shell): Promise<Run> {
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
