import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import { Failure } from '../../../../workers/base/failure.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { FilePreview, ImportArgs } from '../../../../workers/contract/jobs.ts'
import { exitCodeOf, inCommands } from '../../../../electron/cli/failure-text.ts'
import { numberOfCell } from '../../../../workers/import/reader/numbers.ts'
import { fixturePath, fixtures } from '../../../support/fixtures.ts'
import { edgesOf, readDataset, Workplace } from '../../../support/ingest-cases.ts'

/** A graph as somebody wrote it down by hand. */
interface ByHand {
  readonly vertices: number
  readonly arcs: number
  /** "a b" or "a b weight", each edge once, the smaller label first. */
  readonly edges: readonly string[]
}

/** What is said of a table that cannot be read as edges, and the graph once its remedy was followed. */
interface Refused {
  readonly what: string
  readonly remedy: string
  readonly asks: string | null
  readonly source: string
  readonly mended: ByHand & { readonly file?: string; readonly options?: Partial<ImportArgs> }
}

interface Table extends ByHand {
  readonly name: string
  readonly source: string
  readonly options: Partial<ImportArgs>
}

const SIDE_CAR = '.refused.json'
const folder = fixturePath('tables')
const refused = readdirSync(folder)
  .filter((file) => file.endsWith(SIDE_CAR))
  .map((file) => {
    const told = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Refused
    return { name: file.slice(0, -SIDE_CAR.length), told }
  })
const right: readonly Table[] = fixtures
  .filter(({ name }) => name.startsWith('tables/'))
  .map(({ name, path, golden }) => ({ ...golden, name, source: path, options: golden.options ?? {} }))
const mended: readonly Table[] = refused.map(({ name, told: { mended } }) => ({
  ...mended,
  name: `${name}, mended`,
  source: join(folder, mended.file ?? name),
  options: mended.options ?? {},
}))
const work = new Workplace()

/** What a preview says of a file that an import refuses: a question, or the same failure. */
async function previewed(source: string): Promise<FilePreview | Failure> {
  try {
    return await previewFiles({ source })
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

async function read(source: string, options: Partial<ImportArgs>): Promise<ByHand> {
  const dataset = work.newFolder()
  await importGraph({ source, folder: dataset, ...options }, quietJob)
  const graph = readDataset(dataset)
  return { vertices: graph.labels.length, arcs: graph.arcs.length, edges: edgesOf(graph) }
}

const byHand = ({ vertices, arcs, edges }: ByHand): ByHand => ({ vertices, arcs, edges })

/** An id as its vertex is called: 1.0 and 1e+05 are whole numbers. */
const called = (id: string): string => (/^\d+(?:\.\d+)?(?:e\+?\d+)?$/i.test(id) && /\D/.test(id) ? `${Number(id)}` : id)

/** Edges as a person reads them off a preview: by the columns that it names. */
function edgesShown({ rows, table }: FilePreview, rule: (weight: number) => number): string[] {
  const { source, target, weight, decimal } = table!
  return rows.flatMap((row) => {
    const [a, b] = [called(row[source]!), called(row[target]!)]
    const of = (from: string, to: string): string =>
      weight === null ? `${from} ${to}` : `${from} ${to} ${rule(numberOfCell(row[weight]!, decimal))}`
    return [of(a, b), of(b, a)]
  })
}

describe('tables that other programs write', () => {
  it('are many; those that are read stand with the other fixtures', () => {
    expect(right.length).toBeGreaterThanOrEqual(50)
    expect(refused.length).toBeGreaterThanOrEqual(35)
    expect(new Set(refused.map(({ told }) => told.source)).size).toBe(refused.length)
  })

  it('stand in the README with what their programs say of them', () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    const rows = readme.split('\n').filter((line) => line.startsWith('| '))
    expect(rows.length).toBeGreaterThan(30)
    const named = new Set(rows.flatMap((row) => row.match(/`[^`]+`/g) ?? []).map((word) => word.slice(1, -1)))
    const files = readdirSync(folder).filter(
      (file) => existsSync(join(folder, `${file}.golden.json`)) || existsSync(join(folder, `${file}${SIDE_CAR}`)),
    )
    expect(files.filter((file) => !named.has(file))).toEqual([])
  })

  it.each(refused.map(({ name, told }) => [name, told] as const))(
    '%s is refused, with what to do',
    async (name, told) => {
      const source = join(folder, name)
      const failure = await work.refused(source)
      expect(exitCodeOf(failure.code)).toBe(2)
      expect(failure.what).toContain(told.what)
      expect(inCommands(failure).remedy).toContain(told.remedy)
      const preview = await previewed(source)
      if (preview instanceof Failure) {
        expect(preview.toValue()).toEqual(failure)
        expect(told.asks).toBeNull()
        return
      }
      expect(preview.table?.asks ?? null).toBe(told.asks)
      expect(preview.refusals[0]?.failure.what).toContain(told.what)
    },
  )

  it.each(mended.map((table) => [table.name, table] as const))('%s: the right graph', async (_, table) => {
    expect(table.edges.length).toBeGreaterThan(0)
    expect(await read(table.source, table.options)).toEqual(byHand(table))
  })

  it.each([...right, ...mended].map((table) => [table.name, table] as const))(
    '%s: what the preview shows is what is imported',
    async (_, { source, options, ...graph }) => {
      const preview = await previewFiles({ source, ...options })
      const { table } = preview
      // Other formats than tables have no columns to show.
      if (table === null) return expect(preview.format).not.toBe('edge-list')
      expect(table.asks).toBeNull()
      const shown = edgesShown(preview, options.weightRule === 'absolute' ? Math.abs : Number)
      const unweighted = (edge: string): string => (table.weight === null ? edge : edge.slice(0, edge.lastIndexOf(' ')))
      expect(graph.edges.filter((edge) => !shown.includes(edge))).toEqual([])
      expect(new Set(shown.map(unweighted)).size).toBe(graph.arcs)

      // Its ends have their names.
      if (preview.format !== 'edge-list') return
      const as = (at: number | null): string | undefined => (at === null ? undefined : String(at + 1))
      const said = {
        delimiter: table.delimiter ?? undefined,
        header: table.header ? ('yes' as const) : ('no' as const),
        sourceColumn: as(table.source)!,
        targetColumn: as(table.target)!,
        ...(table.weight === null ? {} : { weightColumn: as(table.weight)! }),
      }
      expect(await read(source, { ...options, table: { ...options.table, ...said } })).toEqual(byHand(graph))
    },
  )
})
