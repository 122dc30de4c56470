import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { graphExportFormats, graphFormats } from '../../../../workers/contract/jobs.ts'
import { formatOf } from '../../../../workers/import/formats/registry.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/formats.md'), 'utf8')
/** The lines of its table: name, R or RW, files, what speaks for it, ids. */
const rows = page
  .split('\n')
  .filter((line) => /^\| `[a-z0-9-]+` +\| RW? /.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))

test('the table in docs/formats.md has a line for every format that is read, in their order', () => {
  expect(rows.map(([, name]) => name)).toEqual(graphFormats.map((name) => `\`${name}\``))
  for (const cells of rows)
    expect(cells.every((cell, i) => cell !== '' || i === 0 || i === cells.length - 1)).toBe(true)
})

test('the table marks the formats that are written, and names all of them', () => {
  const marked = rows.flatMap(([, name, mark, files]) => (mark === 'RW' ? [`${name} ${files}`.toLowerCase()] : []))
  const writtenIn = (line: string) => graphExportFormats.filter((format) => line.match(/[\w-]+/g)!.includes(format))
  expect(marked.filter((line) => writtenIn(line).length === 0)).toEqual([])
  const onlyWritten = ['geojson', 'vertices']
  expect([...marked.flatMap(writtenIn), ...onlyWritten].toSorted()).toEqual(graphExportFormats.toSorted())
})

test('a descriptor has the name that it is registered under', () => {
  expect(graphFormats.map((name) => formatOf(name).name)).toEqual(graphFormats)
})
