import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { expect, test } from 'vitest'
import VertexPanel from '../../../renderer/src/explore/VertexPanel.vue'
import { hasPlaces, mapPlaces, ringsPlaces } from '../../../renderer/src/explore/layout.ts'
import { makeRouter } from '../../../renderer/src/router.ts'
import { edgeShare, sizeOf } from '../../../renderer/src/explore/shown.ts'

/** A middle with ten neighbours, each of which has two more. */
const vertices = Array.from({ length: 31 }, (_, id) => ({ id, hop: id === 0 ? 0 : id <= 10 ? 1 : 2, x: null, y: null }))
const links = vertices.slice(1).map(({ id }) => ({ source: id <= 10 ? 0 : ((id - 11) % 10) + 1, target: id }))

test('rings: every vertex has a place of its own, the same one whatever the order of the input', () => {
  const places = ringsPlaces(vertices, links)
  expect(places.size).toBe(31)
  const shown = [...places.values()].map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)
  expect(new Set(shown).size).toBe(31)
  expect(shown.join()).not.toMatch(/NaN|Infinity/)
  expect(ringsPlaces(vertices.toReversed(), links)).toEqual(places)
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

test('a hub is larger than a leaf, a group than a vertex, and many edges hide nothing', () => {
  const leaf = { degree: 1, size: 1 }
  expect(sizeOf(4, { degree: 30_000, size: 1 }, 150)).toBeGreaterThan(2 * sizeOf(4, leaf, 150))
  expect(sizeOf(4, { degree: 1, size: 500 }, 150)).toBeGreaterThan(1.5 * sizeOf(4, leaf, 150))
  expect(sizeOf(4, leaf, 1000)).toBeLessThan(sizeOf(4, leaf, 150))
  expect(edgeShare(100)).toBe(0.55)
  expect(edgeShare(17_000)).toBeLessThan(0.2)
})

test('the panel says how many of the neighbours are drawn', () => {
  const vertex = (key: number, degree: number) => ({
    ...{ key, label: `${key}`, name: null, value: null, degree, size: 1, share: 1, hop: 1 },
    mark: 'plain' as const,
  })
  const shown = {
    vertices: [vertex(0, 37), ...Array.from({ length: 22 }, (_, at) => vertex(at + 1, 1))],
    edges: Array.from({ length: 22 }, (_, at) => ({
      ...{ source: 0, target: at + 1, weight: null, matched: false, strong: true },
    })),
    places: new Map(),
    limits: [],
  }
  const panel = mount(VertexPanel, {
    props: { shown, dataset: 'cities', run: null, kind: null, acts: () => [], chosen: 0, selected: new Set<number>() },
    global: { plugins: [createPinia(), makeRouter()] },
  })
  expect(panel.text()).toContain('22 of its 37 neighbours are drawn')
  expect(panel.findAll('.neighbours li')).toHaveLength(22)
})
