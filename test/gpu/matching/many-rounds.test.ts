import { describe, expect, it } from 'vitest'
import { EngineGraphs } from '../../support/engine-graphs.ts'

/** Rows of a grid, which has about as many rounds: 64 are queued at a time by the one method, 16 by the other. */
const rows = { ordered: 300, rescan: 80 } as const

describe.skipIf(process.env['ANTICLIQUE_GPU_TESTS'] === 'absent')('matchings of many rounds', () => {
  // More rounds than are queued before the host looks at any: the device has the next when it comes to the end of some.
  const graphs = new EngineGraphs({
    ordered: { model: 'grid', rows: rows.ordered, columns: 3 },
    rescan: { model: 'grid', rows: rows.rescan, columns: 3 },
  })

  it.each(['ordered', 'rescan'] as const)('are those of the CPU device, round by round: %s', async (method) => {
    const choice = { algorithm: 'ld-gpu', method, ties: 'id', weights: 'unit', verify: true } as const
    const [onCpu, onGpu] = [
      await graphs.run(method, { ...choice, device: 'cpu:0' }),
      await graphs.run(method, { ...choice, device: 'gpu:0' }),
    ]
    expect(onCpu.rounds).toBeGreaterThan(rows[method] / 2)
    expect(onCpu.verification).toMatchObject({ verified: true })
    expect(onGpu.result).toEqual(onCpu.result)
    expect(onGpu.rounds).toBe(onCpu.rounds)
    expect(onGpu.roundCounts).toEqual(onCpu.roundCounts)
    expect(onGpu.counters['arcsTouched']).toBe(onCpu.counters['arcsTouched'])
    expect(onGpu.counters['arcsTouched']).toBeGreaterThan(0)
  })
})
