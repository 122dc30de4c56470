import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { graphFormats } from '../../../../workers/contract/jobs.ts'
import { fixtures, zipped, type Golden } from '../../../support/fixtures.ts'
import { edgesOf, expectCanonical, expectConserved, readDataset, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const counts = ['entries', 'loopsRemoved', 'duplicatesMerged', 'reverseArcsAdded', 'filtered', 'sides'] as const

async function expectGolden(source: string, golden: Golden): Promise<void> {
  const folder = work.newFolder()
  await importGraph({ source, folder, ...golden.options }, quietJob)
  const { labels, arcs, report } = readDataset(folder)
  expectCanonical(folder)
  expectConserved(report)
  expect(labels.length).toBe(golden.vertices)
  expect(arcs.length).toBe(golden.arcs)
  expect(edgesOf({ labels, arcs })).toEqual(golden.edges)
  expect(report.format).toBe(golden.format)
  for (const count of counts) if (golden[count] !== undefined) expect(report[count]).toEqual(golden[count])
}

describe('files that our writers did not make read as their publisher says', () => {
  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', async (_, { path, golden }) => {
    await expectGolden(path, golden)
  })

  // A file of each format.
  const formats = fixtures.map(({ golden }) => golden.format)
  const packed = fixtures.filter(({ golden }, i) => formats.indexOf(golden.format) === i)

  it.each(packed.map((fixture) => [fixture.name, fixture] as const))(
    '%s, compressed',
    async (name, { path, golden }) => {
      await expectGolden(zipped(work, name, path), golden)
    },
  )

  it('there is one for every format', () => {
    expect(new Set(fixtures.map(({ golden }) => golden.format))).toEqual(new Set(graphFormats))
    expect(fixtures.every(({ golden }) => golden.source.length > 20)).toBe(true)
  })
})

describe('columnar files', () => {
  it.each(['parquet/null.parquet', 'arrow/null.arrow'])('%s: a null is refused with its row', async (name) => {
    const source = join(import.meta.dirname, '../../../fixtures', name)
    expect(await work.refused(source)).toMatchObject({
      code: 'input',
      where: `${source}, row 2`,
      what: 'the column "src" is null',
    })
  })
})
