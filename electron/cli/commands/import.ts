/**
 * `anticlique import`: files, several as one graph, or standard input, with the options of the contract; interrupted imports are resumed or
 * discarded. What is read from a pipe is saved first where a format is read by position or twice, and goes again if the import fails. The
 * service imports; balance-text.ts writes what became of lines and entries.
 */

import { existsSync, globSync, createWriteStream, rmSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { Option, type Command } from 'commander'
import {
  graphFormats,
  mergeRules,
  tableOptions,
  weightRules,
  type TableOptions,
} from '../../../workers/contract/jobs.ts'
import { flagOf } from '../../../workers/contract/catalogue.ts'
import {
  type FailureValue,
  Failure,
  failureLine,
  inputFailure,
  asFailure,
  usageFailure,
} from '../../../workers/base/failure.ts'
import type { CallArgs } from '../../contract/calls.ts'
import type { Dataset } from '../../contract/dataset.ts'
import { inputName } from '../../library/leftovers.ts'
import { STANDARD_INPUT } from '../../service/remainders.ts'
import { integerArgument, sizeArgument } from '../argument.ts'
import { datasetText } from '../dataset-text.ts'
import { inCommands } from '../failure-text.ts'
import { count, table } from '../text.ts'
import { datasetDocument } from '../documents.ts'
import type { Shell, Workplace } from '../shell.ts'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { throwIfCancelled, type JobContext } from '../../../workers/base/job.ts'

type ImportOptions = TableOptions &
  Omit<CallArgs<'datasets.import'>, 'link' | 'source'> & {
    readonly invert?: boolean
    readonly roundWeights?: boolean
    readonly memory?: number
    readonly resume?: boolean
    readonly link?: boolean
    readonly all?: boolean
  }

const examples = `
Formats: docs/formats.md has them all. Usually the file itself says which one it is.

Examples:
  anticlique import wiki-Vote.txt.gz
  anticlique import matrix.mtx --name mesh --ignore-weights
  anticlique import part-*.csv.gz --name whole
  anticlique import trees.g6 --all
  anticlique import edges.csv --vertices nodes.csv
  anticlique import exported.graph --labels exported.graph.labels
  anticlique import hits.tsv --weight-column bitscore --where 'pident>=90'
  zstdcat big.txt.zst | anticlique import - --name big`

export function register(program: Command, shell: Shell): void {
  const command = program.command('import')
  command
    .description('Read a graph from a file into the library and report everything that was removed, merged or added.')
    .argument(
      '[file...]',
      'a graph file, plain, compressed or in an archive; several edge lists as one graph; - for standard input',
    )
    .option('--name <name>', "what to call the dataset (default: the file's name without extensions)")
    .addOption(new Option('--format <format>', 'read it as this instead of looking at it').choices(graphFormats))
    .addOption(
      new Option(
        '--weight-rule <rule>',
        'what to do with weights that are zero or negative (default: reject, for matrices absolute: Matrix Market, Rutherford-Boeing, .npz)',
      ).choices(weightRules),
    )
    .option('--ignore-weights', 'leave weights out altogether')
    .addOption(
      new Option('--merge <rule>', 'which weight of repeated edges stays, or their number (default: max)').choices(
        mergeRules,
      ),
    )
    .option('--invert', 'weights are costs: w becomes max + min - w')
    .option('--round-weights', 'round weights to 32-bit floats, which may then be equal (default: keep all digits)')
    .option('--member <name>', 'of an archive: which file in it is the graph; of a file of several graphs: its number')
    .option('--all', 'make a dataset of each graph of an archive, or of a file of several graphs')
    .option('--vertices <file>', 'a table of the vertices: its ids are vertices, its other columns their attributes')
  command.option(
    '--labels <file>',
    'what the vertices are called, one a line in their order: the FILE.labels beside an exported graph',
  )
  for (const [name, option] of Object.entries(tableOptions)) {
    const flag = new Option(`${flagOf(name)} <${option.value}>`, option.words)
    command.addOption('choices' in option ? flag.choices(option.choices) : flag)
  }
  command
    .option(
      '--memory <size>',
      'memory for the import, such as 512MiB (default: a quarter of what there is)',
      sizeArgument,
    )
    .option(
      '--threads <number>',
      'threads that work on it (default: as many as there are cores)',
      integerArgument(1, 256),
    )
    .option('--link', 'leave a .gr or .egr file of a canonical graph where it is, and store only what is known of it')
    .option('--pack', 'store the graph packed: two to eight times fewer bytes to read')
    .option('--no-pack', 'store it as it is (default: packed where it has more than half the bytes of the memory)')
    .option('--resume', 'continue an interrupted import: of this file, of the dataset of this name, or of the only one')
    .addHelpText('after', examples)
    .action((named: string[], options: ImportOptions) =>
      shell.open(async (place) => {
        if (named.length === 0 && options.resume !== true) throw noFile()
        const files = named.flatMap(expanded)
        if (options.all === true) return importAll(files, options, place, shell)
        const { dataset } = await (options.resume === true
          ? resumeImport(files, options, place, shell)
          : files.includes('-')
            ? importStandardInput(files, options, place, shell)
            : place.service.call('datasets.import', callArgs(files, options), shell.job))
        shell.answer({ dataset: datasetDocument(dataset) }, datasetText(dataset))
      }),
    )
}

function noFile(): Failure {
  const remedy = 'Write: anticlique import FILE, or anticlique import --resume.'
  return usageFailure(undefined, "missing required argument 'file'", remedy)
}

/** The contract takes of the options what it knows. */
function callArgs(files: readonly string[], options: ImportOptions) {
  const { invert: invertWeights, vertices, labels, memory: memoryBytes, link } = options
  const [source = '', ...sources] = files
  const several = sources.length === 0 ? {} : { sources, sourceName: files.map((file) => basename(file)).join(', ') }
  return {
    ...{ ...options, source, invertWeights, memoryBytes, ...several },
    vertices: vertices === undefined ? undefined : resolve(vertices),
    labels: labels === undefined ? undefined : resolve(labels),
    link: link === true ? ('always' as const) : undefined,
    table: options as TableOptions,
  }
}

/** Imports each graph of a file, one after the other; what fails leaves the others. @throws Failure of the first one that fails, once all are done */
async function importAll(files: readonly string[], options: ImportOptions, { service }: Workplace, shell: Shell) {
  const [file = ''] = files
  const other = files.length > 1 || file === '-' || options.resume === true || options.member !== undefined
  if (other)
    throw usageFailure('--all', 'it makes datasets of all graphs of one file', 'Name one file and no graph in it.')
  const { graphs } = await service.call('datasets.contents', { source: file, unpacks: true }, shell.job)
  const asked = callArgs(files, options)
  const made: Dataset[] = []
  const failed: { readonly graph: string; readonly error: FailureValue }[] = []
  for (const graph of graphs) {
    const name = graphs.length === 1 ? options.name : [options.name, graph.name].filter(Boolean).join('-')
    try {
      const call = { ...asked, name, member: graph.member ?? undefined }
      made.push((await service.call('datasets.import', call, shell.job)).dataset)
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'cancelled' || graphs.length === 1) throw error
      failed.push({ graph: graph.member ?? file, error: inCommands(error.toValue()) })
    }
  }
  const document = { datasets: made.map(datasetDocument), ...(failed.length === 0 ? {} : { failed }) }
  const rows = made.map(({ name, vertices, arcs }) => [name, count(vertices), count(arcs / 2)])
  shell.answer(document, table('dataset | vertices> | edges>', rows))
  const [first] = failed
  if (first === undefined) return
  for (const { error } of failed.slice(1)) shell.note(failureLine(error))
  throw new Failure(first.error)
}

