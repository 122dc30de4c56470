import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { expect, test } from 'vitest'
import VertexPanel from '../../../renderer/src/explore/VertexPanel.vue'
import { readCoast } from '../../../renderer/src/explore/coast.ts'
import { scaleBar } from '../../../renderer/src/explore/map-ground.ts'
import { hasPlaces, mapPlaces, ringsPlaces } from '../../../renderer/src/explore/layout.ts'
import { project, projectionOf } from '../../../renderer/src/explore/projection.ts'
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

test('a map is cut where nothing is, and has a bar of round kilometres', () => {
  const pacific = [170, 179, -179, -150].map((x) => ({ x, y: 0 }))
  const across = pacific.map((place) => project(projectionOf(pacific), place).x)
  expect(across).toEqual(across.toSorted((a, b) => a - b))
  expect(across.at(-1)! - across[0]!).toBeCloseTo(40)
  expect(scaleBar(1)).toEqual({ pixels: expect.closeTo(89.9, 1), text: '10,000 km' })
  expect(scaleBar(11_120)).toEqual({ pixels: expect.closeTo(100, 1), text: '1 km' })
  expect(scaleBar(0)).toBeNull()
})

test('land in sight is drawn once on a map of the world, and none of it from edge to edge', async () => {
  const { outlines } = await readCoast()
  const frame = { left: 500, top: 250, across: 1000 / 360, down: -500 / 180, centre: 0, width: 1000, height: 500 }
  const world = outlines(frame)
  expect(world.length).toBeGreaterThan(500)
  // But for the Antarctic, no outline has a step of half a world.
  const wide = world.filter((outline) =>
    outline.some((x, i) => i > 1 && i % 2 === 0 && Math.abs(x - outline[i - 2]!) > 500),
  )
  expect(wide.every((outline) => outline.some((y, i) => i % 2 === 1 && y > 420))).toBe(true)
  const kyoto = { left: -135 * 200, top: 35 * 200, across: 200, down: -200, centre: 135, width: 400, height: 300 }
  expect(outlines(kyoto).length).toBeGreaterThan(0)
  expect(outlines(kyoto).length).toBeLessThan(20)
})

test('a hub is larger than a leaf, a group than a vertex, and many edges hide nothing', () => {
  const leaf = { degree: 1, size: 1 }
  expect(sizeOf(4, { degree: 30_000, size: 1 }, 150)).toBeGreaterThan(2 * sizeOf(4, leaf, 150))
  expect(sizeOf(4, { degree: 1, size: 500 }, 150)).toBeGreaterThan(1.5 * sizeOf(4, leaf, 150))
  expect(sizeOf(4, leaf, 1000)).toBeLessThan(sizeOf(4, leaf, 150))
  expect(edgeShare(100)).toBe(0.55)
  expect(edgeShare(17_000)).toBeLessThan(0.2)
})

const vertex = (key: number, degree: number) => ({
  ...{ key, label: `${key}`, name: null, value: null, degree, size: 1, share: 1, hop: 1 },
  mark: 'plain' as const,
})

test('the panel says how many of the neighbours are drawn', () => {
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

test('the list has what is in sight, and finds what is not', async () => {
  const shown = {
    vertices: Array.from({ length: 9 }, (_, v) => vertex(v, 1)),
    edges: [],
    places: new Map(Array.from({ length: 9 }, (_, v) => [v, { x: v, y: 0 }])),
    limits: [],
  }
  const common = { dataset: 'cities', run: null, kind: null, acts: () => [], chosen: null, selected: new Set<number>() }
  const panel = mount(VertexPanel, {
    props: { ...common, shown, sight: { left: 1.5, right: 4, top: -1, bottom: 1 } },
    global: { plugins: [createPinia(), makeRouter()] },
  })
  const listed = (): readonly string[] => panel.findAll('[role=option]').map((option) => option.attributes('id') ?? '')
  expect(listed()).toEqual(['vertex-2', 'vertex-3', 'vertex-4'])
  expect(panel.text()).toContain('3 in sight, of 9')
  expect(panel.get('.heads').text()).toBe('Verticesdegree')
  await panel.get('input').setValue('8')
  expect(listed()).toEqual(['vertex-8'])
  await panel.setProps({ sight: null })
  await panel.get('input').setValue('')
  expect(listed()).toHaveLength(9)
})
