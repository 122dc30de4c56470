import { expect, it } from 'vitest'
import { united } from '../../../../workers/base/ranges.ts'
import { hubsComeFirst } from '../../../../workers/graph/graph-pieces.ts'
import { ScanBoard, takeUnits } from '../../../../workers/streaming/piece-scan.ts'

const own = { vertices: { first: 0, end: 99 }, units: { first: 7, end: 30 } }

it.each([false, true])(
  'every unit is taken once, by workers that take different numbers of them: backward %s',
  (isBackward) => {
    const board = new ScanBoard()
    board.begin(2, own.units.first)
    const taken: number[] = []
    for (let i = 0; ; i++) {
      const units = takeUnits(board, { own, isBackward }, i % 2 === 0 ? 1 : 4)
      if (units === undefined) break
      expect(units.first).toBeLessThan(units.end)
      for (let unit = units.first; unit < units.end; unit++) taken.push(unit)
    }
    expect(taken).toHaveLength(23)
    expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 23 }, (_, i) => 7 + i))
    expect(taken[0]).toBe(isBackward ? 29 : 7)
  },
)

it('hubs come first where the first half has clearly more arcs', () => {
  expect(hubsComeFirst(Uint32Array.of(90, 20, 3, 1))).toBe(true)
  expect(hubsComeFirst(Uint32Array.of(1, 3, 20, 90))).toBe(false)
  expect(hubsComeFirst(Uint32Array.of(16, 17, 16, 15))).toBe(false)
  expect(hubsComeFirst(new Uint32Array(0))).toBe(false)
})

it('ranges that touch become one', () => {
  const ranges = [
    { first: 8, end: 9 },
    { first: 0, end: 4 },
    { first: 4, end: 6 },
  ]
  expect(united(ranges)).toEqual([
    { first: 0, end: 6 },
    { first: 8, end: 9 },
  ])
  expect(united([])).toEqual([])
})