/** Starts the import otherwise, or takes what it made. */
async function resumeImport(files: readonly string[], options: ImportOptions, { service }: Workplace, shell: Shell) {
  const which = options.name ?? files[0]
  const asked = callArgs(files, options)
  const { memoryBytes, threads, pack } = asked
  const resumed = await service.call('datasets.resume', { which, memoryBytes, threads, pack, asked }, shell.job)
  if (resumed.dataset !== null) return { dataset: resumed.dataset }
  if (files[0] !== undefined && existsSync(files[0])) {
    shell.remark('nothing was left of an interrupted import of this file: it is imported from the start')
    return service.call('datasets.import', { ...asked, reuse: true }, shell.job)
  }
  throw inputFailure(
    which,
    'there is no interrupted import to continue',
    'Import the file anew; "anticlique datasets" lists what interrupted imports left.',
  )
}

async function importStandardInput(files: readonly string[], options: ImportOptions, place: Workplace, shell: Shell) {
  const { name } = options
  if (files.length > 1 || name === undefined)
    throw inputFailure(
      '-',
      files.length > 1 ? 'standard input cannot be one of several files' : 'standard input has no name',
      files.length > 1 ? 'Pipe all of them: cat a b | anticlique import -' : 'Give one to the dataset: --name NAME.',
    )
  // Swept when this program is killed, unless its import can be resumed.
  const path = place.library.datasetFolder({ folder: inputName() })
  await saveStandardInput(path, shell.job)
  try {
    const args = { ...callArgs([path], options), sourceName: STANDARD_INPUT }
    return await place.service.call('datasets.import', args, shell.job)
  } catch (error) {
    if (!(error instanceof Failure) || error.where?.startsWith(path) !== true) throw error
    throw new Failure({ ...error.toValue(), where: `${STANDARD_INPUT}${error.where.slice(path.length)}` })
  } finally {
    place.library.discardInput(path)
  }
}

/** The shells of Windows leave patterns to programs. */
function expanded(name: string): readonly string[] {
  if (process.platform !== 'win32' || !/[*?]/.test(name)) return [name]
  const found = globSync(name).sort()
  return found.length === 0 ? [name] : found
}

/**
 * Some formats are read by position or twice. `path` is removed when it fails. @throws Failure (input) for nothing;
 * (storage); (cancelled)
 */
async function saveStandardInput(path: string, job: JobContext & { readonly signal: AbortSignal }): Promise<void> {
  try {
    if (process.stdin.isTTY)
      throw inputFailure(
        '-',
        'standard input is the terminal',
        'Pipe a file into it: zcat part-*.gz | anticlique import -',
      )
    await pipeline(process.stdin, createWriteStream(path, { flags: 'wx' }), { signal: job.signal })
    if ((await stat(path)).size === 0)
      throw inputFailure('-', 'standard input was empty', 'Did the command before it fail?')
  } catch (error) {
    rmSync(path, { force: true })
    throwIfCancelled(job.signal)
    throw asFailure(error, path)
  }
}
