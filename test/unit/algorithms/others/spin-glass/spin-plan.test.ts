import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { spinGlass } from '../../../../../workers/algorithms/others/spin-glass/spin-glass.ts'
import { spinSpaceBytes } from '../../../../../workers/algorithms/others/spin-glass/spin-worker.ts'
import { cpuFacts } from '../../../../../workers/device/cpu-device.ts'
import { bytesOf } from '../../../../../workers/base/words.ts'
import { randomSmallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import { modelOf, programOf, spinsHere } from '../../../../support/spins.ts'

/** Bits are in whole words. */
const SPARE_BYTES = 64
const OPTIONS = { algorithm: 'spin-glass', device: 'cpu:0', seed: 0 } as const

it.each([1, 2, 4])('the plan of spins counts all that %i workers share, and what each has', async (workers) => {
  for (let number = 0; number < 10; number++) {
    const { graph, shape } = randomSmallGraph(number, 500)
    const { folder } = writeGraphFolder(graph)
    const [model, program] = [modelOf('bimodal'), programOf({ sweeps: 2, hottest: 900 })]
    const { shared, bounds } = await spinsHere(folder, model, program, { workers })
    const devices = Array.from({ length: workers }, () => cpuFacts('cpu:0'))
    const { vertices } = graph
    const arcs = graph.neighbours.flat().length
    const size = { vertices, arcs, weighted: false, exact: true, basis: '', dataset: undefined, steps: [] }
    const { steps } = spinGlass.plan({ options: { ...OPTIONS, hottest: 900 }, size, devices })
    const { colours, boundary } = shared.layout
    const arrays = [colours, boundary.ids, ...shared.boxes.flat(), ...shared.best]
    const sharedBytes = arrays.reduce((sum, array) => sum + bytesOf(array).length, 0)
    // Values, and those of the other spins; spins for a checkpoint.
    expect(steps[0]!.hostBytes, shape).toBeGreaterThanOrEqual(sharedBytes + 12 * vertices - SPARE_BYTES)
    const spaces = bounds.slice(1).map((end, worker) => spinSpaceBytes(shared, vertices, end - bounds[worker]!))
    const even = spaces.reduce((sum, bytes) => sum + bytes, 0) / workers
    expect(steps[0]!.deviceBytes, shape).toBeGreaterThanOrEqual(even)
    rmSync(folder, { recursive: true })
  }
})
