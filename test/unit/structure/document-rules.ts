import { dirname, join } from 'node:path'
import { legalTransitions } from '../../../electron/contract/run.ts'
import { layerTables, workerLayers } from './layers.ts'
import { edit, file, type Rule } from './rule.ts'
import { filesOf, productFolders, type SourceFile, type Tree } from './source-files.ts'

const read = (tree: Tree, path: string): string => tree.get(path) ?? ''
const isThere = (tree: Tree, path: string): boolean => {
  const name = path.replace(/^\.\/|\/$/g, '')
  return tree.has(name) || [...tree.keys()].some((each) => each.startsWith(`${name}/`))
}

const pagesOf = (tree: Tree): readonly SourceFile[] => [
  ...[...tree].filter(([path]) => !path.includes('/') && path.endsWith('.md')).map(([path, text]) => ({ path, text })),
  ...filesOf(tree, ['docs', 'workers', 'test'], ['.md']),
]
const scriptsOf = (tree: Tree): readonly SourceFile[] => filesOf(tree, ['bench', 'test/scripts', 'resources'], ['.mjs'])

/** The headings of a page as links name them. */
export const headingsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  )

const links: Rule = {
  name: 'documents link to what is there',
  broken: (tree) =>
    pagesOf(tree).flatMap(({ path: page, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)]
        .filter(([, path = '', heading]) => {
          const target = path === '' ? page : join(dirname(page), path)
          return !isThere(tree, target) || (heading !== undefined && !headingsOf(read(tree, target)).includes(heading))
        })
        .map(([link]) => `${page} links to ${link.slice(1)}, which is not there.`),
    ),
  faults: [
    file('docs/planted.md', '[a](gone.md)', 'docs/planted.md links to (gone.md)'),
    file('docs/planted.md', '# Here\n[a](#there)', 'docs/planted.md links to (#there)'),
  ],
}

