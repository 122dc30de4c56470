import type { Command } from 'commander'
import type { ViewFacts, ViewsOutcome } from '../../../workers/jobs.ts'
import { sizeArgument } from '../argument.ts'
import { bytes, duration } from '../quantity.ts'
import type { Shell } from '../shell.ts'
import { table } from '../table.ts'

interface ViewsOptions {
  readonly drop?: string
  readonly build?: string
  readonly memory?: number
  readonly check?: boolean
}

const examples = `
A view is a copy of the graph in the order in which an algorithm wants it. Runs build what they need and keep it; a view can
always be dropped and is built again.

Examples:
  anticlique datasets views mesh
  anticlique datasets views mesh --build oriented:degree --memory 1GiB
  anticlique datasets views mesh --build weight-ordered:random3-hash-7
  anticlique datasets views mesh --drop all`

/** `datasets views`: lists, drops and builds the prepared views of a dataset. */
export function registerViews(datasets: Command, shell: Shell): void {
  datasets
    .command('views')
    .description('List the prepared views of a dataset, drop them, or build one ahead of its first run.')
    .argument('<name>', 'the dataset')
    .option('--drop <view>', 'drop this view, as it is listed, or "all"')
    .option('--build <view>', 'build oriented:PRIORITY[-SEED], or weight-ordered: or weight-levels:WEIGHTS-TIES[-SEED]')
    .option(
      '--memory <size>',
      'build within this much memory, such as 512MiB (default: a quarter of all)',
      sizeArgument,
    )
    .option('--check', 'read every view and compare its checksums')
    .addHelpText('after', examples)
    .action((name: string, { memory, ...options }: ViewsOptions) =>
      shell.open(async ({ service }) => {
        const args = { name, ...options, budgetBytes: memory }
        const { dataset, outcome } = await service.call('datasets.views', args, shell.job)
        shell.answer({ dataset, ...outcome }, viewsText(dataset, outcome))
      }),
    )
}

function viewsText(dataset: string, { dropped, buildMs, views }: ViewsOutcome): string {
  const lines = [
    ...(dropped.length === 0 ? [] : [`Dropped ${dropped.join(', ')}.`]),
    ...(buildMs === null ? [] : [buildMs === 0 ? 'This view was there already.' : `Built in ${duration(buildMs)}.`]),
  ]
  return [...lines, views.length === 0 ? `${dataset} has no prepared views.` : viewTable(views)].join('\n')
}

const states = { valid: 'valid', stale: 'of another graph', damaged: 'damaged' } as const

function viewTable(views: readonly ViewFacts[]): string {
  return table(
    [
      { title: 'view', align: 'left' },
      { title: 'kind', align: 'left' },
      { title: 'order', align: 'left' },
      { title: 'size', align: 'right' },
      { title: 'built', align: 'left' },
      { title: 'state', align: 'left' },
    ],
    views.map((view) => [
      view.name,
      view.kind ?? '',
      view.order ?? '',
      bytes(view.bytes),
      view.builtAt.slice(0, 16).replace('T', ' '),
      states[view.state],
    ]),
  )
}
