import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import type { ImportArgs } from '../../../workers/contract/jobs.ts'
import { AttributeTable, EDGE_TABLE, VERTEX_TABLE } from '../../../workers/graph/attribute-table.ts'
import { openLabels } from '../../../workers/graph/labels.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const MIB = 2 ** 20
const kinds = ['friend', 'kin', 'Köln', '"a,b"', '"say ""no"""', ' padded ', '']

/** The same sequence each time. */
function draw(seed: number): (below: number) => number {
  let state = seed
  return (below) => Math.floor(((state = (Math.imul(state, 48271) >>> 0) % 2147483647) / 2147483647) * below)
}

function plainOf(cell: string): string | null {
  const plain = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell.trim()
  return plain === '' ? null : plain
}

/** A table of edges with ids and weights in any writing, and the first row of each edge. */
function tableOf(rows: number, gap: number, delimiter: string, end: string) {
  const below = draw(rows)
  const first = new Map<string, { kind: string | null; score: number | null }>()
  const lines = [['source', 'kind', 'target', 'score', 'weight'].join(delimiter)]
  for (let i = 0; i < rows; i++) {
    const [u, v] = [gap * below(rows), gap * below(rows)]
    const kind = kinds[below(kinds.length)]!
    const score = below(9) === 0 ? '' : String(below(1e6) / 1e3)
    if (below(60) === 0) lines.push('# a comment')
    const written = [String(u), `+${u}`, `${u}.0`, `0${u}`][Math.max(0, below(40) - 36)]!
    const weight = ['1', '2.5', '1e2', '+3', ' 7'][below(5)]!
    lines.push([written, kind, v, ` ${score}`, weight].join(delimiter))
    const edge = `${Math.min(u, v)} ${Math.max(u, v)}`
    if (u !== v && !first.has(edge))
      first.set(edge, { kind: plainOf(kind), score: score === '' ? null : Number(score) })
  }
  return { text: `${lines.join(end)}${end}`, first }
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name !== 'report.json')
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name)).toString('latin1')]))
}

async function imported(source: string, args: Partial<ImportArgs>) {
  const folder = work.newFolder()
  const report = (await importGraph({ source, folder, ...args }, quietJob, { lines: { fromBytes: 0 } })).report
  return { folder, report, files: filesIn(folder) }
}

describe('attributes of tables in lines', () => {
  it.each([
    { rows: 900, gap: 1, delimiter: ',', end: '\n' },
    { rows: 700, gap: 1_000_003, delimiter: '\t', end: '\r\n' },
    { rows: 600, gap: 50, delimiter: ';', end: '\n' },
  ])('the first row of each edge whatever the threads, the memory and the file: $rows rows', async (form) => {
    const { text, first } = tableOf(form.rows, form.gap, form.delimiter, form.end)
    const ends = { targetColumn: 'target', sourceColumn: 'source', weightColumn: 'weight' }
    const table = { attributes: 'all', ...ends } as const
    const plain = work.file('a.csv', text)
    const { folder, report, files } = await imported(plain, { table, threads: 1 })
    const [labels, edges] = [openLabels(folder, report.vertices), await AttributeTable.open(folder, EDGE_TABLE)]
    expect(edges!.rows).toBe(first.size)
    expect(edges!.columns.map(({ name }) => name)).toEqual(['kind', 'score'])
    for (const [edge, { kind, score }] of first) {
      const [u, v] = edge.split(' ').map((id) => labels.find(id)) as [number, number]
      expect(edges!.row(edges!.rowOfEdge(u, v))).toEqual([kind, score])
    }
    edges!.close()
    const packed = work.file('a.csv.gz', gzipSync(text))
    for (const [source, threads, memoryBytes] of [
      [plain, 3, 64 * MIB],
      [packed, 1, 256 * MIB],
      [packed, 2, 64 * MIB],
      [plain, 2, MIB / 32],
    ] as const)
      expect((await imported(source, { table, threads, memoryBytes })).files).toEqual(files)
  })

  it.each(['', '1..2', '.5.', '-.', '1-2', '0x1', '1\u0661', '123456789012345.x'])(
    'numbers of any length, with a point anywhere, are what JavaScript reads, and texts beside "%s"',
    async (other) => {
      const below = draw(11)
      const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join('')
      const cells = Array.from({ length: 600 }, (_, i) => {
        const isWhole = i % 5 < 2
        const all = `${1 + below(9)}${digits(i % (isWhole ? 15 : 18))}`
        const at = below(all.length + 1)
        return (i % 3 === 0 ? '-' : '') + (isWhole ? all : `${all.slice(0, at)}.${all.slice(at)}`)
      })
      const rows = cells.map((cell, i) => `${i},${i + 1},kin,${cell},${i === 321 ? other : cell}`)
      const source = work.file('n.csv', `source,target,kind,number,other\n${rows.join('\n')}\n`)
      const { folder } = await imported(source, { table: { attributes: 'all' }, threads: 2 })
      const table = await AttributeTable.open(folder, EDGE_TABLE)
      expect(table!.columns.map(({ kind }) => kind)).toEqual(['text', 'number', other === '' ? 'number' : 'text'])
      for (const [i, cell] of cells.entries()) {
        const [plain, kept] = [Number(cell), i === 321 ? other : cell]
        expect(table!.row(i)).toEqual(['kin', plain, other === '' ? (kept === '' ? null : plain) : kept])
      }
      table!.close()
    },
  )

  it('rows of vertices in any order make the same table', async () => {
    const below = draw(5)
    const ids = Array.from({ length: 500 }, (_, i) => 3 * i)
    const edges = work.file('e.txt', ids.map((id) => `${id} ${ids[below(ids.length)]!}\n`).join(''))
    const rows = ids.map((id) => `${id},${kinds[id % kinds.length]},${id % 4 === 0 ? '' : id / 8}`)
    const shuffled = [...rows].sort(() => below(3) - 1)
    const all = await Promise.all(
      [rows, shuffled, [...rows].reverse()].map((lines, i) =>
        imported(edges, {
          vertices: work.file(`v${i}.csv`, `id,kind,size\n${lines.join('\n')}\n`),
          threads: 1 + (i % 2),
        }),
      ),
    )
    expect(all[1]!.files).toEqual(all[0]!.files)
    expect(all[2]!.files).toEqual(all[0]!.files)
    const table = await AttributeTable.open(all[0]!.folder, VERTEX_TABLE)
    for (const [v, id] of ids.entries())
      expect(table!.row(v)).toEqual([plainOf(kinds[id % kinds.length]!), id % 4 === 0 ? null : id / 8])
    table!.close()
  })
})
