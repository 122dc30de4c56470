import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EntryOutput } from '../../../workers/graph/entries.ts'
import { generateGraph } from '../../../workers/jobs/generate-graph.ts'
import { graphModel } from '../../../workers/generate/graph-model.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { eachTuple } from '../../support/tuples.ts'
import { expectCanonical, expectConserved, failureOf, readDataset, Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()

describe('generate', () => {
  it.each([
    { model: 'rmat', scale: 10, edgeFactor: 16, seed: 7 },
    { model: 'uniform', vertices: 1000, degree: 8, seed: 7 },
    { model: 'grid', rows: 20, columns: 30, seed: 7 },
    { model: 'rmat', scale: 0, edgeFactor: 3, seed: 0 },
    { model: 'grid', rows: 1, columns: 1, seed: 0 },
    { model: 'uniform', vertices: 1, degree: 4, seed: 0 },
  ] as const)('$model: canonical, counted, and the same again', async (args) => {
    const [folder, again] = [work.newFolder(), work.newFolder()]
    const facts = await generateGraph({ ...args, folder }, quietJob)
    expectCanonical(folder)
    expectConserved(facts.report)
    expect(facts.report).toMatchObject({
      format: 'generated',
      lines: 0,
      sourceSha256: null,
      labels: { kind: 'dense', smallest: '0' },
    })
    expect((await generateGraph({ ...args, folder: again }, quietJob)).checksum).toBe(facts.checksum)
    expect(facts.bytes).toBe(readFileSync(join(folder, 'graph.gr')).length)
  })

  it('R-MAT: all vertices, edgeFactor tuples each, other seeds other graphs', async () => {
    const one = await generateGraph(
      { model: 'rmat', scale: 12, edgeFactor: 16, seed: 1, folder: work.newFolder() },
      quietJob,
    )
    const two = await generateGraph(
      { model: 'rmat', scale: 12, edgeFactor: 16, seed: 2 ** 40 + 1, folder: work.newFolder() },
      quietJob,
    )
    expect(one.report).toMatchObject({ vertices: 4096, entries: 65_536 })
    expect(one.report.isolatedVertices).toBeGreaterThan(0)
    expect(one.checksum).not.toBe(two.checksum)
  })

  it('R-MAT: the quadrants have the parameters of Graph500 at every level', () => {
    const output = new EntryOutput(1 << 20)
    output.next()
    const model = graphModel({ model: 'rmat', scale: 8, edgeFactor: 1, seed: 3, folder: '' })
    eachTuple(model, 0, 400_000, (u, v) => output.add(u, v, 1))
    const { from, to, count } = output.block
    expect(count).toBe(400_000)
    for (let level = 0; level < 8; level++) {
      const quadrants = [0, 0, 0, 0]
      for (let i = 0; i < count; i++) quadrants[2 * ((from[i]! >> level) & 1) + ((to[i]! >> level) & 1)]!++
      // Four standard deviations of a share are 0.0032.
      for (const [i, share] of [0.57, 0.19, 0.19, 0.05].entries())
        expect(Math.abs(quadrants[i]! / count - share)).toBeLessThan(0.0032)
    }
  })

  it('parts of a model are what the whole is', () => {
    for (const args of [
      { model: 'rmat', scale: 9, edgeFactor: 4 },
      { model: 'uniform', vertices: 77, degree: 9 },
      { model: 'grid', rows: 9, columns: 5 },
    ] as const) {
      const model = graphModel({ ...args, seed: 5, folder: '' })
      const tuples = (cuts: number[]) => {
        const output = new EntryOutput()
        output.next()
        cuts.reduce((first, last) => (eachTuple(model, first, last, (u, v) => output.add(u, v, 1)), last))
        const { from, to, count } = output.block
        return Array.from({ length: count }, (_, i) => `${from[i]} ${to[i]}`)
      }
      const whole = tuples([0, model.tuples])
      expect(whole).toHaveLength(model.tuples)
      expect(tuples([0, 1, 7, 30, model.tuples])).toEqual(whole)
    }
  })

  it('grid: the four neighbours', async () => {
    const folder = work.newFolder()
    const facts = await generateGraph({ model: 'grid', rows: 2, columns: 3, seed: 0, folder }, quietJob)
    expect(facts).toMatchObject({ vertices: 6, arcs: 14, maxDegree: 3 })
    expect(readDataset(folder).arcs.filter((arc) => arc.startsWith('1 '))).toEqual(['1 0', '1 2', '1 4'])
  })

  it.each([
    { model: 'rmat', scale: 32, edgeFactor: 1, seed: 0 },
    { model: 'rmat', scale: 4.5, edgeFactor: 1, seed: 0 },
    { model: 'rmat', scale: 4, edgeFactor: -1, seed: 0 },
    { model: 'rmat', scale: 4, edgeFactor: 1, seed: -1 },
    { model: 'uniform', vertices: 0, degree: 1, seed: 0 },
    { model: 'grid', rows: 2 ** 20, columns: 2 ** 20, seed: 0 },
  ] as const)('refuses $model with parameters out of range', async (args) => {
    expect(await failureOf(generateGraph({ ...args, folder: work.newFolder() }, quietJob))).toMatchObject({
      code: 'usage',
    })
  })

  it('refuses what the disk cannot hold before it begins', async () => {
    const huge = { model: 'rmat', scale: 31, edgeFactor: 1024, seed: 0, memoryBytes: 1 << 30 } as const
    const failure = await failureOf(generateGraph({ ...huge, folder: work.newFolder() }, quietJob))
    expect(failure).toMatchObject({ code: 'storage' })
    expect(failure.what).toMatch(/GiB|entries/)
  })
})
