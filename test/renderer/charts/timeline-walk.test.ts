import { expect, test } from 'vitest'
import type { WalkStep } from '../../../renderer/src/charts/timeline-walk.ts'
import { timelineChart } from '../../../renderer/src/charts/timeline-chart.ts'

const span = (kind: 'read' | 'kernel', name: string, startMs: number, endMs: number) => ({ kind, name, startMs, endMs })
const lanes = [
  {
    name: 'cpu:0',
    spans: [span('kernel', 'second', 10, 20), span('read', 'first', 0, 8), span('kernel', 'third', 90, 100)],
  },
  { name: 'cpu:1', spans: [] },
  { name: 'cpu:2', spans: [span('kernel', 'early', 1, 2), span('kernel', 'late', 85, 99)] },
]
const walk = timelineChart(lanes).walk!
const start: WalkStep = { place: null, sight: { from: 0, to: 100 } }

function after(keys: readonly string[], from = start): WalkStep {
  return keys.reduce((step, key) => {
    const next = walk.step(key, step)
    expect(next, key).toBeDefined()
    return next!
  }, from)
}
const said = (...keys: string[]): string => walk.words(after(keys).place!)

test('arrows go from span to span in the order of time, and to the lane beside at about the same time', () => {
  expect(said('ArrowRight')).toBe('cpu:0, read from disk: first, 8 ms from 0 ms (1 of 3)')
  expect(said('ArrowRight', 'ArrowRight')).toContain('cpu:0, kernel: second, 10 ms from 10 ms (2 of 3)')
  expect(said('End')).toContain('first')
  expect(said('Home', 'End')).toContain('third')
  expect(said('Home', 'End', 'ArrowRight')).toContain('third')
  expect(said('Home', 'End', 'ArrowDown')).toContain('cpu:2, kernel: late')
  expect(said('Home', 'End', 'ArrowDown', 'ArrowDown', 'Home', 'ArrowUp')).toContain('cpu:0, read from disk: first')
})

test('zooming keeps the span in sight, moving brings the next one into it, and 0 shows all', () => {
  const near = after(['Home', 'ArrowRight', '+', '+', '+'])
  expect(near.sight.to - near.sight.from).toBeCloseTo(12.5)
  expect(near.sight.from).toBeLessThanOrEqual(10)
  expect(near.sight.to).toBeGreaterThanOrEqual(20)
  const third = after(['ArrowRight'], near)
  expect(walk.words(third.place!)).toContain('third')
  expect(third.sight.from).toBeLessThanOrEqual(90)
  expect(third.sight.to).toBe(100)
  expect(after(['-'], third).sight.from).toBe(75)
  expect(after(['0'], third).sight).toEqual({ from: 0, to: 100 })
  const finest = after(Array.from({ length: 40 }, () => '+'))
  expect(finest.sight.to - finest.sight.from).toBeCloseTo(0.01)
})

test('Escape leaves; keys of others are left to them', () => {
  expect(after(['ArrowRight', 'Escape'])).toEqual(start)
  for (const key of ['Escape', 'a', 'Tab', '?']) expect(walk.step(key, start)).toBeUndefined()
  const nothing = timelineChart([{ name: 'cpu:0', spans: [] }]).walk!
  expect(nothing.step('ArrowRight', start)?.place).toBeNull()
})

test('the mark lies on the row of the kind', () => {
  expect(walk.mark(after(['ArrowRight']).place!)).toEqual([0, 8, 0, 0])
  expect(walk.mark(after(['Home', 'ArrowRight']).place!)).toEqual([10, 20, 0, 1])
})
