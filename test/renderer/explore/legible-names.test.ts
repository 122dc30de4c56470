import { expect, test } from 'vitest'
import { drawnName, legibleNames, standsLeft } from '../../../renderer/src/explore/draw-names.ts'

test('names in a row: the first stays, one that it would cover goes, one beyond it stays', () => {
  const row = [0, 40, 120].map((x, at) => ({ id: `${at}`, x, y: 50, name: 'ten letters' }))
  expect([...legibleNames(row)]).toEqual(['0', '2'])
  expect([...legibleNames(row.toReversed())]).toEqual(['2', '0'])
})

test('lines below each other do not touch', () => {
  const column = [0, 10, 20, 30].map((y) => ({ id: `${y}`, x: 0, y, name: 'Reykjavík' }))
  expect([...legibleNames(column)]).toEqual(['0', '20'])
})

test('whatever the places, the first name is legible, and no two that are overlap', () => {
  let state = 7
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const places = Array.from({ length: 300 }, (_, id) => ({
    id: `${id}`,
    x: 800 * random(),
    y: 600 * random(),
    name: 'x'.repeat(1 + Math.floor(20 * random())),
  }))
  const legible = legibleNames(places)
  const seen = places.filter(({ id }) => legible.has(id))
  expect(seen[0]).toBe(places[0])
  expect(seen.length).toBeGreaterThan(20)
  expect(seen.length).toBeLessThan(300)
  for (const [at, a] of seen.entries())
    for (const b of seen.slice(at + 1)) {
      const apart = Math.abs(a.y - b.y) >= 12 || a.x + 7 * a.name.length < b.x || b.x + 7 * b.name.length < a.x
      expect(apart, `${a.id} and ${b.id}`).toBe(true)
    }
})

test('a name that would be cut off at the right stands at the left, where it has room', () => {
  const name = 'ten letters'
  expect([10, 190].map((x) => standsLeft(x, name, 200))).toEqual([false, true])
  expect(standsLeft(50, name, 100)).toBe(false)
  const near = [190, 150].map((x, at) => ({ id: `${at}`, x, y: 50, name }))
  expect([...legibleNames(near, 400)]).toEqual(['0'])
  expect([...legibleNames([near[0]!, { ...near[1]!, x: 60 }], 200)]).toEqual(['0'])
})

test('a long name is drawn by its beginning and its end, and no letter is cut in two', () => {
  expect(drawnName('Niederschöneweide (2862890)')).toBe('Niederschöneweide (2862890)')
  const long = drawnName(`${'🚀'.repeat(200)}17`)
  expect([...long]).toHaveLength(41)
  expect(long).toMatch(/^(🚀)+…(🚀)+17$/u)
})
