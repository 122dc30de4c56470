import type { Command } from 'commander'
import { usageFailure } from '../../../workers/base/failure.ts'
import type { Run } from '../../contract/run.ts'
import { Comparison, isFinished } from '../comparison.ts'
import type { Shell } from '../shell.ts'

const examples = `
Examples:
  anticlique compare fast better best
  anticlique compare --dataset cities-10km
  anticlique compare --dataset cities-10km --csv > runs.csv`

interface CompareOptions {
  readonly dataset?: string
  readonly csv?: boolean
}

export function register(program: Command, shell: Shell): void {
  program
    .command('compare')
    .description('Compare runs: their results, bounds, parts of the time, and the options in which they differ.')
    .argument('[run...]', 'ids, their beginnings, or names')
    .option('--dataset <name>', 'all finished runs of this dataset, the oldest first')
    .option('--csv', 'print a table with commas, with a row for each run')
    .addHelpText('after', examples)
    .action((named: readonly string[], { dataset, csv = false }: CompareOptions) =>
      shell.open(async ({ service }) => {
        const runs: Run[] = []
        for (const run of named) runs.push((await service.call('runs.get', { run })).run)
        if (dataset !== undefined)
          runs.push(...(await service.call('runs.list', {})).runs.filter((run) => run.dataset === dataset).reverse())
        const finished = runs.filter(isFinished)
        if (finished.length < 2)
          throw usageFailure(dataset, 'fewer than two runs with a result are named', 'Name two or more runs.')
        const compared = new Comparison(finished)
        shell.answer(compared.document, csv ? compared.csv : compared.text)
      }),
    )
}
