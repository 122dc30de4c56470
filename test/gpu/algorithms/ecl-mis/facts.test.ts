import { sizeOf } from '../../../../workers/contract/result.ts'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAlgorithm } from '../../../../workers/algorithms/run.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { devicesHere } from '../../../support/devices-here.ts'
import { graphFile, knownGraphs } from '../../../support/known-graphs.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const scratch = scratchFolder('facts')

describe('graphs with known answers: n, arcs, largest degree, size and hash of the ECL-MIS set', () => {
  it.each(knownGraphs())('%s', async (name, facts) => {
    const folder = join(scratch, name)
    const found = await importGraph({ source: graphFile(name), folder }, quietJob)
    expect({ n: found.vertices, arcs: found.arcs, maxDegree: found.maxDegree }).toEqual({
      n: facts.n,
      arcs: facts.arcs,
      maxDegree: facts.maxDegree,
    })
    const base = {
      folder,
      checksum: found.checksum,
      algorithm: 'ecl-mis' as const,
      priority: 'ecl' as const,
      seed: 0,
    }
    for (const device of devicesHere)
      for (const batches of [1, 3, 17]) {
        const outcome = await runAlgorithm(
          { ...base, device, batches, verify: true, resultFile: join(folder, 'set') },
          quietJob,
        )
        const { hash } = outcome.result
        expect({ size: sizeOf(outcome.result), hash }, `${device}, ${batches} batches`).toEqual(facts.eclMis)
        expect(outcome.verification?.verified).toBe(true)
      }
  })
})
