import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { graphExportFormats, graphFormats } from '../../../../workers/contract/jobs.ts'
import { formatOf } from '../../../../workers/import/formats/registry.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/formats.md'), 'utf8')
const formats = graphFormats.map(formatOf)

/** As prettier lays tables out: every column as wide as its longest cell. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |\n`
  const [head, ...others] = rows
  return [line(head!), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('')
}

/** The page between two of its lines. */
function between(first: string, last: string): string {
  const start = page.indexOf(first)
  return page.slice(start, page.indexOf(last, start))
}

test('the table of formats in docs/formats.md is what the descriptors say: paste it from here', () => {
  const head = ['`--format`', '', 'files', 'recognised by', 'vertices and ids']
  const rows = formats.map(({ name, written = [], words }) => {
    const { files, recognisedBy, vertices } = words
    return [`\`${name}\``, written.length > 0 ? 'RW' : 'R', files, recognisedBy, vertices]
  })
  expect(rows.length).toBeGreaterThan(15)
  expect(between('| `--format`', '\nThe content decides')).toBe(table([head, ...rows]))
})

test('the notes on layouts in docs/formats.md are those of the descriptors: paste them from here', () => {
  const notes = formats.flatMap(({ words }) => words.notes ?? []).map((note) => `- ${note}\n`)
  expect(notes.length).toBeGreaterThan(5)
  const written = between('- **', '\n## Options').replaceAll('\n  ', ' ')
  expect(written).toBe(notes.join(''))
})

test('every format that is written belongs to one that is read', () => {
  expect(formats.flatMap(({ written = [] }) => written).toSorted()).toEqual(graphExportFormats.toSorted())
})

test('a descriptor has the name that it is registered under', () => {
  expect(formats.map(({ name }) => name)).toEqual(graphFormats)
})
