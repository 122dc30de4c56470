import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { DescribedFormat } from '../../../../workers/export/formats/described-graph.ts'
import { writeGraphFile } from '../../../../workers/export/formats/write-graph-file.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { GraphExportFormat, ImportArgs } from '../../../../workers/contract/jobs.ts'
import { randomStream } from '../../../support/graphs.ts'
import { readDataset, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 100)

/** What a format carries, beside the edges; see docs/formats.md. */
interface Carries {
  readonly options?: Partial<ImportArgs>
  /** The user's ids; the others have FILE.labels. */
  readonly labels?: true
  /** `always`: 1 where the graph has none. `whole`: the same, and whole numbers only. */
  readonly weights?: 'none' | 'whole' | 'always'
}

/** GraphML and GEXF, whose ids are texts, are in described-graph.test.ts. */
const carries = {
  'matrix-market': {},
  'edge-list': { labels: true, options: { format: 'edge-list', table: { header: 'no' } } },
  csv: { labels: true, options: { format: 'edge-list', table: { header: 'yes' } } },
  metis: { options: { format: 'metis' } },
  dimacs: { weights: 'none' },
  dimacs9: { weights: 'always' },
  galois: {},
  galois2: {},
  egr: {},
  egr64: {},
  sg: { weights: 'none' },
  wsg: { weights: 'whole' },
  pbbs: {},
  vite: { weights: 'always' },
  parquet: { labels: true },
  arrow: { labels: true },
} as const satisfies Readonly<Record<Exclude<GraphExportFormat, DescribedFormat>, Carries>>
const formats = Object.keys(carries) as (keyof typeof carries)[]

interface Drawn {
  readonly content: string
  readonly options: Partial<ImportArgs>
}

/** A random graph as a file that import reads: dense, gappy, 64-bit or text ids, some of digits; with and without weights and isolated vertices. */
function drawn(seed: number, carried: Carries): Drawn {
  const random = randomStream(seed)
  const n = 2 + Math.floor(random() * 40)
  const edges = 1 + Math.floor(random() * 100)
  const weighted = carried.weights !== 'none' && random() < 0.5
  const kind = Math.floor(random() * 5)
  const label = (v: number) =>
    [
      String(v),
      String(v * 7 + 3),
      String(2n ** 40n * BigInt(v) + 5n),
      `"n ${v},""${String.fromCodePoint(0x3b1 + v)}"`,
      `"${v % 2 === 0 ? '0' : ''}${v >> 1}"`,
    ][kind]!
  const weight = () =>
    carried.weights === 'whole'
      ? 1 + Math.floor(random() * 1e6)
      : Math.fround(random() * 10 ** (random() * 12 - 6)) || 1
  const pick = () => Math.floor(random() * n)
  if (carried.labels === undefined && random() < 0.5) {
    const lines = Array.from({ length: edges }, () => `${pick() + 1} ${pick() + 1}${weighted ? ` ${weight()}` : ''}\n`)
    const banner = `%%MatrixMarket matrix coordinate ${weighted ? 'real' : 'pattern'} general\n${n} ${n} ${edges}\n`
    return { content: banner + lines.join(''), options: { format: 'matrix-market' } }
  }
  const lines = Array.from(
    { length: edges },
    () => `${label(pick())},${label(pick())}${weighted ? `,${weight()}` : ''}\n`,
  )
  return { content: lines.join(''), options: { format: 'edge-list', table: { header: 'no', delimiter: 'comma' } } }
}

it.each(formats)(`%s: what is written reads back as the same graph`, async (format) => {
  const carried: Carries = carries[format]
  let [arcs, named] = [0, 0]
  for (let i = 0; i < Math.ceil(GRAPHS / formats.length); i++) {
    const { content, options } = drawn(1000 * formats.indexOf(format) + i, carried)
    const before = join(work.path, 'before')
    const after = join(work.path, 'after')
    const source = work.file('drawn', content)
    const { checksum } = await importGraph({ source, folder: before, ...options }, quietJob)
    const original = readDataset(before)
    arcs += original.arcs.length
    const output = join(work.path, `written-${i}`)
    // Vertices without edges are in a table where the format has no room for them.
    const vertices = carried.labels === true && i % 2 === 1 ? join(work.path, `vertices-${i}.csv`) : undefined
    const asked = { folder: before, checksum, format, output, gzip: i % 3 === 0, vertices }
    const outcome = await writeGraphFile(asked, quietJob)
    if (original.arcs.length > 0 || carried.labels === undefined) {
      const labels = carried.labels === true || i % 4 === 0 ? undefined : outcome.files[1]
      await importGraph({ source: output, folder: after, ...carried.options, vertices, labels }, quietJob)
      const hasAll = vertices !== undefined || labels !== undefined
      if (hasAll) named++
      expectSame(original, readDataset(after), carried, outcome.files, hasAll)
    }
    for (const folder of [before, after]) rmSync(folder, { recursive: true, force: true })
  }
  expect(arcs).toBeGreaterThan(100)
  expect(named).toBeGreaterThan(0)
})

type Read = ReturnType<typeof readDataset>

function expectSame(original: Read, read: Read, carried: Carries, files: readonly string[], hasAll: boolean): void {
  const weightOf = (arc: string) =>
    original.report.weights === null && (carried.weights === 'always' || carried.weights === 'whole') ? `${arc} 1` : arc
  if (hasAll) {
    expect(read.labels).toEqual(original.labels)
    expect(read.arcs).toEqual(original.arcs.map(weightOf))
    return
  }
  if (carried.labels === true) {
    expect(files.length).toBe(1)
    const occurring = original.labels.length - original.report.isolatedVertices
    expect(read.labels.length).toBe(occurring)
    expect(read.arcs).toEqual(original.arcs.map(weightOf))
    return
  }
  // Numbers of the file stand for labels in their order.
  const base = Number(read.labels[0])
  expect(read.labels).toEqual(original.labels.map((_, v) => String(v + base)))
  const numbered = new Map(original.labels.map((label, v) => [label, String(v + base)]))
  expect(read.arcs).toEqual(renamed(original, numbered).map(weightOf))
  if (original.labels[0] !== read.labels[0]) expect(files.length).toBe(2)
}

/** The arcs under other labels; longest labels are tried first, as they may hold blanks. */
function renamed({ arcs, labels }: Read, names: ReadonlyMap<string, string>): string[] {
  const isText = labels.some((label) => label.includes(' '))
  if (!isText)
    return arcs.map((arc) =>
      arc
        .split(' ')
        .map((word, i) => (i < 2 ? names.get(word)! : word))
        .join(' '),
    )
  return arcs.map((arc) =>
    arc.replace(/^(n \d+,"\S)"? (n \d+,"\S)"?/u, (_, a: string, b: string) => `${names.get(a)} ${names.get(b)}`),
  )
}
