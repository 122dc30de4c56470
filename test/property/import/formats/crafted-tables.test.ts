import { describe, expect, it } from 'vitest'
import { randomStream } from '../../../support/graphs.ts'
import { edgesOf, Workplace } from '../../../support/ingest-cases.ts'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'

/** Tables of edges as people write them, each beside a reader of its own that shares no code with the import. */
const TABLES = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 40)

const work = new Workplace()

interface Crafted {
  readonly text: string
  readonly delimiter: string
  readonly hasNames: boolean
  readonly areNumbers: boolean
  readonly hasCounts: boolean
  readonly isWeighted: boolean
  readonly vertices: readonly string[]
}

function crafted(seed: number): Crafted {
  const random = randomStream(seed)
  const pick = (limit: number): number => Math.floor(limit * random())
  const chance = (one: number): boolean => pick(one) === 0
  const kind = (['numbers', 'texts', 'signed'] as const)[pick(3)]!
  const areNumbers = kind === 'numbers'
  const base = pick(2)
  const hasCounts = areNumbers && chance(3)
  const hasNames = !hasCounts && (kind !== 'numbers' || chance(2))
  const delimiter = [',', '\t', ';', ' '][pick(4)]!
  const count = 4 + pick(12)
  const sign = ['#', '%', '//'][pick(3)]!
  const idOf = (v: number): string =>
    kind === 'numbers' ? String(v + base) : kind === 'texts' ? `node${v}` : `${chance(3) ? '' : sign}tag${v}`
  const isWeighted = chance(2)
  const edges: string[] = []
  for (let i = 0; i < 3 + pick(30); i++) {
    const [u, v] = [idOf(pick(count)), idOf(pick(count))]
    const ends = chance(5) ? [v, u] : [u, v]
    edges.push([...ends, ...(isWeighted ? [String(1 + pick(40) / 4)] : [])].join(delimiter))
    if (chance(4)) edges.push([...ends.toReversed(), ...(isWeighted ? [String(1 + pick(9))] : [])].join(delimiter))
  }
  // Both ends begin so in one row, as a tag beside a tag.
  if (kind === 'signed') edges.unshift([`${sign}a`, `${sign}b`, ...(isWeighted ? ['2'] : [])].join(delimiter))
  const rows = [...edges]
  if (areNumbers && !hasCounts && chance(2))
    rows.splice(1 + pick(rows.length), 0, ['nan', base + 1, ...(isWeighted ? ['1'] : [])].join(delimiter))
  if (chance(2)) rows.splice(1 + pick(rows.length), 0, '# a comment of some words, and more; than that')
  if (chance(3)) rows.splice(1 + pick(rows.length), 0, '')
  if (hasNames) rows.unshift(['source', 'target', ...(isWeighted ? ['weight'] : [])].join(delimiter))
  if (hasCounts) rows.unshift([count, edges.length].join(delimiter))
  const vertices = kind !== 'signed' && chance(3) ? Array.from({ length: 3 }, (_, v) => idOf(v + pick(count + 2))) : []
  return { text: `${rows.join('\n')}\n`, delimiter, hasNames, areNumbers, hasCounts, isWeighted, vertices }
}

