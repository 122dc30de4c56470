/**
 * The commands on datasets of the library: list and show, export as files of other programs, store, pack and unpack, rename and remove. Each is one
 * call of the contract, whose answer it prints as a table, a sentence, or a document (documents.ts). What imports left behind is listed beside, and
 * cleaned. commands/import.ts and commands/generate.ts make datasets; dataset-text.ts has their words.
 */

import type { CallArgs } from '../../contract/calls.ts'
import { datasetTable, datasetText, remaindersText } from '../dataset-text.ts'
import { datasetDocument } from '../documents.ts'
import { bytes, count, sizeText } from '../text.ts'
import type { Shell } from '../shell.ts'
import { Option, type Command } from 'commander'
import { complementArcs } from '../../contract/dataset.ts'
import { graphExportFormats } from '../../../workers/contract/jobs.ts'
import { outputArgument } from '../argument.ts'

const examples = `
Where a format has no room for ids, they go to FILE.labels, one a line. docs/formats.md says what each format carries.

Examples:
  anticlique datasets export mesh --format galois --output mesh.gr
  anticlique datasets export social --format csv --output social.csv.gz --gzip
  anticlique datasets export social --format csv --output edges.csv --vertices people.csv
  anticlique datasets export social --format graphml --output social.graphml`

type GraphExportOptions = Omit<CallArgs<'datasets.export'>, 'name'>

function registerGraphExport(datasets: Command, shell: Shell): void {
  datasets
    .command('export')
    .description('Write the graph of a dataset to a file for other programs.')
    .argument('<name>', 'the dataset')
    .addOption(new Option('--format <format>', 'how to write it').choices(graphExportFormats).makeOptionMandatory())
    .requiredOption('--output <file>', 'where to write it', outputArgument)
    .option('--gzip', 'compress it')
    .option(
      '--spreadsheet-safe',
      'of csv and vertices: put an apostrophe before cells that a spreadsheet would take for formulas',
    )
    .option(
      '--vertices <file>',
      'write a table of the vertices, too: ids and attributes as CSV, for those without edges',
      outputArgument,
    )
    .option('--bare', 'of edge lists: no comment at the top and no quotes, for igraph and others that know none')
    .addHelpText('after', examples)
    .action((name: string, options: GraphExportOptions) =>
      shell.ask('datasets.export', { name, ...options }, (outcome) => {
        const { files, notes } = outcome
        const text = [
          `Wrote ${sizeText(outcome)} to ${files.join(', ')} (${bytes(outcome.bytes)})`,
          ...notes.map((note) => `  note: ${note}`),
        ]
        return [{ dataset: name, format: options.format, ...outcome }, text.join('\n')]
      }),
    )
}

export function register(program: Command, shell: Shell): void {
  const datasets = program.command('datasets').description('List, show, rename or remove the datasets of the library.')
  registerReading(datasets, shell)
  registerGraphExport(datasets, shell)
  registerComplement(datasets, shell)
  registerChanges(datasets, shell)
}

function registerReading(datasets: Command, shell: Shell): void {
  datasets
    .command('list', { isDefault: true })
    .description('List all datasets, by name.')
    .action(() =>
      shell.open(async ({ service }) => {
        const { datasets: all } = await service.call('datasets.list', {})
        const { remainders } = await service.call('datasets.remainders', {})
        const left = remainders.length === 0 ? {} : { remainders }
        const text = [datasetTable(all), ...remaindersText(remainders)].join('\n')
        shell.answer({ datasets: all.map(datasetDocument), ...left }, text)
      }),
    )
  datasets
    .command('show')
    .description('Show one dataset with its import report.')
    .argument('<name>', 'the dataset')
    .action((name: string) =>
      shell.ask('datasets.get', { name }, ({ dataset }) => [
        { dataset: datasetDocument(dataset) },
        datasetText(dataset),
      ]),
    )
}

