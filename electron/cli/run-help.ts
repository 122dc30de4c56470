import type { Command, Help, Option } from 'commander'
import {
  algorithmEntries,
  algorithmEntry,
  type AlgorithmEntry,
  type OptionEntry,
} from '../../workers/contract/catalogue.ts'

/** Options beside the catalogue that say how an algorithm computes. */
const ofEachRun: ReadonlySet<string> = new Set(['--algorithm', '--devices', '--help'])

/** The entries of one flag, each with the name of its algorithm. */
export type OwnedOption = OptionEntry & { readonly owner: string }

const owned: readonly OwnedOption[] = algorithmEntries.flatMap(({ name: owner, options }) =>
  options.map((option) => ({ ...option, owner })),
)

/** Options of the catalogue, those of one flag together. */
export const optionsByFlag: ReadonlyMap<string, readonly OwnedOption[]> = Map.groupBy(owned, ({ flag }) => flag)

/**
 * The help of a command that takes every option of every algorithm: by itself what all algorithms take and what there is to choose from, with
 * `--algorithm NAME` what this one takes.
 *
 * @param examples what ends the help of all
 * @param forAll flags of some algorithms that the command offers with all others, too, in words of its own
 */
export function explainByAlgorithm(command: Command, examples: string, forAll: readonly string[] = []): void {
  const usual = command.createHelp()
  const asked = (): AlgorithmEntry | undefined =>
    command.getOptionValueSource('algorithm') === 'cli'
      ? algorithmEntry(String(command.opts()['algorithm']))
      : undefined
  const isShown = ({ long }: Option, entry: AlgorithmEntry | undefined): boolean => {
    const alike = optionsByFlag.get(long ?? '')
    if (alike === undefined) return entry === undefined || ofEachRun.has(long ?? '')
    if (forAll.includes(long ?? '')) return true
    if (entry === undefined) return alike.length === algorithmEntries.length
    return alike.some(({ owner }) => owner === entry.name)
  }
  command
    .configureHelp({
      ...command.configureHelp(),
      visibleOptions(this: Help, of: Command) {
        return usual.visibleOptions.call(this, of).filter((option) => isShown(option, asked()))
      },
      visibleGlobalOptions(this: Help, of: Command) {
        return asked() === undefined ? usual.visibleGlobalOptions.call(this, of) : []
      },
      optionDescription(this: Help, option: Option) {
        const alike = optionsByFlag.get(option.long ?? '')
        const own = alike?.find(({ owner }) => owner === asked()?.name)
        if (alike === undefined || (own === undefined && forAll.includes(option.long ?? '')))
          return usual.optionDescription.call(this, option)
        return optionText(own ?? alike[0]!)
      },
    })
    .addHelpText('before', () => beginning(asked()))
    .addHelpText('after', () =>
      asked() === undefined
        ? `${overview(command.name())}\n${examples}`
        : `\nWhat all runs take, and examples: anticlique ${command.name()} --help`,
    )
}

/** What an algorithm does, as the first thing of its help. */
function beginning(entry: AlgorithmEntry | undefined): string {
  if (entry === undefined) return ''
  const { title, summary, whenToUse, paper } = entry
  const source = `${paper.authors}: ${paper.title}. ${paper.venue}, ${paper.year}`
  return `${[`${title}. ${summary}`, whenToUse, source].map((line) => wrapped(line)).join('\n')}\n`
}

const kinds = {
  'independent-set': 'Sets',
  matching: 'Matchings',
  'b-matching': 'Several partners for each vertex',
  values: 'A value for each vertex',
} as const satisfies Record<AlgorithmEntry['kind'], string>

/** All algorithms by what they give. */
function overview(command: string): string {
  const width = Math.max(...algorithmEntries.map(({ name }) => name.length))
  const lists = Object.entries(kinds).map(([kind, title]) => {
    const alike = algorithmEntries.filter((entry) => entry.kind === kind)
    const lines = alike.map(({ name, whenToUse }) => {
      const [first, ...others] = wrapped(whenToUse, HELP_WIDTH - width - 4).split('\n')
      return [`  ${name.padEnd(width)}  ${first}`, ...others.map((line) => ' '.repeat(width + 4) + line)].join('\n')
    })
    return `${title}:\n${lines.join('\n')}`
  })
  return `\n${lists.join('\n\n')}\n\nThe options of one, such as --quality and --priority: anticlique ${command} --algorithm NAME --help`
}

const HELP_WIDTH = 80
const wrapped = (text: string, width = HELP_WIDTH): string =>
  text.replace(new RegExp(`(.{1,${width}})(?: |$)`, 'g'), '$1\n').trimEnd()

/** What an option means to one algorithm: its sentence, the choices, a line each, and what it is by itself. */
export function optionText({ kind, explanation, choices = [], default: usual }: OptionEntry): string {
  const lines = choices.map(
    ({ value, explanation: words }) => `${value}: ${words}${value === usual ? ' (default)' : ''}`,
  )
  const isNamed = usual === undefined || kind === 'switch' || choices.length > 0
  return [`${explanation}${isNamed ? '' : ` Default: ${usual}.`}`, ...lines].join('\n')
}
