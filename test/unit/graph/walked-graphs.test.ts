import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { importGraph } from '../../../workers/ingest/import-graph.ts'
import { quietJob } from '../../../workers/job.ts'
import { hasSharedGraphs, sharedFacts, sharedGraphs } from '../../support/shared-graphs.ts'
import { walkedSet } from '../../support/walked-set.ts'

const scratch = mkdtempSync(join(tmpdir(), 'anticlique-walked-'))
afterAll(() => rmSync(scratch, { recursive: true }))

describe.skipIf(!hasSharedGraphs)('graphs with known answers, their heads alone on the device', () => {
  it.each(sharedFacts())('%s', async (name, known) => {
    const folder = join(scratch, name)
    const { checksum } = await importGraph({ source: join(sharedGraphs, name), folder }, quietJob)
    for (const [walkers, shareVertices, sharesOfGroup] of [
      [1, 64, 3],
      [2, 16, 1],
      [4, 256, 2],
    ] as const) {
      const sizes = { shareVertices, groupVertices: shareVertices * sharesOfGroup }
      const view = { folder, checksum, priority: 'ecl', seed: 0 } as const
      const { set } = await walkedSet(view, new CpuDevice('cpu:0'), { sizes, walkers })
      expect(set.summary(), `${walkers} threads`).toEqual(known.eclMis)
    }
  })
})
