import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import type { GenerateArgs } from '../../../workers/contract/jobs.ts'
import { graphModel } from '../../../workers/generate/graph-model.ts'
import { planDrawing } from '../../../workers/import/lines/draw-model.ts'
import { generateGraph } from '../../../workers/jobs/generate-graph.ts'
import { sha256 } from '../../support/dataset-folders.ts'
import { expectCanonical, Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const MIB = 2 ** 20

const models = [
  // An odd number of arcs would end with a word of nothing; ends and targets share pieces.
  { model: 'rmat', scale: 13, edgeFactor: 16, seed: 3 },
  { model: 'uniform', vertices: 50_001, degree: 4, seed: 3, shuffle: true },
] as const

/** Everything that a dataset is, but for how long it took. */
async function made(args: Omit<GenerateArgs, 'folder'>) {
  const folder = work.newFolder()
  const { report, ...facts } = await generateGraph({ ...args, folder } as GenerateArgs, quietJob)
  const { elapsedMs: _ms, ...told } = report
  expectCanonical(folder)
  return {
    ...facts,
    told,
    files: ['graph.gr', 'graph.gr.sums'].map((name) => sha256(readFileSync(join(folder, name)))),
  }
}

/** Parts for which a model is drawn with so much memory; 0: it goes through the disk. */
const partsOf = (args: Omit<GenerateArgs, 'folder'>, threads: number, memoryBytes: number): number =>
  planDrawing(graphModel({ ...args, folder: '' } as GenerateArgs), memoryBytes, threads)?.parts.length ?? 0

it.each(models)('$model: the same graph in memory, in parts, and through the disk', async (args) => {
  const expected = await made({ ...args, threads: 1 })
  const met = new Set<number>()
  for (const [threads, wanted] of [
    [1, [1, 2, 0]],
    [4, [2, 4]],
  ] as const)
    for (let memoryBytes = (11 * threads + 3) * MIB; memoryBytes > 10 * threads * MIB; memoryBytes -= MIB / 8) {
      const parts = partsOf(args, threads, memoryBytes)
      const key = 10 * threads + parts
      if (!wanted.some((count) => count === parts) || met.has(key)) continue
      met.add(key)
      expect(await made({ ...args, threads, memoryBytes }), `${parts} parts`).toEqual(expected)
    }
  expect(met.size).toBe(5)
})
