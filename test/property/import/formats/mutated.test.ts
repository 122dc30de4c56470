import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../workers/base/failure.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { importFile } from '../../../../workers/import/containers/import-file.ts'
import { damaged, damages } from '../../../support/damage.ts'
import { randomStream } from '../../../support/graphs.ts'
import { Workplace } from '../../../support/ingest-cases.ts'
import { plainFiles, plainGraph } from '../../../support/plain-graph.ts'

const work = new Workplace()
const CASES = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 14)

describe('a damaged file is refused, or the graph that another reader finds in it', () => {
  const random = randomStream(4711)
  const below = (most: number): number => Math.floor(random() * most)

  it.each([...plainFiles(12, below).keys()])('%s', async (name) => {
    let [read, judged] = [0, 0]
    for (let i = 0; i < CASES; i++) {
      const sound = plainFiles(3 + below(20), below).get(name)!
      // Every third file is whole: the other reader is right about those.
      const bytes = i % 3 === 0 ? sound : damaged(sound, damages[below(damages.length)]!, random)
      const folder = work.newFolder()
      try {
        const { report } = await importFile({ source: work.file(name, bytes), folder, memoryBytes: 1 << 22 }, quietJob)
        read++
        const other = plainGraph(bytes, report.format)
        if (other !== null) judged++
        if (other !== null) expect({ vertices: report.vertices, edges: report.arcs / 2 }, `case ${i}`).toEqual(other)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        expect(error.code).toBe('input')
        expect(i % 3).not.toBe(0)
      }
      rmSync(folder, { recursive: true, force: true })
    }
    expect(judged).toBeGreaterThanOrEqual(CASES / 3)
    expect(read).toBeGreaterThanOrEqual(judged)
  })
})
