import { type Command } from 'commander'
import { beforeAll, expect, test } from 'vitest'
import { createProgram } from '../../../electron/cli/main.ts'
import { Shell } from '../../../electron/cli/shell.ts'
import { filesOf, readTree } from '../structure/source-files.ts'

const tree = readTree()
const pages = [
  ...['README.md', 'CONTRIBUTING.md'].map((path) => ({ path, text: tree.get(path)! })),
  ...filesOf(tree, ['docs'], ['.md']).filter(({ path }) => !path.startsWith('docs/decisions/')),
  ...filesOf(tree, ['resources/clients'], ['.py', '.R', '.md']),
]
/** Options of scripts of the repository, which documents name, too. */
const ofScripts = new Set(
  [
    ...filesOf(tree, ['bench', 'test', 'resources'], ['.mjs', '.ts']),
    { path: 'package.json', text: tree.get('package.json')! },
  ].flatMap(({ text }) => [
    ...[...text.matchAll(/(--[a-z][a-z-]*)/g)].map(([option]) => option),
    ...[...text.matchAll(/\bmeasure\(bench, \{ ([^}]*)\}/g)].flatMap(([, names = '']) =>
      names.split(/[\s,]+/).map((name) => `--${name}`),
    ),
    ...[...text.matchAll(/'?\b([a-z][a-z-]*)'?: \{ type: '(?:string|boolean)'/g)].map(([, name]) => `--${name}`),
  ]),
)

let program: Command
beforeAll(async () => {
  const runner = () => Promise.reject(new Error('no engine'))
  program = await createProgram(
    new Shell(
      () => ({}),
      () => ({ run: runner, close: () => Promise.resolve() }),
    ),
    [],
  )
})

const commandsUnder = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsUnder)]
const optionsOf = (command: Command) => command.options.filter(({ long }) => long !== undefined)

/** The command that words name, with the commands that it belongs to. */
function commandsNamed(words: readonly string[]): Command[] {
  const found = [program]
  for (const word of words) {
    const next = found.at(-1)!.commands.find((command) => command.name() === word)
    if (next !== undefined) found.push(next)
  }
  const last = found.at(-1)!
  const usual = last.commands.find((command) => command.name() === 'list')
  return usual === undefined ? found : [...found, usual]
}

interface Line {
  readonly path: string
  readonly line: string
}

/** Lines of blocks and spans of code that call the program, with their continuations. */
const calls: readonly Line[] = pages.flatMap(({ path, text }) => {
  const blocks = [...text.matchAll(/^```(?:sh|console)\n([^]*?)^```$/gm)].flatMap(([, code = '']) =>
    code.replaceAll(/\\\n\s*/g, ' ').split('\n'),
  )
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  return [...blocks, ...spans].flatMap((line) => {
    const [, call] = /(?:^|[|;&] ?|npx )anticlique ([^#|;&]*)/.exec(line) ?? []
    return call === undefined ? [] : [{ path, line: call }]
  })
})

test('commands of the documents have the options of their command', () => {
  const strangers = calls.flatMap(({ path, line }) => {
    const words = line.split(/\s+/)
    const named = commandsNamed(words.filter((word) => !word.startsWith('-')))
    const known = new Set([...named.flatMap(optionsOf).map(({ long }) => long), '--help'])
    const options = words.flatMap((word) => /^(--[a-z][a-z-]*)/.exec(word)?.[1] ?? [])
    return options.filter((option) => !known.has(option)).map((option) => `${path}: ${option} in "${line}"`)
  })
  expect(calls.length).toBeGreaterThan(40)
  expect(strangers).toEqual([])
})

/** Spans of code that begin with an option, and what stands behind it: `--network SIZE`. */
const spans = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/`(--[a-z][a-z-]*)(?:[ =]([^`\n]*))?`/g)].map(([, option = '', value = '']) => ({
    path,
    option,
    value,
  })),
)

test('options that the documents name are options of a command', () => {
  const known = new Set([
    ...commandsUnder(program)
      .flatMap(optionsOf)
      .map(({ long }) => long),
    ...['--help', ...ofScripts],
  ])
  expect(spans.length).toBeGreaterThan(100)
  expect(spans.filter(({ option }) => !known.has(option))).toEqual([])
})

/** What a value is: a size, a time, a number, or a word of any kind. */
function kindOf(placeholder: string): string {
  const word = placeholder.toLowerCase()
  if (word === 'size') return 'size'
  if (word === 'time' || word === 'seconds') return 'time'
  return word.length === 1 || word === 'number' ? 'number' : 'word'
}

test('what stands behind an option has the unit of its help', () => {
  const options = Map.groupBy(commandsUnder(program).flatMap(optionsOf), ({ long }) => long)
  const valued = spans.filter(({ option, value }) => options.has(option) && /^[A-Z][A-Z_]*$/.test(value))
  const others = valued.filter(({ option, value }) => {
    const own = options.get(option)!.map(({ flags }) => kindOf(/<([^>]+)>/.exec(flags)?.[1] ?? ''))
    return !own.includes(kindOf(value))
  })
  expect(valued.length).toBeGreaterThan(30)
  expect(others).toEqual([])
})
