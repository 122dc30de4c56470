import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import VertexPanel from '../../../renderer/src/explore/VertexPanel.vue'
import { hasPlaces, mapPlaces } from '../../../renderer/src/explore/layout.ts'
import { edgeShare, sizeOf } from '../../../renderer/src/explore/neighbourhood.ts'
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

test('spread: a thousand vertices around a few hubs fill a disc, not a ring', () => {
  const many = Array.from({ length: 1000 }, (_, id) => ({ id, hop: id === 0 ? 0 : id < 20 ? 1 : 2, x: null, y: null }))
  const hubs = many.slice(1).map(({ id }) => ({ source: id < 20 ? 0 : id % 20, target: id }))
  const all = [...hubs, ...many.map(({ id }) => ({ source: id, target: (id * 7 + 3) % 1000 }))]
  const radii = [...spreadPlaces(many, all).values()].map(({ x, y }) => Math.hypot(x, y)).sort((a, b) => a - b)
  const widest = radii[950]!
  expect(radii.filter((radius) => radius < widest / 2).length).toBeGreaterThan(100)
})

test('a hub is larger than a leaf, and many edges hide nothing', () => {
  expect(sizeOf(4, 30_000, 150)).toBeGreaterThan(2 * sizeOf(4, 1, 150))
  expect(sizeOf(4, 1, 1000)).toBeLessThan(sizeOf(4, 1, 150))
  expect(edgeShare(100)).toBe(0.5)
  expect(edgeShare(17_000)).toBeLessThan(0.07)
})

test('the panel says how many of the neighbours are drawn', () => {
  const vertex = (id: number, degree: number) => ({
    id,
    label: `${id}`,
    name: null,
    degree,
    hop: 1,
    member: null,
    value: null,
    x: null,
    y: null,
  })
  const shown = {
    centre: '0',
    vertices: [vertex(0, 37), ...Array.from({ length: 22 }, (_, at) => vertex(at + 1, 1))],
    edges: Array.from({ length: 22 }, (_, at) => ({ source: 0, target: at + 1, weight: null, matched: false })),
    truncated: true,
    limits: [],
  }
  const panel = mount(VertexPanel, { props: { shown, kind: null, chosen: 0 } })
  expect(panel.text()).toContain('22 of its 37 neighbours are drawn')
  expect(panel.findAll('.neighbours li')).toHaveLength(22)
})
