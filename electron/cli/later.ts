import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { priorities } from '../../workers/jobs.ts'
import type { Priority } from '../../workers/jobs.ts'
import { notYet } from './argument.ts'

/** What the contract of `run` names and this version does not have: refused in a sentence that says what there is. */

export function algorithmArgument(text: string): 'ecl-mis' {
  if (text === 'ecl-mis') return text
  if (['mg-mis', 'tc-mis', 'ld-gpu'].includes(text))
    throw notYet(`--algorithm ${text}`, 'this version has ecl-mis only', 'Use --algorithm ecl-mis.')
  throw new InvalidArgumentError('The algorithm of this version is ecl-mis.')
}

export function priorityArgument(text: string): Priority {
  const known = priorities.find((priority) => priority === text)
  if (known !== undefined) return known
  if (['h1', 'h2', 'h3'].includes(text))
    throw notYet(
      `--priority ${text}`,
      'this order belongs to tc-mis, which this version does not have',
      `Use one of ${priorities.join(', ')}.`,
    )
  throw new InvalidArgumentError(`Use one of ${priorities.join(', ')}.`)
}

const later: readonly (readonly [flags: string, what: string, remedy: string])[] = [
  ['--ties <rule>', 'tie rules belong to matchings, which this version does not compute', 'Leave it out.'],
  ['--weights <rule>', 'weights belong to matchings, which this version does not compute', 'Leave it out.'],
  ['--method <method>', 'methods belong to matchings, which this version does not compute', 'Leave it out.'],
  ['--seeds <n>', 'several seeds at once belong to tc-mis, which this version does not have', 'Use --seed.'],
  ['--exchange <protocol>', 'exchanges belong to mg-mis, which this version does not have', 'Leave it out.'],
  ['--quality <q>', 'this version computes one set and does not improve it', 'Try other values of --seed.'],
]

/** Adds the options of later versions, hidden, each refusing with its sentence. */
export function addLaterOptions(command: Command): Command {
  for (const [flags, what, remedy] of later) {
    const name = flags.split(' ')[0]!
    const refuse = (): never => {
      throw notYet(name, what, remedy)
    }
    command.addOption(new Option(flags).hideHelp().argParser(refuse))
  }
  return command
}
