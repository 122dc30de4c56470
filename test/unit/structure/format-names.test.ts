import { expect, test } from 'vitest'
import { exportFormats, graphFormats } from '../../../workers/contract/jobs.ts'
import { sourceFiles } from './source-files.ts'

/** Where a format may be called by its name. */
const named = /^workers\/(?:contract\/graph-formats\.ts$|(?:import|export)\/formats\/)/

test('formats of graphs are spelled by name only where they are defined', () => {
  const results: readonly string[] = exportFormats
  // Arrows are also shapes of charts.
  const names = graphFormats.filter((name) => !results.includes(name) && name !== 'arrow')
  const literal = new RegExp(`'(?:${names.join('|')})'`)
  const files = sourceFiles(['workers', 'electron', 'renderer'], ['.ts', '.vue'])
  expect(files.filter(({ text }) => literal.test(text)).length).toBeGreaterThan(10)
  const elsewhere = files.filter(({ path, text }) => !named.test(path) && literal.test(text))
  expect(
    elsewhere.map(({ path }) => `${path}: ask the format's descriptor (workers/import/formats/registry.ts).`),
  ).toEqual([])
})
