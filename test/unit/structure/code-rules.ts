import { dirname, join } from 'node:path/posix'
import { algorithmNames } from '../../../workers/contract/catalogue.ts'
import { exportFormats } from '../../../workers/contract/result.ts'
import { graphFormats } from '../../../workers/contract/jobs.ts'
import { importCircles } from './circles.ts'
import { brokenLayers } from './layers.ts'
import { beyond, file, grouped, placeOf, type Rule } from './rule.ts'
import { filesOf, productFolders, type SourceFile } from './source-files.ts'

const layers: Rule = {
  name: 'every folder imports only what it may',
  broken: (tree) => filesOf(tree, productFolders, ['.ts', '.mjs', '.vue']).flatMap(brokenLayers),
  faults: (
    [
      [
        'renderer/src/A.vue',
        "import { a } from '../../workers/engine/engine.ts'",
        'allowed: renderer, electron/contract',
      ],
      ['renderer/src/A.vue', "import { readFile } from 'node:fs'", 'imports node:'],
      ['electron/contract/a.ts', "import { a } from '../../workers/base/failure.ts'", 'allowed: zod'],
      ['electron/preload.ts', "import { z } from 'zod'", 'self-contained'],
      ['electron/service/a.ts', "import { app } from 'electron'", 'belongs to electron/main.ts'],
      ['electron/service/a.ts', "import Database from 'better-sqlite3'", 'belongs to electron/library'],
      ['electron/service/a.ts', "import { a } from '../../workers/algorithms/run.ts'", "the engine's contract"],
      ['electron/service/a.ts', "const page = await import('../../renderer/src/main.ts')", "the engine's contract"],
      ['workers/algorithms/a.ts', "import { create } from 'webgpu'", 'belongs to workers/device'],
      [
        'workers/algorithms/luby/a.ts',
        "import { a } from '../../jobs/plan.ts'",
        'workers/algorithms and the layers below',
      ],
      [
        'workers/algorithms/others/bfs/check-a.ts',
        "import { bfs } from './bfs.ts'",
        'a check shares no code with the algorithm',
      ],
      ['workers/export/a.ts', "import { verify } from '../verify/verify.ts'", 'workers/export and the layers below'],
      [
        'workers/base/a.ts',
        "import type { A } from '../contract/jobs.ts'",
        'workers/base and the layers below it (none)',
      ],
      ['workers/import/formats/a.ts', "import type { A } from '../reading/reading.ts'", 'an arrow back up'],
      ['workers/import/lines/a.ts', "import { a } from '../external/a.ts'", 'an arrow back up'],
      ['workers/import/build/a.ts', "import { a } from '../import-graph.ts'", 'an arrow back up'],
      ['workers/loose.ts', "import { Failure } from './base/failure.ts'", 'belongs into one of its layers'],
      ['workers/engine/a.ts', "import {\n  calls,\n} from '../../electron/contract/calls.ts'", 'workers/engine'],
      ['kernels/mis/a.ts', "import { Failure } from '../../workers/base/failure.ts'", 'types from anywhere'],
    ] as const
  ).map(([path, text, says]) => file(path, text, says)),
}

const circles: Rule = {
  name: 'no files of workers and kernels import each other in a circle, types counted',
  broken: (tree) =>
    importCircles(filesOf(tree, ['workers', 'kernels'], ['.ts'])).map(
      (circle) => `${circle.join(', ')} import each other: move what both need below them.`,
    ),
  faults: [
    {
      plant: () => ({
        'workers/base/a.ts': "import type { B } from './b.ts'",
        'workers/base/b.ts': "export * from './c.ts'\nimport './d.ts'",
        'workers/base/c.ts': "import { a } from './a.ts'",
        'workers/base/d.ts': '',
      }),
      says: 'workers/base/a.ts, workers/base/b.ts, workers/base/c.ts import each other',
    },
  ],
}

/** How many files of workers still have the same name. These numbers may only shrink. */
const SAME_NAMES: Readonly<Record<string, number>> = {
  'buckets.ts': 2,
  'graph-pieces.ts': 2,
  'plan.ts': 2,
  'registry.ts': 2,
  'run.ts': 2,
}

