import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Failure, type FailureValue, type Fix } from '../../../../workers/base/failure.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { FilePreview, ImportArgs } from '../../../../workers/contract/jobs.ts'
import { numberOfCell } from '../../../../workers/import/reader/numbers.ts'
import { importFile } from '../../../../workers/import/containers/import-file.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import { fixturePath } from '../../../support/fixtures.ts'
import { edgesOf, failureOf, readDataset, Workplace } from '../../../support/ingest-cases.ts'
import { type MessyFile, messyFiles } from '../../../support/messy-files.ts'

const work = new Workplace()
type Options = Partial<ImportArgs>
const tableOptions = ['header', 'delimiter', 'encoding', 'decimal', 'missingWeight', 'badRows']

const withAnswer = (options: Options, option: string, to: string | boolean): Options =>
  tableOptions.includes(option)
    ? { ...options, table: { ...options.table, [option]: to } }
    : { ...options, [option]: to }

/** What a preview would have stopped an import with, or null. */
async function stopped(source: string, options: Options): Promise<FailureValue | null> {
  try {
    const { refusals } = await previewFiles({ source, ...options })
    return refusals[0]?.failure ?? null
  } catch (error) {
    if (error instanceof Failure) return error.toValue()
    throw error
  }
}

/** Edges as the preview shows them, by the columns and the decimal sign that it names. */
function edgesShown({ rows, table }: FilePreview, rule: (weight: number) => number): string[] {
  return rows.flatMap((row) => {
    const { source = 0, target = 1, weight = row.length > 2 ? 2 : null, decimal = 'point' } = table ?? {}
    const value = weight === null ? '' : ` ${rule(numberOfCell(row[weight] ?? '', decimal))}`
    return [`${row[source]} ${row[target]}${value}`, `${row[target]} ${row[source]}${value}`]
  })
}

/** What the preview says of a table, in a line. */
function saidOf({ table, columns }: FilePreview): string {
  if (table === null) return 'edges'
  const nameOf = (column: number): string => columns?.[column]?.name ?? String(column + 1)
  const { source, target, weight, attributes } = table
  const kept = attributes.length === 0 ? [] : [`attributes ${attributes.map(nameOf).join(' and ')}`]
  const weights = weight === null ? [] : [`weight ${nameOf(weight)}`]
  const text = table.delimiter === null ? [] : [table.header ? 'header' : 'no header', table.delimiter, table.encoding]
  const sign = table.decimal === 'comma' ? ['decimal comma'] : []
  return [`${nameOf(source)} to ${nameOf(target)}`, ...weights, ...kept, ...text, ...sign].join(', ')
}

/** As the window writes them: a name with a comma in it goes by its number. */
const placesOf = (names: readonly string[]): string => names.map((name) => (name.includes(',') ? '5' : name)).join(',')

interface Answered {
  readonly options: Options
  /** The question of each step. */
  readonly asked: string[]
  /** Rows that the preview counted, by what becomes of them. */
  readonly counted: { readonly skip: number; readonly one: number }
}

/** Answers what is asked, as buttons do, until the file is read. */
async function answered(source: string, { answers = [], columns, attributes }: MessyFile): Promise<Answered> {
  const table = { ...columns, ...(attributes === undefined ? {} : { attributes: placesOf(attributes) }) }
  let options: Options = Object.keys(table).length === 0 ? {} : { table }
  const asked: string[] = []
  const counted = { skip: 0, one: 0 }
  for (const [option, to] of answers) {
    const failure = await failureOf(importGraph({ source, folder: work.newFolder(), ...options }, quietJob))
    const offered = (failure.fixes ?? []).some(
      (fix: Fix) => fix.action === 'set' && fix.option === option && fix.to === to,
    )
    expect([failure.what, offered]).toEqual([failure.what, true])
    expect((await stopped(source, options))?.what).toBe(failure.what)
    if (to === 'skip' || to === 'one')
      counted[to] += (await previewFiles({ source, ...options })).refusals[0]?.count ?? 0
    asked.push(`${failure.what}; ${option}: ${to}`)
    options = withAnswer(options, option, to)
  }
  return { options, asked, counted }
}

