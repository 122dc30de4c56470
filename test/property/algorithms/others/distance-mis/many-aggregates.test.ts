import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadAlgorithm } from '../../../../../workers/algorithms/registry.ts'
import { computeWith } from '../../../../../workers/algorithms/run.ts'
import { quietJob } from '../../../../../workers/base/job.ts'
import { scratchFolder } from '../../../../support/scratch-folder.ts'

it('there may be more aggregates than a Map holds', async () => {
  const vertices = 2 ** 24 + 2
  const folder = scratchFolder('isolated')
  const words = new Uint32Array(8 + 2 * vertices)
  words.set([1, 0, 0, 0, vertices, 0, 0, 0])
  const bytes = new Uint8Array(words.buffer)
  writeFileSync(join(folder, 'graph.gr'), bytes)
  const checksum = createHash('sha256').update(bytes).digest('hex')
  const args = { folder, checksum, device: 'cpu:0', seed: 1, verify: false, resultFile: join(folder, 'values') }
  const algorithm = await loadAlgorithm('mis2-aggregates')
  const { result } = await computeWith(algorithm, { ...args, algorithm: 'mis2-aggregates' }, quietJob)
  expect(result).toMatchObject({ size: vertices, figures: { aggregates: vertices, largest: 1, smallest: 1 } })
})