function registerComplement(datasets: Command, shell: Shell): void {
  datasets
    .command('complement')
    .description(
      'Make the graph of all pairs that a small graph has not joined: a set of it is a clique of the graph, the largest set the largest clique.',
    )
    .argument('<name>', 'the dataset')
    .option('--name <new name>', 'what to call the complement (default: the name with "-complement")')
    .addHelpText('after', complementExamples)
    .action((name: string, { name: as }: { readonly name?: string }) =>
      shell.open(async ({ service }) => {
        const { dataset: of } = await service.call('datasets.get', { name })
        const arcs = complementArcs(of.vertices, of.arcs)
        shell.note(`The complement of ${name} has ${count(arcs / 2)} edges: ${bytes(4 * arcs + 8 * of.vertices)}.`)
        const { dataset } = await service.call('datasets.complement', { name, as }, shell.job)
        shell.answer({ dataset: datasetDocument(dataset) }, datasetText(dataset))
      }),
    )
}

const complementExamples = `
A complement has nearly the square of the vertices in edges; one of more than 268,435,456 is refused before it is begun.

The largest clique of a graph:
  anticlique datasets complement friends
  anticlique run friends-complement --quality best --time 10 --verify`

const keptAsItIs = (name: string): string => `The graph of ${name} stays as it is: packed it would hardly be smaller.`

function registerPacking(datasets: Command, shell: Shell): void {
  datasets
    .command('pack')
    .description('Store the graph of a dataset packed: fewer bytes to read past the memory; answers stay the same.')
    .argument('<name>', 'the dataset')
    .action((name: string) =>
      shell.ask('datasets.pack', { name }, ({ dataset, ...outcome }) => {
        const { bytes: raw, packedBytes, changed } = outcome
        const size = packedBytes === null ? '' : `${bytes(raw)} in ${bytes(packedBytes)}`
        const done = changed
          ? `Packed the graph of ${name}, ${size}.`
          : `The graph of ${name} is packed already, ${size}.`
        return [{ dataset: datasetDocument(dataset), ...outcome }, packedBytes === null ? keptAsItIs(name) : done]
      }),
    )
  datasets
    .command('unpack')
    .description('Store the graph of a dataset as it was before it was packed.')
    .argument('<name>', 'the dataset')
    .action((name: string) =>
      shell.ask('datasets.unpack', { name }, ({ dataset, ...outcome }) => [
        { dataset: datasetDocument(dataset), ...outcome },
        outcome.changed ? `Unpacked the graph of ${name}, ${bytes(outcome.bytes)}.` : `${name} is not packed.`,
      ]),
    )
}

function registerChanges(datasets: Command, shell: Shell): void {
  datasets
    .command('clean')
    .description('Remove what interrupted imports left, for good; datasets stay.')
    .action(() =>
      shell.ask('datasets.clean', {}, ({ removed }) => {
        const lines = removed.map(({ name, bytes: size }) => `Removed the rest of ${name}, ${bytes(size)}.`)
        return [{ removed }, lines.length === 0 ? 'There is nothing to remove.' : lines.join('\n')]
      }),
    )
  datasets
    .command('store')
    .description('Copy the file that a dataset is linked to into the library, so that the file may go.')
    .argument('<name>', 'the dataset')
    .action((name: string) =>
      shell.ask('datasets.store', { name }, ({ dataset, bytes: size }) => [
        { dataset: datasetDocument(dataset) },
        size === 0
          ? `${dataset.name} is in the library already.`
          : `Copied the graph of ${dataset.name} into the library, ${bytes(size)}.`,
      ]),
    )
  registerPacking(datasets, shell)
  datasets
    .command('rename')
    .description('Give a dataset another name; its files and runs stay.')
    .argument('<name>', 'the dataset')
    .argument('<new name>', 'what to call it')
    .action((name: string, to: string) =>
      shell.ask('datasets.rename', { name, to }, ({ dataset }) => [
        { dataset: datasetDocument(dataset) },
        `${name} is now called ${dataset.name}.`,
      ]),
    )
  datasets
    .command('remove')
    .description('Delete a dataset with its files for good; the records of its runs stay.')
    .argument('<name>', 'the dataset')
    .action((name: string) =>
      shell.ask('datasets.remove', { name, forGood: true }, ({ dataset }) => [
        { removed: dataset.name },
        `Removed ${dataset.name}.`,
      ]),
    )
}
