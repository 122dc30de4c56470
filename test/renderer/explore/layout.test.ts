import { expect, test } from 'vitest'
import { hasPlaces, mapPlaces } from '../../../renderer/src/explore/layout.ts'
import { ringsPlaces } from '../../../renderer/src/explore/rings-layout.ts'
import { spreadPlaces } from '../../../renderer/src/explore/spread-layout.ts'

/** A middle with ten neighbours, each of which has two more. */
const vertices = Array.from({ length: 31 }, (_, id) => ({ id, hop: id === 0 ? 0 : id <= 10 ? 1 : 2, x: null, y: null }))
const links = vertices.slice(1).map(({ id }) => ({ source: id <= 10 ? 0 : ((id - 11) % 10) + 1, target: id }))

test.each([
  ['rings', ringsPlaces],
  ['spread', spreadPlaces],
])('%s: every vertex has a place of its own, the same one whatever the order of the input', (_, layout) => {
  const places = layout(vertices, links)
  expect(places.size).toBe(31)
  const shown = [...places.values()].map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)
  expect(new Set(shown).size).toBe(31)
  expect(shown.join()).not.toMatch(/NaN|Infinity/)
  expect(layout(vertices.toReversed(), links)).toEqual(places)
})

test('rings: further hops lie further out', () => {
  const places = ringsPlaces(vertices, links)
  const radius = (id: number): number => Math.hypot(places.get(id)?.x ?? 0, places.get(id)?.y ?? 0)
  for (const { id, hop } of vertices) if (hop > 0) expect(radius(id)).toBeGreaterThan(radius(hop === 1 ? 0 : 1) + 1)
})

test('cities lie at their places, also across the date line', () => {
  const places = mapPlaces([
    { id: 1, hop: 0, x: 179, y: 60 },
    { id: 2, hop: 1, x: -179, y: 60 },
  ])
  expect(places.get(2)!.x - places.get(1)!.x).toBeCloseTo(2 * Math.cos(Math.PI / 3))
  expect(hasPlaces([{ id: 1, hop: 0, x: 1, y: null }])).toBe(false)
})
