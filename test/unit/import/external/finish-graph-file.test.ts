import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { quietJob, YieldScheduler } from '../../../../workers/base/job.ts'
import { SumsBuilder } from '../../../../workers/base/sums.ts'
import { GR_HEADER_BYTES, grLayout } from '../../../../workers/graph/graph-file.ts'
import { finishGraphFile } from '../../../../workers/import/external/build-external.ts'
import { ScratchFiles } from '../../../../workers/import/build/scratch-file.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folder = scratchFolder('finish-graph-file')

it('a weighted graph is completed again where the program was killed before the journal had it', async () => {
  const [path, weightsPath] = [join(folder, 'graph.gr'), join(folder, 'weights')]
  const bytes = Buffer.alloc(grLayout(2, 2, false).fileBytes)
  bytes.writeBigUInt64LE(1n, GR_HEADER_BYTES)
  bytes.writeBigUInt64LE(2n, GR_HEADER_BYTES + 8)
  bytes.writeUInt32LE(1, GR_HEADER_BYTES + 16)
  writeFileSync(path, bytes)
  writeFileSync(weightsPath, Buffer.from(Float32Array.of(1.5, 1.5).buffer))
  const finish = () => {
    const scheduler = new YieldScheduler(quietJob)
    return finishGraphFile(
      { path, weightsPath, vertices: 2, arcs: 2 },
      new ScratchFiles(),
      new SumsBuilder(),
      scheduler,
    )
  }
  const first = await finish()
  expect(first.bytes).toBe(grLayout(2, 2, true).fileBytes)
  expect(await finish()).toEqual(first)
})
