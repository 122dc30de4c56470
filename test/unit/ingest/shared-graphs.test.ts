import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { importGraph } from '../../../workers/ingest/import-graph.ts'
import { quietJob } from '../../../workers/job.ts'
import {
  expectCanonical,
  expectConserved,
  haveSharedGraphs,
  readDataset,
  SHARED_GRAPHS,
  Workplace,
} from '../../support/ingest-cases.ts'

type Facts = Record<string, { n: number; arcs: number; maxDegree: number }>

const facts = (haveSharedGraphs ? JSON.parse(readFileSync(join(SHARED_GRAPHS, 'facts.json'), 'utf8')) : {}) as Facts

describe.skipIf(!haveSharedGraphs)(
  'the shared graphs (skipped where shared/graphs is not beside the repository)',
  () => {
    const work = new Workplace()

    it('has facts to compare with', () => expect(Object.keys(facts).length).toBeGreaterThan(10))

    it.each(Object.entries(facts))('%s: n, arcs and largest degree', async (name, { n, arcs, maxDegree }) => {
      const folder = work.newFolder()
      const found = await importGraph({ source: join(SHARED_GRAPHS, name), folder }, quietJob)
      expect(found).toMatchObject({ vertices: n, arcs, maxDegree, meanDegree: arcs / n })
      expectCanonical(folder)
      expectConserved(found.report)
      expect(readDataset(folder).report).toEqual(found.report)
    })

    it.each(Object.keys(facts))('%s: compressed and under another name, the same bytes', async (name) => {
      const text = readFileSync(join(SHARED_GRAPHS, name))
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
      const found = await importGraph(
        { source: join(SHARED_GRAPHS, 'hamming6-4.edgelist'), folder: work.newFolder() },
        quietJob,
      )
      expect(found).toMatchObject({ vertices: 64, arcs: 1408, maxDegree: 22 })
      expect(found.report.format).toBe('matrix-market')
      expect(found.report.warnings).toEqual(['the size line was found in the comment of line 2'])
    })

    it('foodweb-baydry: KONECT, with weights', async () => {
      const found = await importGraph(
        { source: join(SHARED_GRAPHS, 'foodweb-baydry.konect'), folder: work.newFolder() },
        quietJob,
      )
      expect(found).toMatchObject({ vertices: 128, weighted: true })
      expect(found.report).toMatchObject({ format: 'konect', entries: 2137, lines: 2139 })
      expectConserved(found.report)
    })
  },
)
