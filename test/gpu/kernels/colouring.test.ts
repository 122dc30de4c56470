import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { colourVisit } from '../../../kernels/colouring/colour-visit.ts'
import { UNCOLOURED } from '../../../kernels/parts/colour-order.ts'
import type { Device } from '../../../workers/device/device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { hasGpu } from '../../support/devices-here.ts'
import { launched, twinned } from '../../support/launched.ts'

describe.runIf(hasGpu)('kernels of colourings leave what their twins do', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())

  it('the least free colour, where predecessors have more colours than a workgroup looks at together', async () => {
    const colours = 5000
    // Of each vertex the colours that no predecessor has; behind them one that waits.
    const free = [[0], [95, 96], [2047], [2048], [2049, 4096], [4096], [], [7]]
    const waits = free.length - 1
    const lists = free.map((missing) =>
      Array.from({ length: colours }, (_, c) => colours - 1 - c).filter((c) => !missing.includes(c)),
    )
    const sizes = lists.map((list, v) => list.length + (v === waits ? 1 : 0))
    const uncoloured = free.length + colours
    const buffers = {
      offsets: Uint32Array.from({ length: free.length + 1 }, (_, v) => sizes.slice(0, v).reduce((a, b) => a + b, 0)),
      targets: Uint32Array.from([...lists.flatMap((list) => list.map((c) => free.length + c)), uncoloured]),
      keys: Uint32Array.from({ length: uncoloured + 1 }, (_, v) => 1000 + v),
      colours: Uint32Array.from({ length: uncoloured + 1 }, (_, v) =>
        v < free.length || v === uncoloured ? UNCOLOURED : v - free.length,
      ),
      states: Uint32Array.from(sizes.flatMap((size) => [size, 0])),
      list: Uint32Array.from(free.keys()),
      rest: new Uint32Array(free.length),
      counters: new Uint32Array(4),
    }
    const places = { first: 0, low: 0, base: 0, at: 0, to: 0, slot: 0 }
    const params = { ...places, shift: 0, kept: free.length, admitted: 0 }
    const expected = twinned(colourVisit, params, buffers)
    expect([...expected['colours']!.subarray(0, free.length)]).toEqual([
      ...[0, 95, 2047, 2048, 2049, 4096, colours],
      UNCOLOURED,
    ])
    expect(expected['rest']![0]).toBe(waits)
    expect(await launched(gpu, colourVisit, 64, params, buffers)).toEqual(expected)
  })
})
