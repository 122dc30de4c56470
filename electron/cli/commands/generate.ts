import type { Command } from 'commander'
import { integerArgument, seedArgument } from '../argument.ts'
import type { CallArgs } from '../../contract/calls.ts'
import { datasetText } from '../dataset-text.ts'
import { datasetDocument } from '../documents.ts'
import type { Shell } from '../shell.ts'

const examples = `
Examples:
  anticlique generate rmat --scale 20 --edge-factor 16
  anticlique generate uniform --vertices 1000000 --degree 8 --seed 7
  anticlique generate grid --rows 1500 --columns 1500 --name mesh`

const positive = integerArgument(1)

export function registerGenerate(program: Command, shell: Shell): void {
  const make = async (args: CallArgs<'datasets.generate'>): Promise<void> =>
    shell.open(async ({ service }) => {
      const { dataset } = await service.call('datasets.generate', args, shell.job)
      shell.answer({ dataset: datasetDocument(dataset) }, datasetText(dataset))
    })

  const generate = program
    .command('generate')
    .description('Make a graph by a random model or a pattern; the same options and seed give the same graph.')
    .addHelpText('after', examples)
  named(generate.command('rmat'))
    .description('An R-MAT graph with the Graph500 parameters 0.57, 0.19, 0.19, 0.05: few vertices of huge degree.')
    .requiredOption('--scale <n>', 'make 2^n vertices', integerArgument(1, 31))
    .option('--edge-factor <n>', 'draw this many edges for each vertex', positive, 16)
    .option('--seed <n>', 'draw other edges', seedArgument, 1)
    .action((options: { scale: number; edgeFactor: number; seed: number }) => make({ model: 'rmat', ...options }))
  named(generate.command('uniform'))
    .description('A graph whose edges join pairs of vertices drawn with equal chances.')
    .requiredOption('--vertices <n>', 'make this many vertices', integerArgument(1, 2 ** 32 - 2))
    .option('--degree <n>', 'aim at this mean degree', positive, 8)
    .option('--seed <n>', 'draw other edges', seedArgument, 1)
    .action((options: { vertices: number; degree: number; seed: number }) => make({ model: 'uniform', ...options }))
  named(generate.command('grid'))
    .description('A grid in the plane; each vertex is joined to those above, below, left and right of it.')
    .requiredOption('--rows <n>', 'make this many rows', positive)
    .requiredOption('--columns <n>', 'make this many columns', positive)
    .option('--seed <n>', 'taken for symmetry with the other models; a grid has nothing to draw', seedArgument, 1)
    .action((options: { rows: number; columns: number; seed: number }) => make({ model: 'grid', ...options }))
}

const named = (command: Command): Command =>
  command.option('--name <name>', 'what to call the dataset (default: made from the options)')
