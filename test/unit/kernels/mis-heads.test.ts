import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kernel } from '../../../kernels/kernel.ts'
import { misHeads } from '../../../kernels/mis-heads.ts'
import { misMembers } from '../../../kernels/mis-members.ts'

const NO_ENTRY = 0xffffffff
const [UNDECIDED, IN, OUT] = [0, 1, 2]

/** States, then entries highest first; all entries of a vertex stand before it. */
const views = fc
  .array(
    fc.record({
      state: fc.constantFrom(UNDECIDED, UNDECIDED, UNDECIDED, IN, OUT),
      entries: fc.array(fc.nat(), { maxLength: 12, size: 'max' }),
    }),
    { minLength: 1, maxLength: 1400, size: 'max' },
  )
  .map((rows) =>
    rows.map(({ state, entries }, p) => ({ state, entries: p === 0 ? [] : entries.map((entry) => entry % p) })),
  )

type Row = { readonly state: number; readonly entries: readonly number[] }

const stateOf = (states: Uint32Array, p: number): number => (states[p >>> 4]! >>> ((p & 15) << 1)) & 3

/** What the twin is to do, one vertex after another: the first entry that is not out decides. */
function walked(rows: readonly Row[], first: number): { states: number[]; list: [number, number][] } {
  const states = rows.map(({ state }) => state)
  const list: [number, number][] = []
  for (let p = first; p < rows.length; p++) {
    if (states[p] !== UNDECIDED) continue
    const { entries } = rows[p]!
    const at = entries.findIndex((entry) => states[entry] !== OUT)
    if (at < 0) states[p] = IN
    else if (states[entries[at]!] === IN) states[p] = OUT
    else list.push([p - first, at])
  }
  return { states, list }
}

/** The twin on the vertices from `first` on, as one batch. */
function launched(rows: readonly Row[], first: number, room: number) {
  const count = rows.length - first
  const states = new Uint32Array(Math.ceil(rows.length / 16))
  for (const [p, { state }] of rows.entries()) states[p >>> 4]! |= state << ((p & 15) << 1)
  const batch = rows.slice(first)
  const heads = Uint32Array.from(
    batch.flatMap(({ entries: [highest = NO_ENTRY, second = NO_ENTRY] }) => [highest, second]),
  )
  const tails = Uint32Array.from(batch.flatMap(({ entries }) => entries.slice(2)))
  const tailOffsets = new Uint32Array(count + 1)
  for (const [i, { entries }] of batch.entries()) tailOffsets[i + 1] = tailOffsets[i]! + Math.max(0, entries.length - 2)
  const list = new Uint32Array(2 * room)
  const counters = new Uint32Array(1)
  misHeads.twin({ first, count, counter: 0 }, { states, heads, tailOffsets, tails, list, counters })
  return { states, list, listed: counters[0]! }
}

describe('the twin of mis-heads', () => {
  it('decides as a walk from front to back does, whatever is decided before it', () => {
    let listed = 0
    fc.assert(
      fc.property(views, fc.nat({ max: 40 }), (rows, start) => {
        const first = 16 * Math.min(start, Math.floor((rows.length - 1) / 16))
        const found = launched(rows, first, rows.length)
        const known = walked(rows, first)
        expect(rows.map((_, p) => stateOf(found.states, p))).toEqual(known.states)
        expect([...found.list.subarray(0, 2 * found.listed)]).toEqual(known.list.flat())
        listed += found.listed
      }),
    )
    expect(listed).toBeGreaterThan(0)
  })

  it('counts what its list has no room for', () => {
    const rows: Row[] = [
      ...Array.from({ length: 16 }, () => ({ state: UNDECIDED, entries: [] })),
      ...Array.from({ length: 600 }, () => ({ state: UNDECIDED, entries: [3] })),
    ]
    const found = launched(rows, 16, 100)
    expect(found.listed).toBe(600)
    expect([...found.list.subarray(198)]).toEqual([99, 0])
  })
})

describe('the sample of a kernel', () => {
  const kernels: readonly Kernel[] = [misHeads, misMembers]

  it.each(kernels.map((kernel) => [kernel.name, kernel] as const))(
    '%s has all that it is launched with',
    (_, kernel) => {
      const { params, buffers } = kernel.sample!()
      expect(Object.keys(params).sort()).toEqual([...kernel.params].sort())
      expect(Object.keys(buffers)).toEqual(expect.arrayContaining(kernel.buffers.map(({ name }) => name)))
      kernel.twin(params, buffers)
      const written = kernel.buffers.filter(({ access }) => access === 'read_write').map(({ name }) => buffers[name]!)
      expect(written.some((words) => words.some((word) => word !== 0))).toBe(true)
    },
  )
})
