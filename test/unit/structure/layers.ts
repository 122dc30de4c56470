import { importsOf, type Import } from './imports.ts'
import type { SourceFile } from './source-files.ts'

interface Layer {
  /** Paths that this layer holds; the first layer that fits a file is the file's. */
  readonly holds: RegExp
  /** Targets that may be imported, packages and paths alike. */
  readonly allowed: RegExp
  /** Targets of which only the types may be imported. */
  readonly types?: RegExp
  readonly words: string
  /** The folder as docs/architecture.md names it; absent where its row is another's. */
  readonly folder?: string
}

const engineContract = String.raw`workers\/(?:contract\/.+|base\/(?:job|failure))\.ts`

/** The layers of `workers/`, top to bottom (workers/README.md): a folder imports itself and those below. */
export const workerLayers = [
  ['engine'],
  ['jobs'],
  ['algorithms'],
  ['verify', 'export', 'explore', 'import'],
  ['generate'],
  ['streaming'],
  ['device'],
  ['graph'],
  ['exchange'],
  ['threads'],
  ['contract'],
  ['base'],
] as const

const ofWorkers: readonly Layer[] = workerLayers.flatMap((folders, depth) =>
  folders.map((folder) => {
    const below = workerLayers.slice(depth + 1).flat()
    const own = [folder, ...below].join('|')
    return {
      holds: new RegExp(`^workers/${folder}/`),
      allowed: new RegExp(
        `^(?!electron/|renderer/|test/|bench/)(?!(?:electron|vue|pinia)$)(?!workers/(?!(?:${own})/))`,
      ),
      words: `workers/${folder} and the layers below it (${below.join(', ') || 'none'}), kernels and packages`,
    }
  }),
)

const belowVerify = workerLayers.slice(workerLayers.findIndex(([first]) => first === 'verify') + 1).flat()

/** The folder is the runtime: what each one may import. Dependencies point one way, and nothing points back. */
const layers: readonly Layer[] = [
  {
    folder: 'renderer',
    holds: /^renderer\//,
    allowed:
      /^(?:renderer\/|electron\/contract\/|(?:vue|vue-router|pinia|zod|reka-ui(?:\/namespaced)?|echarts|sigma|graphology|topojson-(?:client|specification)|@lucide\/vue)$|@tanstack\/vue-|graphology-|(?:echarts|sigma|zrender|world-atlas)(?:\/|$))/,
    words: 'renderer, electron/contract, and the packages of the page',
  },
  {
    folder: 'electron/contract',
    holds: /^electron\/contract\//,
    allowed: /^(?:electron\/contract\/|zod$|workers\/contract\/.+\.ts$)/,
    types: new RegExp(`^${engineContract}$`),
    words: "zod, and the engine's contract",
  },
  {
    folder: 'electron/preload.ts',
    holds: /^electron\/preload\.ts$/,
    allowed: /^(?:electron$|electron\/host\/channels\.ts$)/,
    words: 'electron and the names of the channels (a sandboxed preload must be self-contained)',
  },
  {
    folder: 'electron',
    holds: /^electron\//,
    allowed: new RegExp(
      `^(?!renderer/|kernels/|test/)(?!workers/(?!(?:contract/.+|base/(?:job|failure|output-file))\\.ts$))`,
    ),
    types: /^workers\//,
    words:
      "electron, packages, and of workers only the engine's contract (contract/, base/job.ts, base/failure.ts) and how people's files and sealed ones are written",
  },
  {
    holds: /^workers\/algorithms\/others\/[^/]+\/check-[a-z-]+\.ts$/,
    allowed: new RegExp(`^(?:workers/(?:${['verify', ...belowVerify].join('|')})/|kernels/parts/|node:)`),
    words: 'what the verifier may: a check shares no code with the algorithm that it checks',
  },
  ...ofWorkers,
  { holds: /^workers\//, allowed: /^$/, words: 'nothing: a file of workers belongs into one of its layers' },
  {
    folder: 'kernels',
    holds: /^kernels\//,
    allowed: /^kernels\//,
    types: /./,
    words: 'kernels, and types from anywhere',
  },
]

/** The folders of `workers/import`, top to bottom; `.` has the files beside them. Ways of an import stand side by side. */
const importFolders = [
  ['preview'],
  ['containers'],
  ['.'],
  ['canonical'],
  ['external', 'lines'],
  ['attributes'],
  ['reading'],
  ['build'],
  ['formats'],
  ['reader'],
] as const

/** The depth of a file of `workers/import`; -1 for any other. */
function importDepth(path: string): number {
  const [, rest] = /^workers\/import\/(.+)$/.exec(path) ?? []
  if (rest === undefined) return -1
  const folder = rest.includes('/') ? rest.split('/')[0] : '.'
  return importFolders.findIndex((folders) => folders.some((one) => one === folder))
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** Arrows that run back up, or to the side, between the folders of `workers/import`. */
function arrowsBack({ path }: SourceFile, { target }: Import): string[] {
  const [from, to] = [importDepth(path), importDepth(target)]
  if (from < 0 || to < 0 || from < to || folderOf(path) === folderOf(target)) return []
  const order = importFolders.map((folders) => folders.join(' and ')).join(', ')
  return [`${path} imports ${target}: an arrow back up; the folders of workers/import are, top to bottom, ${order}.`]
}

/** Packages that only a few files may import. */
const guarded: readonly { readonly name: string; readonly only: RegExp; readonly words: string }[] = [
  {
    name: 'electron',
    only: /^electron\/(?:main|preload|host\/ipc[a-z-]*)\.ts$/,
    words: 'electron/main.ts, electron/preload.ts and electron/host/ipc*.ts',
  },
  { name: 'webgpu', only: /^workers\/device\//, words: 'workers/device' },
  { name: 'better-sqlite3', only: /^electron\/library\//, words: 'electron/library' },
  { name: 'koffi', only: /^workers\/exchange\//, words: 'workers/exchange' },
]

/** The tables of docs/architecture.md, one blank around each cell. */
export function layerTables(): string {
  const workers = 'the layers of `workers` below, `kernels` and packages; never `electron` or `renderer`'
  const rows = [
    ...layers.flatMap(({ folder, words }) => (folder === undefined ? [] : [[folder, words]])),
    ['workers', workers],
  ]
  const table = (head: string, lines: readonly string[]): string =>
    [`| ${head} |`, '| --- | --- |', ...lines].join('\n')
  const imports = rows.map(([folder, words]) => `| [${folder}](../${folder}) | ${words} |`)
  const packages = guarded.map(({ name, words }) => `| ${name} | ${words} |`)
  return `${table('folder | may import', imports)}\n\n${table('package | belongs to', packages)}`
}

/** One sentence for each import that breaks a rule. */
export function brokenLayers(file: SourceFile): readonly string[] {
  const layer = layers.find(({ holds }) => holds.test(file.path))
  return importsOf(file).flatMap((imported) => [
    ...(layer === undefined || fits(layer, imported)
      ? []
      : [`${file.path} imports ${imported.target}; allowed: ${layer.words}.`]),
    ...guarded
      .filter(({ name, only }) => imported.target === name && !imported.typeOnly && !only.test(file.path))
      .map(({ name, words }) => `${file.path} imports ${name}, which belongs to ${words} alone.`),
    ...arrowsBack(file, imported),
  ])
}

function fits(layer: Layer, { target, typeOnly }: Import): boolean {
  return layer.allowed.test(target) || (typeOnly && layer.types?.test(target) === true)
}