const sameNames: Rule = {
  name: 'no two files of workers have the same name',
  broken: (tree) => {
    const files = filesOf(tree, ['workers'], ['.ts']).filter(
      ({ path }) => !path.startsWith('workers/contract/catalogue/'),
    )
    const byName = grouped(files.map(({ path }) => [path.split('/').at(-1)!, path]))
    return beyond(
      new Map([...byName].filter(([, paths]) => paths.length > 1)),
      SAME_NAMES,
      'Name each after what it exports.',
    )
  },
  faults: [file('workers/threads/failure.ts', '', 'workers/base/failure.ts, workers/threads/failure.ts')],
}

const twins: Rule = {
  name: 'every kernel has a twin of the same name',
  broken: (tree) =>
    filesOf(tree, ['kernels'], ['.wgsl'])
      .filter(({ path }) => !tree.has(path.replace(/\.wgsl$/, '.ts')))
      .map(({ path }) => `${path} has no twin: write ${path.replace(/\.wgsl$/, '.ts')}.`),
  faults: [file('kernels/mis/alone.wgsl', '', 'kernels/mis/alone.wgsl has no twin')],
}

/** Put together here, so that this file does not find itself. */
const ways = [': an' + 'y', 'as an' + 'y', '<an' + 'y>', '@ts-' + 'ignore', '@ts-' + 'nocheck', 'eslint-' + 'disable']
const aroundTypes = new RegExp(`(?:${ways.join('|')})(?!\\w)`)
const linesWith = ({ path, text }: SourceFile, isFound: (line: string) => boolean): readonly string[] =>
  text.split('\n').flatMap((line, index) => (isFound(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []))

const types: Rule = {
  name: 'no file goes around the type checker or the linter',
  broken: (tree) =>
    filesOf(tree, [...productFolders, 'bench', 'test'], ['.ts', '.mjs', '.vue']).flatMap((each) =>
      linesWith(each, (line) => !/^\s*(?:\/\/|\/?\*)(?!.*(?:@ts-|eslint-))/.test(line) && aroundTypes.test(line)),
    ),
  faults: ways.map((way) =>
    file('test/unit/a.test.ts', `// in a comment\nlet a${way}`, `test/unit/a.test.ts:2: let a${way}`),
  ),
}

/** Files in which a format may be called by its name. */
const ofFormats = /^workers\/(?:contract\/graph-formats\.ts$|(?:import|export)\/formats\/)/
const results: readonly string[] = exportFormats
// Arrows are also shapes of charts.
const formatNames = graphFormats.filter((name) => !results.includes(name) && name !== 'arrow')

const formats: Rule = {
  name: 'formats of graphs are spelled by name only where they are defined',
  broken: (tree) =>
    filesOf(tree, ['workers', 'electron', 'renderer'], ['.ts', '.vue'])
      .filter(({ path, text }) => !ofFormats.test(path) && new RegExp(`'(?:${formatNames.join('|')})'`).test(text))
      .map(({ path }) => `${path}: ask the format's descriptor (workers/import/formats/registry.ts).`),
  faults: [
    file(
      'electron/service/a.ts',
      `const a = '${formatNames[0]}'`,
      "electron/service/a.ts: ask the format's descriptor",
    ),
  ],
}

/** How many lines of a folder still spell the name of an algorithm. These numbers may only shrink. */
const NAMED_ALGORITHMS: Readonly<Record<string, number>> = {
  'electron/cli': 21,
  'electron/service': 2,
  'renderer/src': 2,
  'workers/algorithms': 2,
  'workers/contract': 1,
}
const ofAlgorithms = /^workers\/(?:contract\/catalogue|algorithms\/registry\.ts$)/
const comment = /^\s*(?:\/\/|\/?\*)/

const algorithms: Rule = {
  name: 'algorithms are spelled by name only in the catalogue, the registry and their own folders',
  broken: (tree) => {
    const places = filesOf(tree, ['workers', 'electron', 'renderer'], ['.ts', '.vue'])
      .filter(({ path }) => !ofAlgorithms.test(path))
      .flatMap(({ path, text }) => {
        const others = algorithmNames.filter((name) => !path.includes(`/${name}/`))
        const spelled = new RegExp(`['"\`][^'"\`]*\\b(?:${others.join('|')})\\b`)
        const code = text.replace(/ from '[^']*'|import\([^)]*\)/g, '')
        return linesWith({ path, text: code }, (line) => !comment.test(line) && spelled.test(line))
      })
    const byFolder = grouped(places.map((place) => [placeOf(place.split(':')[0]!), place]))
    return beyond(byFolder, NAMED_ALGORITHMS, 'Ask the entry of the algorithm (workers/contract/catalogue).')
  },
  faults: [
    file('electron/cli/a.ts', "const a = 'ecl-mis'", "electron/cli/a.ts:1: const a = 'ecl-mis'"),
    file(
      'workers/algorithms/luby/a.ts',
      "const a = `luby and\n${b}`\nconst c = 'use mg-mis'",
      "a.ts:3: const c = 'use mg-mis'",
    ),
  ],
}

/** Tests of the product as a whole, and of these files. */
const WHOLE_PRODUCT = ['structure', 'engine', 'cli', 'contract', 'electron', 'kernels']

const mirrored: Rule = {
  name: 'folders of tests are folders of workers, of electron, of resources, or of the whole product',
  broken: (tree) => {
    const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')
    const there = new Set([...tree.keys()].map(folderOf))
    const above = [...there].flatMap((path) => path.split('/').map((_, i, names) => names.slice(0, i + 1).join('/')))
    const product = new Set(above)
    const tested = new Set(
      filesOf(tree, ['test/unit', 'test/property', 'test/gpu', 'test/integration'], ['.ts']).map(({ path }) =>
        folderOf(path),
      ),
    )
    return [...tested]
      .map((folder) => [folder, folder.split('/').slice(2).join('/')] as const)
      .filter(
        ([, name]) =>
          !WHOLE_PRODUCT.includes(name) &&
          !['workers', 'electron', 'resources'].some((each) => product.has(`${each}/${name}`)),
      )
      .map(
        ([folder, name]) => `${folder}: there is no folder workers/${name}; tests are in the folder of what they test.`,
      )
  },
  faults: [file('test/gpu/tensor/a.test.ts', '', 'test/gpu/tensor: there is no folder workers/tensor')],
}

/** How many doc comments begin without a subject. The number may only shrink. */
const MOST_WITHOUT_SUBJECT = 0
const withoutSubject = /^\s*\/\*\* (?:Of|That|Likewise|Where|In|By)\b/

const subjects: Rule = {
  name: `at most ${MOST_WITHOUT_SUBJECT} doc comments begin without their subject`,
  broken: (tree) => {
    const found = filesOf(tree, productFolders, ['.ts', '.vue']).flatMap((each) =>
      linesWith(each, (line) => withoutSubject.test(line)),
    )
    return found.length <= MOST_WITHOUT_SUBJECT
      ? []
      : [
          `${found.length} doc comments begin with Of, That, Likewise, Where, In or By: name the subject, which an editor shows without the line below; the last is ${found.at(-1)}.`,
        ]
  },
  faults: [
    file(
      'workers/loose/a.ts',
      '/** Of the list. */\n'.repeat(MOST_WITHOUT_SUBJECT + 1),
      `workers/loose/a.ts:${MOST_WITHOUT_SUBJECT + 1}: /** Of the list. */`,
    ),
  ],
}

/** Names that two files of workers export with different meanings. The list may only shrink. */
const TWO_MEANINGS: Readonly<Record<string, number>> = {
  LineReader: 2,
  integerLabels: 2,
  numbers: 2,
}
const exported = /^export (?:async |abstract )*(?:function\*?|const|class|interface|type|let) ([A-Za-z_$][\w$]*)/gm

const meanings: Rule = {
  name: 'an exported name has one meaning in workers',
  broken: (tree) => {
    const files = filesOf(tree, ['workers'], ['.ts']).filter(
      ({ path }) => !path.startsWith('workers/contract/catalogue/'),
    )
    const byName = grouped(
      files.flatMap(({ path, text }) => [...text.matchAll(exported)].map(([, name]) => [name!, path] as const)),
    )
    return beyond(
      new Map([...byName].filter(([, paths]) => paths.length > 1)),
      TWO_MEANINGS,
      'Name one of them after what it is.',
    )
  },
  faults: [file('workers/loose/a.ts', 'export class Failure {}', 'Failure has 2')],
}

/** How many distinct names the flagships import from outside their folders. These numbers may only shrink. */
const OUTSIDE_NAMES: Readonly<Record<string, number>> = {
  'workers/algorithms/ecl-mis': 70,
  'workers/algorithms/ld-gpu': 90,
}
const statement = /^import (?:type )?\{([^}]*)\} from '([^']+)'/gm