/** What the import must make of it: edges "a b w", the heavier weight of repeats, and what became of each line. */
function readAlone({ text, delimiter, hasNames, areNumbers, hasCounts, vertices }: Crafted) {
  const lines = text.split('\n').slice(0, -1)
  const tally = { header: 0, comments: 0, blank: 0, refused: 0, entries: 0 }
  const entries = { loops: 0, sameDirection: 0, bothDirections: 0 }
  const ids = new Set<string>()
  const edges = new Map<string, { weights: number[]; directions: Set<string> }>()
  lines.forEach((line, i) => {
    if (line === '') tally.blank++
    else if (i === 0 && (hasNames || hasCounts)) tally.header++
    else if (/^# /.test(line)) tally.comments++
    else if (areNumbers && line.startsWith('nan')) tally.refused++
    else {
      tally.entries++
      const [u, v, weight = '1'] = line.split(delimiter) as [string, string, string?]
      ids.add(u).add(v)
      if (u === v) {
        entries.loops++
        return
      }
      const key = [u, v].sort().join('\0')
      const edge = edges.get(key) ?? { weights: [], directions: new Set() }
      if (edge.directions.has(u)) entries.sameDirection++
      else if (edge.directions.size > 0) entries.bothDirections++
      edge.weights.push(Number(weight))
      edge.directions.add(u)
      edges.set(key, edge)
    }
  })
  if (hasCounts) {
    const count = Number(lines[0]!.split(delimiter)[0])
    const base = ids.has('0') ? 0 : 1
    for (let v = base; v < count + base; v++) ids.add(String(v))
  }
  const inEdges = new Set([...edges.keys()].flatMap((key) => key.split('\0')))
  const rows = new Set(vertices)
  const joined = {
    matched: [...rows].filter((id) => inEdges.has(id)).length,
    added: [...rows].filter((id) => !inEdges.has(id)).length,
    repeated: vertices.length - rows.size,
  }
  for (const id of rows) ids.add(id)
  const differing = [...edges.values()].filter(({ weights }) => new Set(weights).size > 1).length
  const merged = [...edges].map(([key, { weights }]) => [...key.split('\0'), Math.max(...weights)] as const)
  return { tally, entries, ids, merged, differing, joined }
}

describe('tables as people write them', () => {
  it('are what a reader of its own makes of them, also in their balance', async () => {
    let [edges, refusals, asked] = [0, 0, 0]
    for (let seed = 1; seed <= TABLES; seed++) {
      const table = crafted(seed)
      const told = readAlone(table)
      const { isWeighted } = table
      const file =
        table.vertices.length === 0
          ? undefined
          : work.file(`v-${seed}.csv`, `id,kind\n${table.vertices.map((id) => `${id},x\n`).join('')}`)
      const options = {
        table: { badRows: 'skip' as const },
        threads: 1,
        ...(file === undefined ? {} : { vertices: file }),
      }
      const isStranger = file !== undefined && told.joined.matched === 0
      if (isStranger) continue
      const source = work.file(`t-${seed}.csv`, table.text)
      const { balance, refusals: stops } = await previewFiles({ source, ...options })
      // An edge that may as well count the others is asked for, never taken for either.
      if (!table.hasCounts && stops.some(({ failure }) => failure.what.includes('counts vertices and edges'))) {
        asked++
        continue
      }
      const read = await work.imported(`t-${seed}.csv`, table.text, options)
      const said = [seed, table.text]
      expect([said, [...read.labels].sort()]).toEqual([said, [...told.ids].sort()])
      const expected = told.merged.map(([u, v, w]) => [[u, v].sort().join(' '), ...(isWeighted ? [w] : [])].join(' '))
      const found = edgesOf(read).map((edge) => {
        const [u, v, ...weight] = edge.split(' ')
        return [[u, v].sort().join(' '), ...weight].join(' ')
      })
      expect([said, found.sort()]).toEqual([said, expected.sort()])
      const { entries: total, ...lines } = told.tally
      expect([said, read.report.balance]).toMatchObject([
        said,
        {
          lines: { ...lines, total: table.text.split('\n').length - 1, entries: total },
          entries: { total, ...told.entries, edges: told.merged.length, differing: isWeighted ? told.differing : null },
          vertices:
            file === undefined
              ? null
              : {
                  ...told.joined,
                  rows: table.vertices.length,
                  withoutRow: told.ids.size - told.joined.matched - told.joined.added,
                },
        },
      ])
      expect([said, balance]).toEqual([said, read.report.balance])
      edges += told.merged.length
      refusals += told.tally.refused
    }
    expect(edges).toBeGreaterThan(TABLES)
    expect(asked).toBeLessThan(1 + TABLES / 50)
    expect(refusals).toBeGreaterThan(0)
  })
})
