import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { expectCanonical, expectConserved, readDataset, Workplace } from '../../support/ingest-cases.ts'
import { graphFile, knownGraphs } from '../../support/known-graphs.ts'

const known = knownGraphs()

describe('real graphs with known answers', () => {
  const work = new Workplace()

  it('are there', () => expect(known.length).toBeGreaterThan(10))

  it.each(known)('%s: n, arcs and largest degree', async (name, { n, arcs, maxDegree }) => {
    const folder = work.newFolder()
    const found = await importGraph({ source: graphFile(name), folder }, quietJob)
    expect(found).toMatchObject({ vertices: n, arcs, maxDegree, meanDegree: arcs / n })
    expectCanonical(folder)
    expectConserved(found.report)
    expect(readDataset(folder).report).toEqual(found.report)
  })

  it.each(known.map(([name]) => name))('%s: compressed and under another name, the same bytes', async (name) => {
    const stored = readFileSync(graphFile(name))
    const text = stored[0] === 0x1f ? gunzipSync(stored) : stored
    const plain = await work.imported(name, text)
    const zipped = await work.imported(`renamed-${basename(name).replaceAll('.', '-')}`, gzipSync(text))
    expect(zipped.report).toMatchObject({
      compression: 'gzip',
      format: plain.report.format,
      lines: plain.report.lines,
    })
    expect(zipped.facts.checksum).toBe(plain.facts.checksum)
  })

  it('hamming6-4: a Matrix Market banner, the sizes in a comment', async () => {
    const found = await importGraph({ source: graphFile('hamming6-4.edgelist'), folder: work.newFolder() }, quietJob)
    expect(found).toMatchObject({ vertices: 64, arcs: 1408, maxDegree: 22 })
    expect(found.report.format).toBe('matrix-market')
    expect(found.report.warnings).toEqual(['the size line was found in the comment of line 2'])
  })

  it('foodweb-baydry: KONECT, with weights', async () => {
    const found = await importGraph({ source: graphFile('foodweb-baydry.konect'), folder: work.newFolder() }, quietJob)
    expect(found).toMatchObject({ vertices: 128, weighted: true })
    expect(found.report).toMatchObject({ format: 'konect', entries: 2137, lines: 2139 })
    expectConserved(found.report)
  })
})
