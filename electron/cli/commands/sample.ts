import type { Command } from 'commander'
import { radiusArgument } from '../argument.ts'
import { datasetText } from '../dataset-text.ts'
import { datasetDocument } from '../documents.ts'
import type { Shell } from '../shell.ts'

const examples = `
Which places can hold a transmitter, if no two may be closer than 10 km?
  anticlique sample cities --radius-km 10
  anticlique run cities-10km --verify

The places come from GeoNames (geonames.org), CC BY 4.0.`

export function registerSample(program: Command, shell: Shell): void {
  program
    .command('sample')
    .description('Build a graph from real data that comes along.')
    .command('cities')
    .description('135,233 places of the world; two are joined when they are closer than the radius, weight = distance.')
    .option('--radius-km <km>', 'join places whose great-circle distance is below this', radiusArgument, 10)
    .option('--name <name>', 'what to call the dataset (default: cities-<km>km)')
    .addHelpText('after', examples)
    .action((options: { radiusKm: number; name?: string }) =>
      shell.open(async ({ service }) => {
        const { dataset } = await service.call('datasets.sample', { sample: 'cities', ...options }, shell.job)
        shell.answer({ dataset: datasetDocument(dataset) }, datasetText(dataset))
      }),
    )
}
