import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ReadArena } from '../../../workers/device/read-arena.ts'

const ARENA = 4096

/** Sizes of jobs, from tiny to the whole arena. */
const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: ARENA })), {
  minLength: 1,
  maxLength: 200,
})

it('no job is written over one that is not given back yet, however many readers there are', () => {
  let waited = 0
  fc.assert(
    fc.property(sizes, (jobs) => {
      const arena = new ReadArena(ARENA)
      const places = jobs.map((bytes) => arena.place(bytes))
      for (const [job, { at, after }] of places.entries()) {
        expect(at + jobs[job]!).toBeLessThanOrEqual(ARENA)
        // Jobs `after` to `job - 1` may be in use, or being written, at the same time as this one.
        for (let other = after; other < job; other++) {
          const { at: start } = places[other]!
          expect(start + jobs[other]! <= at || at + jobs[job]! <= start).toBe(true)
        }
        // Nobody waits for itself, nor for one that comes later.
        expect(after).toBeLessThanOrEqual(job)
        if (after > 0) waited++
      }
    }),
  )
  expect(waited).toBeGreaterThan(100)
})

it('small jobs wait only when the arena is full', () => {
  const arena = new ReadArena(ARENA)
  const places = Array.from({ length: 9 }, () => arena.place(ARENA / 4))
  expect(places.map(({ after }) => after)).toEqual([0, 0, 0, 0, 1, 2, 3, 4, 5])
})

it('what is larger than the arena is refused', () => {
  expect(() => new ReadArena(ARENA).place(ARENA + 1)).toThrow(/do not fit/)
})
