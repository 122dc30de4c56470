import { Option, type Command } from 'commander'
import { shortened } from '../../../workers/base/output-file.ts'
import { exportFormats, resultEndings, type ExportFormat } from '../../../workers/contract/export.ts'
import type { Run } from '../../contract/run.ts'
import { outputArgument } from '../argument.ts'
import { bytes, count } from '../text.ts'
import type { Shell, Workplace } from '../shell.ts'

const examples = `
Formats: ids (one member a line), csv (every vertex as id,in), bits (bit vector, least significant bit first),
npy (array of the members' ids for NumPy), parquet (one column of them). Of a matching: ids (a pair a line), csv and parquet
(pairs), aggregate (every vertex as id,aggregate, for coarsening), npy (the aggregates alone). Of values, such as colours: ids (id, tab,
value), csv and parquet (a table), npy (the values alone, u32), classes (the vertices of each value, a line each). Of aggregates and
matchings also prolongation (the matrix from aggregates to vertices as Matrix Market) and quotient (the coarser graph as that). The record of the run is written beside the file.

Examples:
  anticlique export latest
  anticlique export latest --output set.npy`

export function registerExport(program: Command, shell: Shell): void {
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
        const things = { 'independent-set': 'members', matching: 'pairs', values: 'values' }
        const kind = run.record?.outcome.result.kind ?? 'independent-set'
        const written = `${count(members)} ${things[kind]} in ${files.join(', ')} (${bytes(outcome.bytes)})`
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
  const { outcome } = await service.call('export', { run: run.id, format: formatOfFile(output), output }, shell.job)
  return outcome.files
}

export function formatOfFile(file: string): ExportFormat {
  const extension = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase()
  return exportFormats.find((format) => format === extension) ?? 'ids'
}

const NAME_BYTES = 180

export const defaultOutput = (dataset: string, run: string, format: ExportFormat): string =>
  `${shortened(dataset, NAME_BYTES, 'beginning')}-${run}.${resultEndings[format]}`
