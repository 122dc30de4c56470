import { describe, expect, it } from 'vitest'
import { planMatch } from '../../../workers/algorithms/ld-gpu/plan-match.ts'
import { cpuFacts } from '../../../workers/device/cpu-device.ts'
import type { PreparedView } from '../../../workers/graph/prepare-view.ts'

const VERTICES = 1 << 16
const HUBS = 1000
const OTHERS = 30_000

/** As in an R-MAT graph without shuffled ids: a few vertices with most of the entries first, then many with few, then some without. */
function tailOffsets(): Uint32Array {
  const offsets = new Uint32Array(VERTICES + 1)
  for (let v = 0; v < VERTICES; v++) offsets[v + 1] = offsets[v]! + (v < HUBS ? 3000 : v < HUBS + OTHERS ? 5 : 0)
  return offsets
}

function planned(memoryBytes: number) {
  const offsets = tailOffsets()
  // The plan looks at nothing else of a view.
  const view = { tailOffsets: offsets } as PreparedView
  const graph = { vertices: VERTICES, arcs: offsets[VERTICES]! + 2 * VERTICES }
  const workers = ['cpu:0', 'cpu:1', 'cpu:2', 'cpu:3']
  const { shares, residence } = planMatch({ memoryBytes }, graph, view, workers.map(cpuFacts))
  expect(shares.flat().reduce((sum, { count }) => sum + count, 0)).toBe(VERTICES)
  const of = (size: (v: number) => number): number[] =>
    shares.map((own) => {
      let sum = 0
      for (const { first, count } of own) for (let v = first; v < first + count; v++) sum += size(v)
      return sum
    })
  // With the heads and the offset of each vertex.
  const entries = of((v) => 3 + offsets[v + 1]! - offsets[v]!)
  return { residence, entries, searching: of((v) => (offsets[v + 1]! > offsets[v]! ? 1 : 0)) }
}

describe('the shares of a matching', () => {
  it('have about equal entries where the devices hold them', () => {
    const { residence, entries, searching } = planned(2 ** 30)
    expect(residence).toBe('whole')
    expect(Math.max(...entries)).toBeLessThan(1.2 * Math.min(...entries))
    expect(Math.max(...searching)).toBeGreaterThan(10 * Math.min(...searching))
  })

  it('have about equally many vertices whose entries the hosts read where they do not', () => {
    const { residence, searching } = planned(20 * VERTICES)
    expect(residence).toBe('none')
    expect(Math.max(...searching)).toBeLessThan(3 * Math.min(...searching))
  })
})
