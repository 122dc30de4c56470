import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { bulksOf, legendOfMarks, paintBy, paintByValue, scaleColour } from '../../../renderer/src/explore/paint.ts'
import {
  lookOf,
  type AttributeValue,
  type SceneColours,
  type ShownVertex,
} from '../../../renderer/src/explore/shown.ts'
import { algorithmEntries } from '../../../workers/contract/catalogue.ts'
import { openPage, type Opened } from '../open-page.ts'
import { dataset, run } from '../sample-library.ts'

const vertex = (key: number, attribute: AttributeValue, more: Partial<ShownVertex> = {}): ShownVertex => ({
  ...{ key, label: String(key), name: null, degree: 1, size: 1, mark: 'plain', share: 1, value: null, hop: null },
  attributes: [attribute],
  ...more,
})
const of = ({ attributes }: ShownVertex): AttributeValue => attributes?.[0] ?? null

test('every vertex is in one entry of a legend, whose counts add up, and has its colour', () => {
  const drawn: readonly (readonly ShownVertex[])[] = [
    Array.from({ length: 200 }, (_, v) => vertex(v, v % 7 === 0 ? null : v)),
    Array.from({ length: 200 }, (_, v) => vertex(v, `class ${v % 17}`)),
    Array.from({ length: 200 }, (_, v) => vertex(v, 10 ** (v % 9))),
    Array.from({ length: 200 }, (_, v) => vertex(v, v % 2 === 0, { size: 3 })),
  ]
  for (const vertices of drawn) {
    const { legend, colourOf } = paintBy(vertices, of)
    expect(legend.length).toBeGreaterThan(1)
    expect(legend.length).toBeLessThanOrEqual(13)
    for (const one of vertices) {
      expect(legend.filter(({ holds }) => holds(one))).toHaveLength(1)
      expect(colourOf(one)).toMatch(/^(#|rgb)/)
    }
    for (const entry of legend) {
      const own = vertices.filter(entry.holds).reduce((sum, { size }) => sum + size, 0)
      expect(entry.vertices).toBe(own)
    }
  }
  expect(paintBy(drawn[1]!, of).legend.at(-1)?.text).toBe('5 others')
  // Populations: some are none, most are few, and means of groups are fractions.
  const spread = Array.from({ length: 40 }, (_, v) => vertex(v, v === 0 ? 0 : 1.5 ** v + 1 / 3))
  const { legend } = paintBy(spread, of)
  expect(legend).toHaveLength(6)
  expect(legend.at(-1)?.text).toMatch(/^[\d,]+ to 7,371,555$/)
  const even = Array.from({ length: 11 }, (_, v) => vertex(v, `class ${v}`))
  expect(paintBy(even, of).legend.map(({ text }) => text)).toEqual(even.map(of))
  expect(paintBy(drawn[0]!, of).legend.at(-1)).toMatchObject({ text: 'none', vertices: 29 })
})

test('values in order are on a scale from dark to light, others have colours of their own', () => {
  const levels = [0, 1, 2, 3].map((number) => vertex(number, null, { value: { number, text: String(number) } }))
  const ordered = paintByValue(levels, true)
  expect(levels.map(ordered.colourOf)).toEqual([0, 1 / 3, 2 / 3, 1].map(scaleColour))
  expect(ordered.legend.map(({ text, vertices }) => [text, vertices])).toEqual(['0', '1', '2', '3'].map((n) => [n, 1]))
  const named = paintByValue(levels, false)
  expect(new Set(levels.map(named.colourOf)).size).toBe(4)
  expect(named.colourOf(levels[0]!)).not.toBe(ordered.colourOf(levels[0]!))
})

test('marks count by the share of groups, and sizes follow a number', () => {
  const vertices = [
    vertex(0, 1, { mark: 'member', share: 0.25, size: 8 }),
    vertex(1, 4, { mark: 'member' }),
    vertex(2, null, { mark: 'out' }),
  ]
  expect(legendOfMarks(vertices, ['member', 'out']).map(({ vertices: count }) => count)).toEqual([3, 7])
  const bulk = bulksOf(vertices, of)
  expect(vertices.map(bulk)).toEqual([0.25, 1, 0])
  const colours = { out: 'rgb(1, 1, 1)', member: 'rgb(2, 2, 2)' } as SceneColours
  const sizes = vertices.map((one) => lookOf({ ...one, mark: 'member', bulk: bulk(one), paint: 'red' }, colours, 3))
  expect(sizes[1]!.size).toBeGreaterThan(2 * sizes[2]!.size)
  expect(sizes[0]!.colour).toBe('red')
})

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  vi.unstubAllGlobals()
  localStorage.clear()
})

test('the legend of the page filters on a click, and an attribute is asked for by the link', async () => {
  const column = (name: string, kind: string) => ({ name, kind, filled: 4 })
  const cities = dataset(1, 'cities')
  const attributes = { vertices: [column('club', 'text'), column('people', 'number')], edges: [] }
  const near = (id: number, club: string) => ({
    ...{ id, label: `v${id}`, name: null, degree: 2, hop: id, member: id % 2 === 0, other: null, value: null },
    ...{ attributes: [club], x: null, y: null },
  })
  const neighbourhood = {
    centre: 'v0',
    vertices: [near(0, 'A'), near(1, 'B'), near(2, 'A')],
    edges: [{ source: 0, target: 1, weight: null, matched: false }],
    ...{ truncated: false, limits: [] },
  }
  opened = await openPage(
    { datasets: [{ ...cities, report: { ...cities.report, attributes } as never }], runs: [run('20261121-1', 'done')] },
    '/explore/cities?run=20261121-1&vertex=v0',
    {
      algorithms: { algorithms: algorithmEntries },
      'explore.neighbourhood': neighbourhood,
      'explore.layout': { x: [0, 1, 2], y: [0, 0, 0], strong: [true] },
    },
  )
  const { page, asked } = opened
  const listed = (): readonly string[] => page.findAll('[role=option]').map((one) => one.find('.clip').text())
  await vi.waitFor(() => expect(listed()).toEqual(['v0', 'v1', 'v2']))
  const entry = (text: string) => page.findAll('.legend button').find((one) => one.text().startsWith(text))!
  expect(page.findAll('.legend button').map((one) => one.text())).toEqual(['in the set 2', 'not in the set 1'])
  await entry('in the set').trigger('click')
  expect(listed()).toEqual(['v0', 'v2'])
  await entry('in the set').trigger('click')
  expect(listed()).toHaveLength(3)
  await page.find('select[aria-label=Colour]').setValue('club')
  await vi.waitFor(() => expect(page.findAll('.legend button').map((one) => one.text())).toEqual(['A 2', 'B 1']))
  const last = asked.filter(({ name }) => name === 'explore.neighbourhood').at(-1)
  expect(last?.args).toMatchObject({ attributes: ['club'] })
  expect(page.vm.$route.query['colour']).toBe('club')
  await entry('B').trigger('click')
  expect(listed()).toEqual(['v1'])
  await flushPromises()
})
