import { Option } from 'commander'
import type { Command } from 'commander'
import { graphExportFormats } from '../../../workers/contract/jobs.ts'
import type { GraphExportFormat } from '../../../workers/contract/jobs.ts'
import { outputArgument } from '../argument.ts'
import { bytes, count } from '../quantity.ts'
import type { Shell } from '../shell.ts'

const examples = `
Where a format has no room for ids, they go to FILE.labels, one a line. docs/formats.md says what each format carries.

Examples:
  anticlique datasets export mesh --format galois --output mesh.gr
  anticlique datasets export social --format csv --output social.csv.gz --gzip`

interface GraphExportOptions {
  readonly format: GraphExportFormat
  readonly output: string
  readonly gzip?: boolean
  readonly spreadsheetSafe?: boolean
  readonly bare?: boolean
}

export function registerGraphExport(datasets: Command, shell: Shell): void {
  datasets
    .command('export')
    .description('Write the graph of a dataset to a file for other programs.')
    .argument('<name>', 'the dataset')
    .addOption(new Option('--format <format>', 'how to write it').choices(graphExportFormats).makeOptionMandatory())
    .requiredOption('--output <file>', 'where to write it', outputArgument)
    .option('--gzip', 'compress it')
    .option('--spreadsheet-safe', 'of CSV: put an apostrophe before cells that a spreadsheet would take for formulas')
    .option('--bare', 'of edge lists: no comment at the top and no quotes, for igraph and others that know none')
    .addHelpText('after', examples)
    .action((name: string, options: GraphExportOptions) =>
      shell.open(async ({ service }) => {
        const outcome = await service.call('datasets.export', { name, ...options }, shell.job)
        const { files, vertices, arcs, notes } = outcome
        const text = [
          `Wrote ${count(vertices)} vertices and ${count(arcs / 2)} edges to ${files.join(', ')} (${bytes(outcome.bytes)})`,
          ...notes.map((note) => `  note: ${note}`),
        ]
        shell.answer({ dataset: name, format: options.format, ...outcome }, text.join('\n'))
      }),
    )
}
