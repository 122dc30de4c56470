// The tables and lists between `<!-- made: ... -->` and `<!-- end -->` of the pages of docs, from the catalogue of algorithms:
//   algorithms           what each gives, and when to use it
//   options NAME         the options of one algorithm, as a list, without those of all
//   figures NAME         what its counters and values mean
//   command NAME         the options of a command, those of all its algorithms
import { load, loadProgram } from './program.mjs'
import { tableOf } from './table.mjs'

const marks = /(<!-- made: ([a-z]+)(?: ([a-z0-9-]+))? -->\n)[^]*?(<!-- end -->)/g

/** @returns the text of a page with its tables anew */
export async function withTables(root, text) {
  const { algorithmEntries } = await load(root, 'workers/contract/catalogue.ts')
  const program = await loadProgram(root)
  return text.replace(marks, (_, begin, kind, name, end) => {
    if (kind === 'command') return `${begin}\n${commandTable(program, name)}\n\n${end}`
    const entry = algorithmEntries.find((known) => known.name === name)
    if (name !== undefined && entry === undefined) throw new Error(`there is no algorithm called ${name}`)
    return `${begin}\n${makers[kind](entry, algorithmEntries)}\n\n${end}`
  })
}

function commandTable(program, name) {
  const command = program.commands.find((known) => known.name() === name)
  const help = command.createHelp()
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help')
  return tableOf(
    ['option', 'meaning'],
    options.map((option) => [code(option.flags), help.optionDescription(option)]),
  )
}

const code = (text) => `\`${text}\``
const kinds = {
  'independent-set': 'a set',
  matching: 'a matching',
  'b-matching': 'a b-matching',
  values: 'a value for each vertex',
}
const pages = {
  'ecl-mis': 'sets',
  'mg-mis': 'sets',
  'tc-mis': 'sets',
  luby: 'sets',
  'ld-gpu': 'matching',
  'b-suitor': 'matching',
  bfs: 'searches',
  'bfs-tree': 'searches',
  'connected-components': 'searches',
  'k-core': 'searches',
  eccentricities: 'searches',
  'spin-glass': 'spins',
  'distance-mis': 'distance-sets',
  'mis2-aggregates': 'distance-sets',
  colouring: 'colouring',
}

/** Options that every algorithm has say nothing of one. */
const shared = new Set(['seed', 'memoryBytes', 'verify'])

const makers = {
  algorithms: (_, entries) =>
    tableOf(
      ['`--algorithm`', 'gives', 'when to use it', 'guide'],
      entries.map(({ name, kind, values, whenToUse }) => [
        code(name),
        values?.title ?? kinds[kind],
        whenToUse,
        `[${pages[name]}](${pages[name]}.md)`,
      ]),
    ),
  options: ({ options }) =>
    options
      .filter(({ name }) => !shared.has(name))
      .flatMap((option) => [itemOf(option), ...choicesOf(option)])
      .join('\n'),
  figures: ({ counters, values }) =>
    tableOf(
      ['figure', 'meaning', 'unit'],
      [...(values?.figures ?? []), ...counters].map(({ name, explanation, unit }) => [code(name), explanation, unit]),
    ),
}

/** Options are a list and no table: their words are long, and a telephone is narrow. */
const itemOf = ({ flag, explanation, default: value, kind }) =>
  `- **${code(flag)}**${value === undefined || kind === 'switch' ? '' : ` (default ${code(value)})`}: ${explanation}`
const choicesOf = ({ choices = [] }) => choices.map(({ value, explanation }) => `  - ${code(value)}: ${explanation}`)
