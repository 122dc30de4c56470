import { expect, it } from 'vitest'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { smallGraph } from '../../support/graphs.ts'
import { GraphOnDisk } from '../../support/independent-set.ts'

it.skipIf(process.env['ANTICLIQUE_GPU_TESTS'] === 'absent')(
  'a chain of 50,000 vertices that wait for one another is no trap',
  async () => {
    const n = 50_000
    const onDisk = new GraphOnDisk(
      smallGraph(
        n,
        Array.from({ length: n - 1 }, (_, v): [number, number] => [v, v + 1]),
      ),
    )
    const column = Float64Array.from({ length: n }, (_, v) => v)
    const gpu = await openDevice('gpu:0')
    for (const device of [new CpuDevice('cpu:0'), gpu]) {
      const { members } = await onDisk.independentSet(device, { priority: 'column', column, batches: 3 })
      expect(members.size).toBe(n / 2)
      expect(members.has(n - 1) && !members.has(0)).toBe(true)
    }
    gpu.close()
    onDisk.remove()
  },
)