describe('messy files', () => {
  it('are fifty, of as many names', () => {
    expect(messyFiles.length).toBe(50)
    expect(new Set(messyFiles.map(({ name }) => name)).size).toBe(50)
  })

  it.each(messyFiles.filter(({ edges }) => edges !== null).map((messy) => [messy.name, messy] as const))(
    '%s: what the preview says is what is imported',
    async (name, messy) => {
      const source = work.file(name, messy.bytes)
      if (messy.columns !== undefined) {
        expect((await previewFiles({ source })).table?.asks).toBe('columns')
        await work.refused(source)
      }
      const { options, counted } = await answered(source, messy)
      const preview = await previewFiles({ source, ...options })
      expect(preview.refusals).toEqual([])
      expect(preview.table?.asks ?? null).toBeNull()
      const folder = work.newFolder()
      const { report } = await importGraph({ source, folder, ...options }, quietJob)
      const edges = edgesOf(readDataset(folder))
      expect(edges).toEqual(messy.edges)
      expect(report.skipped ?? 0).toBe(counted.skip)
      const ones = counted.one === 1 ? '1 edge without a weight' : `${counted.one} edges without a weight`
      expect(report.warnings.some((warning) => warning.startsWith(ones))).toBe(counted.one > 0)
      const kept = preview.table?.attributes.map((column) => preview.columns?.[column]?.name)
      expect(report.attributes?.edges.map((column) => column.name) ?? []).toEqual(kept ?? [])
      expect(kept ?? []).toEqual(messy.attributes ?? [])
      // Rows that are skipped or get a weight are shown as they are.
      if (preview.rows.length === edges.length && options.table?.missingWeight === undefined) {
        const shown = edgesShown(preview, options.weightRule === 'absolute' ? Math.abs : Number)
        expect(edges.filter((edge) => !shown.includes(edge))).toEqual([])
      }
    },
  )

  it.each(messyFiles.filter(({ edges }) => edges === null).map((messy) => [messy.name, messy] as const))(
    '%s is no graph that is read: it is called by its name, with what to do',
    async (name, { bytes, said }) => {
      const source = work.file(name, bytes)
      const failure = await work.refused(source)
      expect(failure.what).toMatch(said!)
      expect(failure.remedy.length).toBeGreaterThan(20)
      // A damaged archive is refused before what is in it is looked at.
      const told = await failureOf(importFile({ source, folder: work.newFolder() }, quietJob))
      expect(await failureOf(previewFiles({ source }))).toMatchObject({ what: told.what, remedy: told.remedy })
      if (!name.endsWith('.zip')) expect(told.what).toBe(failure.what)
    },
  )

  it('stand in a list with their outcomes', async () => {
    const lines: string[] = []
    for (const messy of messyFiles) {
      const source = work.file(messy.name, messy.bytes)
      const { asked, options = {} } =
        messy.edges === null
          ? { asked: [(await work.refused(source)).what], options: {} }
          : await answered(source, messy)
      const said = messy.edges === null ? '' : saidOf(await previewFiles({ source, ...options }))
      const columns =
        messy.columns === undefined ? [] : [`columns are asked for; ${Object.values(messy.columns).join(' and ')}`]
      const outcome =
        messy.edges === null
          ? `refused: ${asked[0]}`
          : [...columns, ...asked, `${messy.edges.length} edges`].join(' → ')
      lines.push(
        `| \`${messy.name}\` | ${messy.what} | ${said.replaceAll('|', '\\|')} | ${outcome.replaceAll('|', '\\|')} |`,
      )
    }
    const list = `| file | what it is | what the preview says then | outcome |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`
    const path = fixturePath('tables/messy-files.md')
    if (process.env['ANTICLIQUE_WRITE_LISTS'] !== undefined) writeFileSync(path, heading + list)
    expect(readFileSync(path, 'utf8')).toBe(heading + list)
  })
})

const heading = `# Messy files

Fifty files as people have them, made by test/support/messy-files.ts; a test compares this list. What stands before an arrow is a question,
and the button that answers it; then the preview shows what is imported, and
as many rows are skipped or get the weight 1 as it counted. What is refused has a button for another file.

`
