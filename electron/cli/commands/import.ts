import { Option } from 'commander'
import type { Command } from 'commander'
import { graphFormats, weightRules } from '../../../workers/jobs.ts'
import type { GraphFormat, WeightRule } from '../../../workers/jobs.ts'
import { datasetText } from '../dataset-text.ts'
import { datasetDocument } from '../documents.ts'
import type { Shell } from '../shell.ts'

interface ImportOptions {
  readonly name?: string
  readonly format?: GraphFormat
  readonly weightRule?: WeightRule
  readonly ignoreWeights?: boolean
}

const examples = `
Examples:
  anticlique import wiki-Vote.txt.gz
  anticlique import matrix.mtx --name mesh --ignore-weights`

export function registerImport(program: Command, shell: Shell): void {
  program
    .command('import')
    .description('Read a graph from a file into the library and report everything that was removed, merged or added.')
    .argument('<file>', 'Matrix Market, METIS, or an edge list (SNAP, TSV, CSV); plain or gzip')
    .option('--name <name>', "what to call the dataset (default: the file's name without extensions)")
    .addOption(new Option('--format <format>', 'read it as this instead of looking at it').choices(graphFormats))
    .addOption(
      new Option(
        '--weight-rule <rule>',
        'what to do with weights that are zero or negative (default: reject, for Matrix Market absolute)',
      ).choices(weightRules),
    )
    .option('--ignore-weights', 'leave weights out altogether')
    .addHelpText('after', examples)
    .action((source: string, options: ImportOptions) =>
      shell.open(async ({ service }) => {
        const { dataset } = await service.call('datasets.import', { source, ...options }, shell.job)
        shell.answer({ dataset: datasetDocument(dataset) }, datasetText(dataset))
      }),
    )
}
