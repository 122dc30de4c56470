import { Option } from 'commander'
import type { Command } from 'commander'
import { graphExportFormats } from '../../../workers/jobs.ts'
import type { GraphExportFormat } from '../../../workers/jobs.ts'
import { bytes, count } from '../quantity.ts'
import type { Shell } from '../shell.ts'

const examples = `
Where a format has no room for ids, they go to FILE.labels, one a line. docs/formats.md says what each format carries.

Examples:
  anticlique datasets export mesh --format galois --output mesh.gr
  anticlique datasets export social --format csv --output social.csv.gz --gzip`

/** Registers `datasets export`. */
export function registerGraphExport(datasets: Command, shell: Shell): void {
  datasets
    .command('export')
    .description('Write the graph of a dataset to a file for other programs.')
    .argument('<name>', 'the dataset')
    .addOption(new Option('--format <format>', 'how to write it').choices(graphExportFormats).makeOptionMandatory())
    .requiredOption('--output <file>', 'where to write it')
    .option('--gzip', 'compress it')
    .addHelpText('after', examples)
    .action((name: string, options: { format: GraphExportFormat; output: string; gzip?: boolean }) =>
      shell.open(async ({ service }) => {
        const { gzip, ...wanted } = options
        const args = { name, ...wanted, ...(gzip === undefined ? {} : { gzip }) }
        const outcome = await service.call('datasets.export', args, shell.job)
        const { files, vertices, arcs, notes } = outcome
        const text = [
          `Wrote ${count(vertices)} vertices and ${count(arcs / 2)} edges to ${files.join(', ')} (${bytes(outcome.bytes)})`,
          ...notes.map((note) => `  note: ${note}`),
        ]
        shell.answer({ dataset: name, format: options.format, ...outcome }, text.join('\n'))
      }),
    )
}
