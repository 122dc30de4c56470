import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../workers/base/failure.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { type JobContext, quietJob } from '../../../../workers/base/job.ts'
import { graphFormats, type FormatName } from '../../../../workers/contract/jobs.ts'
import { damaged, damages } from '../../../support/damage.ts'
import { type Fixture, fixtures } from '../../../support/fixtures.ts'
import { randomStream } from '../../../support/graphs.ts'
import { expectCanonical, expectConserved, readDataset, Workplace } from '../../../support/ingest-cases.ts'
import { PATIENCE_MS } from '../../../support/limits.ts'

const work = new Workplace()
const INPUTS = 720
/** Formats whose failures name a line. */
const inLines: readonly FormatName[] = [
  'matrix-market',
  'edge-list',
  'konect',
  'metis',
  'dimacs',
  'dimacs9',
  'pace',
  'pbbs',
  'graphml',
  'gexf',
]

/** Reads a damaged copy as its format. What is not refused must be a whole dataset: some damage makes another good file. */
async function outcomeOf(fixture: Fixture, bytes: Uint8Array): Promise<'read' | 'refused'> {
  const source = work.file(basename(fixture.path), bytes)
  const properties = fixture.path.replace(/\.graph$/, '.properties')
  if (properties !== fixture.path && existsSync(properties))
    copyFileSync(properties, join(dirname(source), basename(properties)))
  const before = readdirSync(work.path)
  const folder = work.newFolder()
  const format = fixture.golden.format as FormatName
  const job: JobContext = { ...quietJob, signal: AbortSignal.timeout(PATIENCE_MS) }
  try {
    await importGraph({ source, folder, ...fixture.golden.options, format }, job)
    expectCanonical(folder)
    expectConserved(readDataset(folder).report)
    rmSync(folder, { recursive: true })
    return 'read'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect(error.code).toBe('input')
    expect(error.remedy.length > 3 || error.fixes!.length > 0).toBe(true)
    // A question about a column is about all lines.
    const asks = /column/.test(error.what) && error.fixes?.some(({ action }) => action !== 'omit') === true
    if (inLines.includes(format) && !asks) expect(error.where).toMatch(/:\d+$/)
    else expect(error.where).toContain(basename(source))
    return 'refused'
  } finally {
    expect(readdirSync(work.path)).toEqual(before)
  }
}

describe('malformed files of every format are refused in words, or read as the good file that they became', () => {
  const perFormat = Math.ceil(INPUTS / graphFormats.length)

  it.each(graphFormats)('%s', async (format) => {
    const samples = fixtures.filter(({ golden }) => golden.format === format)
    const random = randomStream(97 * graphFormats.indexOf(format) + 1)
    let refused = 0
    for (let i = 0; i < perFormat; i++) {
      const sample = samples[i % samples.length]!
      const kind = damages[i % damages.length]!
      const bytes = damaged(readFileSync(sample.path), kind, random)
      if ((await outcomeOf(sample, bytes)) === 'refused') refused++
    }
    expect(refused).toBeGreaterThan(0)
  })
})