const outside: Rule = {
  name: 'the flagships import few names from outside their folders',
  broken: (tree) =>
    Object.entries(OUTSIDE_NAMES).flatMap(([folder, most]) => {
      const names = filesOf(tree, [folder], ['.ts']).flatMap(({ path, text }) =>
        [...text.matchAll(statement)].flatMap(([, specifiers = '', module = '']) => {
          const target = module.startsWith('.') ? join(dirname(path), module) : module
          if (target.startsWith(`${folder}/`)) return []
          const imported = specifiers.split(',').map(
            (each) =>
              each
                .trim()
                .replace(/^type /, '')
                .split(' as ')[0]!,
          )
          return imported.filter((name) => name !== '').map((name) => `${target} ${name}`)
        }),
      )
      const count = new Set(names).size
      return count <= most ? [] : [`${folder} imports ${count} names from outside, of ${most} allowed.`]
    }),
  faults: [
    file(
      'workers/algorithms/ecl-mis/a.ts',
      "import { a, type b } from '../b.ts'",
      'workers/algorithms/ecl-mis imports',
    ),
  ],
}

/** How many files past 150 lines open without a prologue. The number may only shrink. */
const MOST_WITHOUT_PROLOGUE = 20
const LONG_LINES = 150

/** The lines of the comment that a file opens with. */
const prologueOf = (text: string): readonly string[] => {
  const [, body = ''] = /^\/\*\*\n([^]*?)\n \*\/\n\n/.exec(text) ?? []
  return body.split('\n').filter((line) => line.length > 3)
}

