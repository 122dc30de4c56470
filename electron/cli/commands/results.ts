/**
 * `anticlique verify`, `export` and their kin: results of finished runs, or of other programs, checked against the graph; and results as files,
 * whose format follows from the name where none is said. A broken law is printed with its witness and ends with its own exit code.
 * service/results.ts does the work, run-text.ts has the words.
 */

import { Option, type Command } from 'commander'
import { shortened } from '../../../workers/base/output-file.ts'
import { exportFormats, resultEndings, type ExportFormat, setForms } from '../../../workers/contract/result.ts'
import type { Run } from '../../contract/run.ts'
import { outputArgument, seedArgument } from '../argument.ts'
import { bytes, counted } from '../text.ts'
import type { Shell, Workplace } from '../shell.ts'
import { Failure, verificationFailure } from '../../../workers/base/failure.ts'
import type { CallArgs, CallResult } from '../../contract/calls.ts'
import { edgeTies, edgeWeights } from '../../../workers/contract/jobs.ts'
import { verdictReport } from '../run-text.ts'

const examples = `
Formats: ids (one member a line), csv (every vertex as id,in), bits (bit vector, least significant bit first),
npy (array of the members' ids for NumPy), parquet (one column of them). Of pairs: ids (a pair a line), csv and parquet; of a
matching also aggregate (every vertex as id,aggregate, for coarsening), npy (the aggregates alone). Of values, such as colours: ids (id, tab,
value), csv and parquet (a table), npy (the values alone, u32), classes (the vertices of each value, a line each). Of aggregates and
matchings also prolongation (the matrix from aggregates to vertices as Matrix Market) and quotient (the coarser graph as that). Of all:
graphml and gexf (the whole graph with the result, degrees, places and attributes, for Gephi, Cytoscape, NetworkX), geojson (a point for
every vertex, for QGIS), vertices (a table of the same). The record of the run is written beside the file.

Examples:
  anticlique export latest
  anticlique export latest --output set.npy`

export function register(program: Command, shell: Shell): void {
  registerVerify(program, shell)
  registerExport(program, shell)
}

function registerExport(program: Command, shell: Shell): void {
  program
    .command('export')
    .description("Write the result of a run to a file, in the graph's own ids, with the record of the run beside it.")
    .argument('<run>', 'its id, the beginning of its id, its name, or "latest"')
    .addOption(
      new Option('--format <format>', "how to write it (default: by the file's extension, else ids)").choices(
        exportFormats,
      ),
    )
    .option(
      '--output <file>',
      'where to write it (default: named after dataset and run, in this folder)',
      outputArgument,
    )
    .option('--spreadsheet-safe', 'of CSV: put an apostrophe before cells that a spreadsheet would take for formulas')
    .addHelpText('after', examples)
    .action((text: string, options: { format?: ExportFormat; output?: string; spreadsheetSafe?: boolean }) =>
      shell.open(async ({ service }) => {
        const { spreadsheetSafe } = options
        const { run } = await service.call('runs.get', { run: text })
        const format = options.format ?? (options.output === undefined ? 'ids' : formatOfFile(options.output))
        const output = options.output ?? defaultOutput(run.dataset, run.id, format)
        const { outcome, recordFile } = await service.call(
          'export',
          { run: run.id, format, output, spreadsheetSafe },
          shell.job,
        )
        const { files, members } = outcome
        const things = { 'independent-set': 'member', matching: 'pair', 'b-matching': 'pair', values: 'value' }
        const kind = run.record?.outcome.result.kind ?? 'independent-set'
        const written = `${counted(members, things[kind], `${things[kind]}s`)} in ${files.join(', ')} (${bytes(outcome.bytes)})`
        shell.answer(
          { run: run.id, format, files, record: recordFile, members, bytes: outcome.bytes },
          [`Wrote ${written}`, ...(recordFile === null ? [] : [`The record of the run is in ${recordFile}`])].join(
            '\n',
          ),
        )
      }),
    )
}

export async function exported(
  run: Run,
  output: string,
  { service }: Workplace,
  shell: Shell,
): Promise<readonly string[]> {
  if (run.state !== 'done') return []
  try {
    const { outcome } = await service.call('export', { run: run.id, format: formatOfFile(output), output }, shell.job)
    return outcome.files
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const remedy = `${error.remedy} The run is kept: write its result with "anticlique export ${run.id}".`.trim()
    throw new Failure({ ...error.toValue(), remedy })
  }
}

export function formatOfFile(file: string): ExportFormat {
  const extension = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase()
  return exportFormats.find((format) => format === extension) ?? 'ids'
}

const NAME_BYTES = 180

export const defaultOutput = (dataset: string, run: string, format: ExportFormat): string =>
  `${shortened(dataset, NAME_BYTES, 'beginning')}-${run}.${resultEndings[format]}`

const verifyExamples = `
Examples:
  anticlique verify latest
  anticlique verify wiki-Vote --set their-set.txt     a set by any program, one id a line
  anticlique verify wiki-Vote --set kamis.txt          the same, a 0 or 1 for each vertex
  anticlique verify wiki-Vote --pairs theirs.csv --ties id     a matching by any program, a pair a line`

type VerifyOptions = Omit<CallArgs<'verify'>, 'of'>

function registerVerify(program: Command, shell: Shell): void {
  program
    .command('verify')
    .description(
      'Check that a set is independent and maximal, or a matching valid and maximal; a failure names the edge or vertex that proves it.',
    )
    .argument('<run or dataset>', 'a run to check its own set; a dataset together with --set')
    .option('--set <file>', "check this set instead: one id a line, in the graph's own ids")
    .addOption(
      new Option(
        '--set-form <form>',
        'with --set: ids; from-1, numbers of vertices from 1 on; 0-1, a line for each vertex (default: 0-1 where there are as many such lines, else ids)',
      ).choices(setForms),
    )
    .option('--exclude <file>', 'with --set: vertices, one a line, that need no neighbour in the set')
    .option('--pairs <file>', "check this matching instead: a pair a line, in the graph's own ids")
    .addOption(new Option('--weights <choice>', 'with --pairs: what edges weigh').choices(edgeWeights))
    .addOption(
      new Option('--ties <choice>', 'with --pairs: check local dominance too, under this rule for ties').choices(
        edgeTies,
      ),
    )
    .option('--seed <n>', 'with --pairs: of the weights and ties (default: 0)', seedArgument)
    .addHelpText('after', verifyExamples)
    .action((of: string, options: VerifyOptions) =>
      shell.open(async ({ service }) => {
        const checked = await service.call('verify', { of, ...options }, shell.job)
        const { dataset, run, set, verdict } = checked
        const algorithm = run === null ? undefined : (await service.call('runs.get', { run })).run.algorithm
        const title = run === null ? `${set} on ${dataset}` : `Run ${run} on ${dataset}`
        shell.answer({ dataset, run, set, ...verdict }, verdictReport(title, verdict, algorithm))
        throwIfBroken(checked)
      }),
    )
}

function throwIfBroken({ run, set, verdict }: CallResult<'verify'>): void {
  if (verdict.verified) return
  throw verificationFailure(
    run ?? set,
    verdict.sentence,
    verdict.law === 'as claimed'
      ? 'This result must not be used.'
      : verdict.weight === undefined
        ? 'This is not a maximal independent set of the graph.'
        : 'This is not such a matching of the graph.',
  )
}
