import type { Command } from 'commander'
import { Failure } from '../../../workers/failure.ts'
import type { CallResult } from '../../contract/calls.ts'
import { verdictReport } from '../run-text.ts'
import type { Shell } from '../shell.ts'

const examples = `
Examples:
  anticlique verify latest
  anticlique verify wiki-Vote --set their-set.txt     a set by any program, one id a line`

export function registerVerify(program: Command, shell: Shell): void {
  program
    .command('verify')
    .description('Check that a set is independent and maximal; a failure names the edge or vertex that proves it.')
    .argument('<run or dataset>', 'a run to check its own set; a dataset together with --set')
    .option('--set <file>', "check this set instead: one id a line, in the graph's own ids")
    .option('--exclude <file>', 'with --set: vertices, one a line, that need no neighbour in the set')
    .addHelpText('after', examples)
    .action((of: string, options: { set?: string; exclude?: string }) =>
      shell.open(async ({ service }) => {
        const checked = await service.call('verify', { of, ...options }, shell.job)
        const { dataset, run, set, verdict } = checked
        const title = run === null ? `${set} on ${dataset}` : `Run ${run} on ${dataset}`
        shell.answer({ dataset, run, set, ...verdict }, verdictReport(title, verdict))
        throwIfBroken(checked)
      }),
    )
}

function throwIfBroken({ run, set, verdict }: CallResult<'verify'>): void {
  if (verdict.verified) return
  throw new Failure({
    code: 'verification',
    where: run ?? set,
    what: verdict.sentence,
    remedy: 'This is not a maximal independent set of the graph.',
  })
}