const prologues: Rule = {
  name: `at most ${MOST_WITHOUT_PROLOGUE} files past ${LONG_LINES} lines open without a prologue, and prologues name files that are there`,
  broken: (tree) => {
    const files = filesOf(tree, productFolders, ['.ts'])
    const without = files
      .filter(({ text }) => text.split('\n').length > LONG_LINES + 1)
      .filter(({ text }) => prologueOf(text).length < 3 || prologueOf(text).length > 10)
      .map(({ path }) => path)
    const tooMany =
      without.length <= MOST_WITHOUT_PROLOGUE
        ? []
        : [
            `${without.length} files past ${LONG_LINES} lines do not open with 3 to 10 lines that say what it is, by which algorithm, what it costs and what stands beside it; one is ${without.at(-1)}.`,
          ]
    const gone = files.flatMap(({ path, text }) =>
      [
        ...prologueOf(text)
          .join(' ')
          .matchAll(/[\w./-]*\w\.ts\b/g),
      ]
        .map(([name]) => name)
        .filter((name) => ![...tree.keys()].some((known) => `/${known}`.endsWith(`/${name}`)))
        .map((name) => `${path} speaks of ${name}, which is not there.`),
    )
    return [...tooMany, ...gone]
  },
  faults: [
    {
      plant: () =>
        Object.fromEntries(
          Array.from({ length: MOST_WITHOUT_PROLOGUE + 1 }, (_, i) => [`workers/loose/a${i}.ts`, '\n'.repeat(200)]),
        ),
      says: 'do not open with 3 to 10 lines',
    },
    file(
      'workers/loose/a.ts',
      '/**\n * First line.\n * See gone-away.ts.\n * Third line.\n */\n\n',
      'workers/loose/a.ts speaks of gone-away.ts, which is not there.',
    ),
  ],
}

export const codeRules: readonly Rule[] = [
  layers,
  circles,
  sameNames,
  twins,
  types,
  formats,
  algorithms,
  mirrored,
  subjects,
  prologues,
  meanings,
  outside,
]
