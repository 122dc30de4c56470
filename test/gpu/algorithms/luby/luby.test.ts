import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadAlgorithm } from '../../../../workers/algorithms/registry.ts'
import { computeWith } from '../../../../workers/algorithms/run.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { Device } from '../../../../workers/device/device.ts'
import { CpuDevice } from '../../../../workers/device/cpu-device.ts'
import { openDevice } from '../../../../workers/device/open-device.ts'
import { readBits } from '../../../../workers/graph/vertex-set.ts'
import { hasGpu } from '../../../support/devices-here.ts'
import { graphsForDevices, isMaximalIndependent, writeGraphFolder } from '../../../support/graphs.ts'

const GRAPHS = 48
const luby = await loadAlgorithm('luby')

async function setOf(device: Device, folder: string, checksum: string, seed: number, vertices: number) {
  const resultFile = join(folder, 'set')
  const args = { folder, checksum, algorithm: 'luby', device: 'cpu:0', seed, verify: true, resultFile } as const
  const { verification, rounds } = await computeWith(luby, { ...args, priority: 'degree' }, quietJob, device)
  expect(verification?.verified).toBe(true)
  return { members: new Set(readBits(resultFile, vertices).members()), rounds }
}

it(`makes a maximal independent set in few rounds, the same on every device, on ${GRAPHS} random graphs`, async () => {
  const cpu = new CpuDevice('cpu:0')
  const gpu = hasGpu ? await openDevice('gpu:0') : undefined
  let [members, different] = [0, 0]
  for (const [number, { graph, shape }] of graphsForDevices(GRAPHS, 600).entries()) {
    const { folder, checksum } = writeGraphFolder(graph)
    const found = await setOf(cpu, folder, checksum, 1, graph.vertices)
    expect(isMaximalIndependent(graph, found.members), shape).toBe(true)
    expect(found.rounds, shape).toBeLessThanOrEqual(2 + 3 * Math.log2(graph.vertices + 1))
    if (gpu !== undefined && (number % 4 === 0 || number > GRAPHS))
      expect(await setOf(gpu, folder, checksum, 1, graph.vertices), shape).toEqual(found)
    const other = await setOf(cpu, folder, checksum, 2, graph.vertices)
    if ([...other.members].some((v) => !found.members.has(v))) different++
    members += found.members.size
    rmSync(folder, { recursive: true })
  }
  gpu?.close()
  expect(members).toBeGreaterThan(GRAPHS * 40)
  expect(different).toBeGreaterThan(GRAPHS / 2)
})
