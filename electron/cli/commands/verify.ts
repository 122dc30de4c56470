import { Option, type Command } from 'commander'
import { Failure } from '../../../workers/base/failure.ts'
import type { CallArgs, CallResult } from '../../contract/calls.ts'
import { edgeTies, edgeWeights } from '../../../workers/contract/jobs.ts'
import { setForms } from '../../../workers/contract/verify.ts'
import { seedArgument } from '../argument.ts'
import { verdictReport } from '../run-text.ts'
import type { Shell } from '../shell.ts'

const examples = `
Examples:
  anticlique verify latest
  anticlique verify wiki-Vote --set their-set.txt     a set by any program, one id a line
  anticlique verify wiki-Vote --set kamis.txt          the same, a 0 or 1 for each vertex
  anticlique verify wiki-Vote --pairs theirs.csv --ties id     a matching by any program, a pair a line`

type VerifyOptions = Omit<CallArgs<'verify'>, 'of'>

export function registerVerify(program: Command, shell: Shell): void {
  program
    .command('verify')
    .description(
      'Check that a set is independent and maximal, or a matching valid and maximal; a failure names the edge or vertex that proves it.',
    )
    .argument('<run or dataset>', 'a run to check its own set; a dataset together with --set')
    .option('--set <file>', "check this set instead: one id a line, in the graph's own ids")
    .addOption(
      new Option(
        '--set-form <form>',
        'with --set: ids; from-1, numbers of vertices from 1 on; 0-1, a line for each vertex (default: 0-1 where there are as many such lines, else ids)',
      ).choices(setForms),
    )
    .option('--exclude <file>', 'with --set: vertices, one a line, that need no neighbour in the set')
    .option('--pairs <file>', "check this matching instead: a pair a line, in the graph's own ids")
    .addOption(new Option('--weights <choice>', 'with --pairs: what edges weigh').choices(edgeWeights))
    .addOption(
      new Option('--ties <choice>', 'with --pairs: check local dominance too, under this rule for ties').choices(
        edgeTies,
      ),
    )
    .option('--seed <n>', 'with --pairs: of the weights and ties (default: 0)', seedArgument)
    .addHelpText('after', examples)
    .action((of: string, options: VerifyOptions) =>
      shell.open(async ({ service }) => {
        const checked = await service.call('verify', { of, ...options }, shell.job)
        const { dataset, run, set, verdict } = checked
        const algorithm = run === null ? undefined : (await service.call('runs.get', { run })).run.algorithm
        const title = run === null ? `${set} on ${dataset}` : `Run ${run} on ${dataset}`
        shell.answer({ dataset, run, set, ...verdict }, verdictReport(title, verdict, algorithm))
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
    remedy:
      verdict.law === 'as claimed'
        ? 'This result must not be used.'
        : verdict.weight === undefined
          ? 'This is not a maximal independent set of the graph.'
          : 'This is not such a matching of the graph.',
  })
}