const namedScripts: Rule = {
  name: 'documents name scripts and cases of benchmarks that are there',
  broken: (tree) =>
    pagesOf(tree).flatMap(({ path, text }) =>
      [
        ...[...text.matchAll(/`node ([\w/-]+\.mjs)/g)].map((match) => match[1] ?? ''),
        ...[...text.matchAll(/npm run bench -- ([a-z-]+)/g)].map((match) => `bench/cases/${match[1]}.mjs`),
      ]
        .filter((target) => !tree.has(target))
        .map((target) => `${path} names ${target}, which is not there.`),
    ),
  faults: [
    file('docs/planted.md', '`node bench/gone.mjs`', 'docs/planted.md names bench/gone.mjs'),
    file('docs/planted.md', '`npm run bench -- gone`', 'docs/planted.md names bench/cases/gone.mjs'),
  ],
}

const namedPages: Rule = {
  name: 'sources name documents that are there',
  broken: (tree) =>
    [...filesOf(tree, productFolders, ['.ts', '.mjs', '.vue', '.wgsl']), ...scriptsOf(tree)].flatMap(({ path, text }) =>
      (text.match(/docs\/[\w/-]+\.md/g) ?? [])
        .filter((page) => !tree.has(page))
        .map((page) => `${path} names ${page}, which is not there.`),
    ),
  faults: [file('kernels/mis/a.wgsl', '// docs/gone.md', 'kernels/mis/a.wgsl names docs/gone.md')],
}

const ARCHITECTURE = 'docs/architecture.md'
const ends = ['done', 'failed', 'cancelled', 'interrupted']
/** The arrows of the diagram: what every state may end as is said below it. */
const arrows = Object.entries(legalTransitions).flatMap(([from, all]) =>
  all.filter((to) => to === 'done' || !ends.includes(to)).map((to) => `  ${from} --> ${to}`),
)

const architecture: Rule = {
  name: `${ARCHITECTURE} says what is checked, and by which test`,
  broken: (tree) => {
    const page = read(tree, ARCHITECTURE)
    const order = workerLayers.map((folders) => folders.join(', ')).join('\n')
    const copies = [
      ['the tables of layers', layerTables()],
      ['the order of layers', `\n${order}\n`],
      ['the states of a run', `${arrows.join('\n')}\n\`\`\``],
    ] as const
    const plain = page.replace(/^```[^]*?^```$/gm, '').split(/\n\n|\n(?=- )/)
    const unproven = plain
      .filter((paragraph) => /^(?:- )?[A-Z*]/.test(paragraph) && !/\]\((?:\.\.\/test|decisions)\//.test(paragraph))
      .map((paragraph) => `${ARCHITECTURE}: '${paragraph.slice(0, 40)}...' links to no test and no decision.`)
    return [
      ...copies
        .filter(([, text]) => !page.replace(/ +\|/g, ' |').replace(/-{3,}/g, '---').includes(text))
        .map(([what, text]) => `${ARCHITECTURE} has not ${what} as they are checked: write\n${text}`),
      ...unproven,
    ]
  },
  faults: [
    edit(ARCHITECTURE, '\nstreaming\n', '\n', 'the order of layers'),
    edit(ARCHITECTURE, 'kernels, and types', 'types', 'the tables of layers'),
    edit(ARCHITECTURE, 'queued --> planning', 'queued --> running', 'the states of a run'),
    edit(ARCHITECTURE, '## Layers\n', '## Layers\n\nAll is well here.\n', 'All is well here.'),
  ],
}

const decisionParts = ['Context', 'Choice', 'Price', 'What would change our mind']
const MOST_LINES_A_DECISION = 12

const decisions: Rule = {
  name: 'decisions are short, whole, and without a date',
  broken: (tree) =>
    filesOf(tree, ['docs/decisions'], ['.md']).flatMap(({ path, text }) => {
      const lines = text.trim().split('\n').length
      return [
        ...(lines > MOST_LINES_A_DECISION ? [`${path} has ${lines} lines, of ${MOST_LINES_A_DECISION}.`] : []),
        ...decisionParts.filter((part) => !text.includes(`- **${part}.** `)).map((part) => `${path} has no '${part}'.`),
        ...(/\d{4}-\d\d-\d\d|[Ss]uperseded/.test(text) ? [`${path} has a history, which is git's.`] : []),
      ]
    }),
  faults: [
    file(
      'docs/decisions/9999-a.md',
      '- **Context.** a\n- **Choice.** b\n- **Price.** c',
      "no 'What would change our mind'",
    ),
    edit(
      'docs/decisions/0001-engine-on-plain-node.md',
      '- **Price.**',
      '\n\n\n\n\n- **Price.**',
      'has 13 lines, of 12',
    ),
    edit(
      'docs/decisions/0001-engine-on-plain-node.md',
      '- **Context.** A',
      '- **Context.** 2020-01-01: A',
      "has a history, which is git's",
    ),
  ],
}

const results: Rule = {
  name: 'results have a question, a commit, a machine, a command and rows',
  broken: (tree) =>
    filesOf(tree, ['docs/results'], ['.json']).flatMap(({ path, text }) => {
      const { question, commit, machine, command, columns, rows } = JSON.parse(text) as Record<string, unknown>
      const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
      const lacks = {
        question: isText(question),
        commit: /^[0-9a-f]{7,}$/.test(String(commit)),
        machine: isText(machine),
        'command that is there': /^(?:npm run bench -- [a-z]|\.\/anticlique [a-z]|node test\/scripts\/)/.test(
          String(command),
        ),
        columns: typeof columns === 'object' && Object.keys(columns!).length > 1,
        rows: Array.isArray(rows) && rows.length > 0,
      }
      return Object.entries(lacks).flatMap(([what, isGiven]) => (isGiven ? [] : [`${path} has no ${what}.`]))
    }),
  faults: ['question', 'commit', 'machine', 'command', 'columns', 'rows'].map((what) => ({
    plant: (tree: Tree) => {
      const [row] = filesOf(tree, ['docs/results'], ['.json'])
      return { 'docs/results/planted.json': JSON.stringify({ ...JSON.parse(row!.text), [what]: '' }) }
    },
    says: `has no ${what}`,
  })),
}

const guideParts = ['What it is', 'When to use (?:it|which)', 'How', 'What the figures mean', 'Limits']

const guides: Rule = {
  name: 'guides of algorithms say what it is, when to use it, how, what the figures mean, and the limits, in this order',
  broken: (tree) =>
    ['sets', 'matching', 'colouring', 'searches', 'distance-sets', 'spins'].flatMap((name) => {
      const page = `docs/${name}.md`
      const places = guideParts.map((part) => read(tree, page).search(new RegExp(`^## ${part}$`, 'm')))
      const isInOrder = places.every((place, at) => place > (places[at - 1] ?? 0))
      return isInOrder ? [] : [`${page} has not its parts, in this order: ${guideParts.join(', ')}.`]
    }),
  faults: [
    edit('docs/spins.md', '## When to use it', '## Uses', 'docs/spins.md has not its parts'),
    edit('docs/searches.md', '## What the figures mean', '## Figures', 'docs/searches.md has not its parts'),
  ],
}

const MOST_LINES_A_PARAGRAPH = 6
const MOST_CHARACTERS_A_PARAGRAPH = 750

/** Paragraphs and items of lists, without code, tables, headings and comments. */
const paragraphsOf = (text: string): readonly string[] =>
  text
    .replace(/^(`{3,})[^]*?^\1$/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .filter((paragraph) => /^(?![#|<!])\S/.test(paragraph.trim()))

const paragraphs: Rule = {
  name: 'documents have short paragraphs and tell no day',
  broken: (tree) =>
    pagesOf(tree)
      .filter(({ path }) => path !== 'docs/commands.md')
      .flatMap(({ path, text }) => [
        ...paragraphsOf(text)
          .filter(
            (paragraph) =>
              paragraph.trim().split('\n').length > MOST_LINES_A_PARAGRAPH ||
              paragraph.length > MOST_CHARACTERS_A_PARAGRAPH,
          )
          .map(
            (paragraph) =>
              `${path}: '${paragraph.trim().slice(0, 40)}...' is longer than ${MOST_LINES_A_PARAGRAPH} lines or ${MOST_CHARACTERS_A_PARAGRAPH} characters.`,
          ),
        ...(text.match(/\b20\d\d-\d\d-\d\d\b/g) ?? []).map((day) => `${path} tells a day, ${day}.`),
      ]),
  faults: [
    file('docs/planted.md', `Words${' and words'.repeat(80)}.`, "docs/planted.md: 'Words and words"),
    file('docs/planted.md', 'a\nb\nc\nd\ne\nf\ng', "docs/planted.md: 'a"),
    file('docs/planted.md', 'Measured on 2020-01-01.', 'docs/planted.md tells a day'),
  ],
}

const scripts: Rule = {
  name: 'scripts import what is there, and cases of benchmarks are in the table',
  broken: (tree) => [
    ...scriptsOf(tree).flatMap(({ path, text }) =>
      [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)]
        .map((match) => join(dirname(path), match[1] ?? ''))
        .filter((target) => !tree.has(target))
        .map((target) => `${path} imports ${target}, which is not there.`),
    ),
    ...filesOf(tree, ['bench/cases'], ['.mjs'])
      .filter(({ path }) => !read(tree, 'bench/cases.mjs').includes(`./cases/${path.split('/').at(-1)}`))
      .map(({ path }) => `${path} is not in bench/cases.mjs.`),
  ],
  faults: [
    file('test/scripts/a.mjs', "import { a } from './gone.mjs'", 'test/scripts/a.mjs imports test/scripts/gone.mjs'),
    file('bench/cases/a.mjs', '', 'bench/cases/a.mjs is not in bench/cases.mjs'),
  ],
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}
const manifestOf = (tree: Tree): Manifest => JSON.parse(read(tree, 'package.json')) as Manifest
const ofNpm = ['ci', 'install']

const commands: Rule = {
  name: 'README and CONTRIBUTING name commands that exist',
  broken: (tree) =>
    ['README.md', 'CONTRIBUTING.md'].flatMap((page) => {
      const { scripts: known, bin } = manifestOf(tree)
      const named = [...read(tree, page).matchAll(/(?:^|`)npm (?:run )?([a-z]+)/gm)].map((match) => match[1] ?? '')
      return [
        ...named.filter((name) => !ofNpm.includes(name) && known[name] === undefined).map((name) => `npm run ${name}`),
        ...(read(tree, page).includes('./anticlique') && bin['anticlique'] === undefined ? ['./anticlique'] : []),
      ].map((command) => `${page} names '${command}', which package.json does not have.`)
    }),
  faults: [
    edit('README.md', '`npm ', '`npm run gone` `npm ', "README.md names 'npm run gone'"),
    edit('package.json', '"anticlique": ', '"other": ', "README.md names './anticlique'"),
  ],
}

const DEPENDENCIES = 'docs/dependencies.md'
const dependencies: Rule = {
  name: 'every dependency is explained, and no other',
  broken: (tree) => {
    const explained = [...read(tree, DEPENDENCIES).matchAll(/^- `([^`]+)`/gm)].map((match) => match[1] ?? '')
    const manifest = manifestOf(tree)
    const used = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies].flatMap(Object.keys)
    return [
      ...used.filter((name) => !explained.includes(name)).map((name) => `${DEPENDENCIES} has no line for ${name}.`),
      ...explained
        .filter((name) => !used.includes(name))
        .map((name) => `${DEPENDENCIES} explains ${name}, which is not used.`),
    ]
  },
  faults: [
    edit('package.json', '"dependencies": {', '"dependencies": { "planted": "1.0.0",', 'has no line for planted'),
    edit(DEPENDENCIES, '- `zod`', '- `planted`: nothing\n- `zod`', 'explains planted'),
  ],
}

export const documentRules: readonly Rule[] = [
  links,
  namedScripts,
  namedPages,
  architecture,
  decisions,
  results,
  guides,
  paragraphs,
  scripts,
  commands,
  dependencies,
]
