import { expect, it } from 'vitest'
import { type HostKernels, type HostMemory, hostKernels } from '../../../../kernels/mis/host-kernels.ts'
import { shareHostMemory } from '../../../../workers/algorithms/ecl-mis/processors.ts'
import { type SetOrder, setOrder } from '../../../../workers/graph/set-order.ts'
import { randomStream } from '../../../support/graphs.ts'

const CASES = 300
/** The share of the arcs, of every other case, that lead anywhere. */
const DAMAGED = 1 / 20

interface Sides {
  readonly twin: HostKernels
  readonly module: HostKernels
  readonly memories: readonly [HostMemory, HostMemory]
}

function sidesOf(
  order: SetOrder,
  vertices: number,
  bytes: number,
  limits: { records: number; poolWords: number },
): Sides {
  const memories = [shareHostMemory(vertices, 'column'), shareHostMemory(vertices, order.priority)] as const
  expect(memories.map(({ wasm }) => wasm === undefined)).toEqual([true, false])
  const [twin, module] = [
    hostKernels(order, vertices, memories[0], limits, bytes),
    hostKernels(order, vertices, memories[1], limits, bytes),
  ]
  return { twin, module, memories }
}

function expectEqual({ twin, module, memories: [one, other] }: Sides, words: string): void {
  expect(Buffer.compare(Buffer.from(one.states.slice().buffer), Buffer.from(other.states.slice().buffer)), words).toBe(
    0,
  )
  expect([module.count, module.words, module.deferred], words).toEqual([twin.count, twin.words, twin.deferred])
  const [left, right] = [twin.residual(), module.residual()]
  expect(
    Buffer.compare(Buffer.from(left.records.slice().buffer), Buffer.from(right.records.slice().buffer)),
    words,
  ).toBe(0)
  expect(Buffer.compare(Buffer.from(left.pool.slice().buffer), Buffer.from(right.pool.slice().buffer)), words).toBe(0)
}

it(`the module does what the twins do, word for word, on ${CASES} lists of any kind`, () => {
  let [kept, left, grown] = [0, 0, 0]
  for (let seed = 0; seed < CASES; seed++) {
    const random = randomStream(seed)
    const below = (limit: number): number => Math.floor(limit * random())
    const priority = (['degree', 'ecl', 'hash'] as const)[seed % 3]!
    const n = seed % 100 < 2 ? 300_000 : 1 + below(600)
    const degrees = Uint32Array.from({ length: n }, () => (below(4) === 0 ? 0 : below(seed % 7 === 6 ? 3 : 24)))
    const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
    const order = setOrder({ priority, seed: seed % 5, vertices: n, arcs }, degrees)
    const isDamaged = seed % 2 === 1
    const targets = Uint32Array.from({ length: arcs }, () =>
      isDamaged && random() < DAMAGED ? below(2 ** 32) : below(n),
    )
    const wide = 1 + (seed % 2)
    const ends = new Uint32Array(wide * n)
    for (let v = 0, end = 0; v < n; v++) ends[wide * v] = end += degrees[v]!
    const rooms = [
      { records: n, poolWords: arcs },
      { records: 5, poolWords: 40 },
    ]
    const sides = sidesOf(order, n, 4 * Math.max(arcs, 2 * n) + 4, rooms[seed % 11 === 5 ? 1 : 0]!)
    const both = [sides.twin, sides.module]
    const indexed = both.map((kernels) => {
      kernels.bytes.set(new Uint8Array(ends.buffer))
      return kernels.index({ first: 0, end: n }, { begin: 0, words: wide, before: 0 })
    })
    expect(indexed).toEqual([true, true])
    expect(sides.memories[0].ends).toEqual(sides.memories[1].ends)
    for (const kernels of both) kernels.bytes.set(new Uint8Array(targets.buffer))
    for (let first = 0; first < n;) {
      const end = Math.min(n, first + 1 + below(n / 2 + 1))
      // Where it is damaged a list may be cut, or begin before what was read.
      const origin = isDamaged && below(8) === 0 ? below(2 ** 32) : 0
      const bytes = isDamaged && below(4) === 0 ? 4 * below(arcs + 1) : 4 * arcs
      for (const kernels of both) kernels.visit({ first, end }, origin, bytes)
      first = end
      if (below(3) === 0) for (const kernels of both) kernels.sweep()
      grown += sides.twin.words > 1 << 14 && sides.twin.count > 1 << 12 ? 1 : 0
      expectEqual(sides, `${priority}, case ${seed}, before ${first}`)
    }
    kept += sides.twin.words
    left += sides.twin.deferred
    for (let sweeps = 0; sweeps < 3; sweeps++) for (const kernels of both) kernels.sweep()
    expectEqual(sides, `${priority}, case ${seed}, at the end`)
  }
  expect(Math.min(kept, left, grown)).toBeGreaterThan(0)
})
