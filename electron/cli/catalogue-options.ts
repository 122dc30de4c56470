import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { algorithmEntries, algorithmEntry } from '../../workers/contract/catalogue.ts'
import type { AlgorithmEntry, OptionEntry } from '../../workers/contract/catalogue.ts'
import { heuristics, priorities } from '../../workers/contract/jobs.ts'
import type { Heuristic, Priority } from '../../workers/contract/jobs.ts'
import type { AlgorithmName } from '../../workers/contract/catalogue.ts'
import { integerArgument, sizeArgument, wrongUsage } from './argument.ts'

/** Options that the catalogue of algorithms gives the command line, beside those that every run has. */

const here = (): string => algorithmEntries.map(({ name }) => name).join(', ')

/** `auto` picks by the other options, see choose-algorithm.ts. */
export function algorithmArgument(text: string): AlgorithmName | 'auto' {
  const known = algorithmEntry(text)
  if (known !== undefined) return known.name
  if (text === 'auto') return text
  throw new InvalidArgumentError(`The algorithms of this version are: ${here()}, and auto.`)
}

export function priorityArgument(text: string): Priority | Heuristic {
  const known = [...priorities, ...heuristics].find((priority) => priority === text)
  if (known !== undefined) return known
  throw new InvalidArgumentError(`Use one of ${priorities.join(', ')}, or with tc-mis ${heuristics.join(', ')}.`)
}

/** Options that `run` declares itself. */
const own = new Set([
  '--priority',
  '--column',
  '--keep',
  '--exclude',
  '--seed',
  '--partitions',
  '--memory',
  '--batches',
  '--verify',
])

/** Those of them that not every algorithm takes notice of. */
const listFlags = new Set(['--column', '--keep', '--exclude'])

function isOwn({ flag }: OptionEntry): boolean {
  return own.has(flag)
}

/** Adds every option of the catalogue that the command does not have itself. */
export function addCatalogueOptions(command: Command): Command {
  const options = new Map<string, { entry: OptionEntry; of: string[] }>()
  for (const algorithm of algorithmEntries)
    for (const entry of algorithm.options.filter((option) => !isOwn(option))) {
      const seen = options.get(entry.flag)
      if (seen === undefined) options.set(entry.flag, { entry, of: [algorithm.name] })
      else seen.of.push(algorithm.name)
    }
  for (const { entry, of } of options.values()) command.addOption(optionOf(entry, of))
  return command
}

function optionOf(entry: OptionEntry, of: readonly string[]): Option {
  const words = `${entry.explanation} (${of.join(', ')})`
  if (entry.kind === 'switch') return new Option(entry.flag, words)
  const option = new Option(`${entry.flag} <${entry.kind === 'choice' ? 'choice' : entry.kind}>`, words)
  // A choice that several algorithms have may have others in each: it is checked with the whole request.
  if (entry.kind === 'integer') option.argParser(integerArgument(entry.min ?? 0, entry.max))
  if (entry.kind === 'bytes') option.argParser(sizeArgument)
  if (entry.kind === 'number') option.argParser(numberArgument)
  return option
}

function numberArgument(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Give a number.')
  return value
}

/** The name under which commander keeps an option: "--buffer-words" as bufferWords. */
const keyOf = (flag: string): string => flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** What was given of an algorithm's options, by the fields of a run. @throws Failure (usage) for one of another algorithm */
export function catalogueValues(
  algorithm: AlgorithmEntry,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const entry of algorithm.options.filter((option) => !isOwn(option))) {
    const value = given[keyOf(entry.flag)]
    if (value !== undefined) values[entry.name] = value
  }
  for (const other of algorithmEntries)
    for (const { flag } of other.options) {
      if ((own.has(flag) && !listFlags.has(flag)) || given[keyOf(flag)] === undefined) continue
      if (!algorithm.options.some((option) => option.flag === flag))
        throw wrongUsage(
          flag,
          `it belongs to ${other.name}, not to ${algorithm.name}`,
          'Leave it out, or name another --algorithm.',
        )
    }
  return values
}
