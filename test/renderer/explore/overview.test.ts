import { expect, test } from 'vitest'
import { communitiesOf } from '../../../renderer/src/explore/communities.ts'
import {
  asEdgeCsv,
  asGeojson,
  asGexf,
  asGraphml,
  asNodeCsv,
  selectedOf,
} from '../../../renderer/src/explore/drawn-graph.ts'
import { pictureAsSvg } from '../../../renderer/src/explore/picture.ts'
import { OverviewLevels } from '../../../renderer/src/explore/overview.ts'
import type { Overview } from '../../../renderer/src/explore/overview.ts'

/** A path of 16,000 nodes on a line, each level joining neighbours; every third vertex is in the set. */
const COUNT = 16_000
const overview: Overview = {
  kind: 'whole',
  vertices: COUNT,
  edges: COUNT - 1,
  nodes: {
    ids: Array.from({ length: COUNT }, (_, v) => v),
    labels: Array.from({ length: COUNT }, (_, v) => `v${v}`),
    names: null,
    degrees: Array.from({ length: COUNT }, (_, v) => (v === 8000 ? 9 : 2)),
    sizes: Array.from({ length: COUNT }, () => 1),
    members: Array.from({ length: COUNT }, (_, v) => Number(v % 3 === 0)),
    others: null,
    both: null,
    values: null,
  },
  drawn: {
    sources: Array.from({ length: COUNT - 1 }, (_, v) => v),
    targets: Array.from({ length: COUNT - 1 }, (_, v) => v + 1),
    counts: Array.from({ length: COUNT - 1 }, () => 1),
    strong: COUNT - 1,
  },
  hidden: 0,
  matched: { sources: [], targets: [] },
  unplaced: null,
  levels: [1, 2, 3, 4, 5].map((level) => Array.from({ length: COUNT >> (level - 1) }, (_, i) => i >> 1)),
  x: Array.from({ length: COUNT }, (_, v) => v),
  y: Array.from({ length: COUNT }, () => 0),
}
const levels = new OverviewLevels(overview)
const total = (shown: ReturnType<OverviewLevels['cut']>): number =>
  shown.vertices.reduce((sum, { size }) => sum + size, 0)

test.each([
  ['all', null],
  ['a part', { left: 100, right: 900, top: -1, bottom: 1 }],
  ['a little', { left: 5000, right: 5010, top: -1, bottom: 1 }],
])('%s in sight: every vertex is drawn once, finely where it is seen', (_, sight) => {
  const shown = levels.cut('independent-set', sight, new Set())
  expect(total(shown)).toBe(COUNT)
  expect(shown.vertices.length).toBeLessThan(3500)
  // A path stays a path.
  expect(shown.edges).toHaveLength(shown.vertices.length - 1)
  const keys = new Set(shown.vertices.map(({ key }) => key))
  expect(shown.edges.every(({ source, target }) => keys.has(source) && keys.has(target))).toBe(true)
  if (sight !== null) {
    const seen = shown.vertices.filter(({ key }) => {
      const { x } = shown.places.get(key)!
      return x >= sight.left && x <= sight.right
    })
    expect(seen.every(({ size }) => size === 1)).toBe(true)
    expect(seen.length).toBeGreaterThanOrEqual(sight.right - sight.left)
  }
})

test('a group is opened in place, is called by its hub, and says which part of it is in the set', () => {
  const shown = levels.cut('independent-set', null, new Set())
  const group = shown.vertices.find(({ label }) => label === 'v8000')!
  expect(group.size).toBe(8)
  expect(group).toMatchObject({ mark: 'member', degree: 9 })
  expect(group.share).toBeCloseTo(3 / 8)
  const opened = levels.cut('independent-set', null, new Set([group.key]))
  expect(opened.vertices).toHaveLength(shown.vertices.length + 1)
  expect(total(opened)).toBe(COUNT)
  const path = levels.pathOf(levels.node(group.key).finest)
  expect(path).toContain(group.key)
  expect(path).toHaveLength(6)
})

test('vertices in place of a node: each is drawn once, with its edges to what stays', () => {
  const coarse = {
    ...overview,
    nodes: { ...overview.nodes, sizes: overview.nodes.sizes.map((_, i) => (i === 5 ? 3 : 1)) },
  }
  const own = new OverviewLevels(coarse)
  const sight = { left: 0, right: 20, top: -1, bottom: 1 }
  expect(own.toOpen(sight, new Set())).toEqual([5])
  expect(own.toOpen(null, new Set([5]))).toEqual([5])
  const columns = { degrees: [1, 2, 1], sizes: [1, 1, 1], others: null, both: null, values: null, names: null }
  const vertices = own.opened({
    parents: [5, 5, 5],
    nodes: { ids: [50, 51, 52], labels: ['p', 'q', 'r'], members: [1, 0, 1], ...columns },
    ...{ x: [4.9, 5, 5.1], y: [0, 0, 0] },
    // A path from node 4 by p, q and r to node 6; p and q are a pair.
    drawn: { sources: [0, 0, 1, 2], targets: [3 + 4, 1, 2, 3 + 6], matched: [false, true, false, false] },
  })
  const shown = own.cut('independent-set', sight, new Set(), vertices)
  const named = new Map(shown.vertices.map(({ key, label }) => [key, label]))
  expect(named.size).toBe(shown.vertices.length)
  expect([...named.values()].filter((label) => ['p', 'q', 'r', 'v5'].includes(label))).toEqual(['p', 'q', 'r'])
  const ends = shown.edges.map(({ source, target }) => [named.get(source), named.get(target)].join(' '))
  expect(ends.filter((words) => /[pqr]|v5\b/.test(words))).toEqual(['p v4', 'p q', 'q r', 'r v6'])
  expect(shown.edges.filter(({ matched }) => matched)).toHaveLength(1)
  const [p] = [...named].find(([, label]) => label === 'p')!
  expect(own.above(p, vertices)[0]).toBe(5)
  // Opened beside others, and in another place of the answer, a vertex keeps its key: what is chosen stays chosen.
  const others = own.opened({
    parents: [4, 5, 5],
    nodes: { ids: [40, 50, 52], labels: ['o', 'p', 'r'], members: [1, 1, 1], ...columns },
    ...{ x: [4, 4.9, 5.1], y: [0, 0, 0] },
    drawn: { sources: [1], targets: [3 + 4], matched: [false] },
  })
  const again = own.cut('independent-set', sight, new Set(), others)
  expect(again.vertices.find(({ key }) => key === p)?.label).toBe('p')
  expect(again.places.get(p)).toEqual(shown.places.get(p))
  // Seen from afar the node is a part of a larger one, and its vertices are not drawn.
  const far = own.cut('independent-set', null, new Set(), vertices)
  expect(far.edges.every(({ source, target }) => source >= 0 && target >= 0)).toBe(true)
  expect(total(far)).toBe(COUNT + 2)
})

test('two results are told apart', () => {
  const [members, others, both] = [
    [1, 1, 0, 0],
    [1, 0, 1, 0],
    [1, 0, 0, 0],
  ]
  const four = { ids: [0, 1, 2, 3], labels: ['a', 'b', 'c', 'd'], names: null, degrees: [0, 0, 0, 0] }
  const nodes = { ...four, sizes: [1, 1, 1, 1], members, others, both, values: null }
  const drawn = { sources: [], targets: [], counts: [], strong: 0 }
  const none = { matched: { sources: [], targets: [] }, unplaced: null }
  const place = { x: [0, 1, 2, 3], y: [0, 0, 0, 0] }
  const small = {
    kind: 'whole' as const,
    vertices: 4,
    edges: 0,
    nodes,
    drawn,
    hidden: 0,
    levels: [],
    ...none,
    ...place,
  }
  const shown = new OverviewLevels(small).cut('independent-set', null, new Set())
  expect(shown.vertices.map(({ mark }) => mark)).toEqual(['both', 'onlyA', 'onlyB', 'neither'])
})

test('what is selected leaves as a graph of its own, with labels as they are', () => {
  const vertex = (key: number, label: string) => ({
    ...{ key, label, name: null, value: null, degree: 1, size: 1, share: 1, hop: null },
    mark: 'plain' as const,
  })
  const edge = (source: number, target: number) => ({ source, target, weight: 2.5, matched: false, strong: true })
  const shown = {
    vertices: [vertex(1, 'a & "b"'), vertex(2, '=c'), vertex(3, 'd')],
    edges: [edge(1, 2), edge(2, 3)],
    places: new Map(),
    limits: [],
  }
  const part = selectedOf(shown, new Set([1, 2]))
  expect(part.edges).toEqual([edge(1, 2)])
  const graphml = asGraphml(part)
  expect(graphml.match(/<node id="[^"]*"/g)).toEqual(['<node id="a &amp; &quot;b&quot;"', '<node id="=c"'])
  expect(graphml).toContain('<edge source="a &amp; &quot;b&quot;" target="=c"><data key="weight">2.5</data>')
  expect(asEdgeCsv(part)).toBe('source,target,weight\n"a & ""b""",\'=c,2.5\n')
  expect(selectedOf(shown, new Set([1]))).toBe(shown)
})

test('a group leaves as a group: its id is no vertex, and it says how many of its vertices are in the set', () => {
  const vertex = (key: number, label: string, size: number, share: number, mark: 'member' | 'out' | 'onlyA') => ({
    ...{ key, label, name: `N ${label}`, value: null, degree: 9, size, share, hop: null, mark },
  })
  const shown = {
    vertices: [
      vertex(1, 'a', 128, 5 / 128, 'member'),
      vertex(2, 'b', 128, 1, 'out'),
      vertex(3, 'c', 1, 1, 'member'),
      vertex(4, 'group of 128: a', 1, 1, 'out'),
      vertex(5, 'd', 4, 0.5, 'onlyA'),
    ],
    edges: [{ source: 1, target: 3, weight: null, matched: false, strong: true }],
    places: new Map([[1, { x: 0.5, y: -2 }]]),
    limits: [],
  }
  const graphml = asGraphml(shown)
  const nodes = [...graphml.matchAll(/<node id="([^"]*)">(.*?)<\/node>/g)].map(([, id, facts = '']) => ({
    id,
    ...Object.fromEntries([...facts.matchAll(/<data key="(\w+)">([^<]*)</g)].map(([, key, value]) => [key, value])),
  }))
  expect(nodes).toEqual([
    {
      ...{ id: 'group of 128: a (group)', kind: 'group', name: 'N a', called: 'a', vertices: '128' },
      ...{ result: 'mixed', members: '5', share: '0.0390625', x: '0.5', y: '-2' },
    },
    {
      ...{ id: 'group of 128: b', kind: 'group', name: 'N b', called: 'b', vertices: '128' },
      ...{ result: 'out', members: '0', share: '0' },
    },
    { id: 'c', kind: 'vertex', name: 'N c', vertices: '1', degree: '9', result: 'member' },
    { id: 'group of 128: a', kind: 'vertex', name: 'N group of 128: a', vertices: '1', degree: '9', result: 'out' },
    {
      ...{ id: 'group of 4: d', kind: 'group', name: 'N d', called: 'd', vertices: '4' },
      ...{ result: 'mixed', members: '2', share: '0.5', counted: 'onlyA' },
    },
  ])
  expect(graphml).toContain('<edge source="group of 128: a (group)" target="c">')
  expect(asEdgeCsv(shown)).toContain('group of 128: a (group),c,')
})

test('vertices leave with their attributes, communities and places, in every form alike', async () => {
  const vertex = (key: number, label: string, attributes: (string | number | null)[], paint: string) => ({
    ...{ key, label, name: null, value: null, degree: 1, size: 1, share: 1, hop: null, mark: 'member' as const },
    ...{ attributes, paint },
  })
  const map = { isGeographic: true, narrow: 0.5, centre: 180 }
  const drawn = {
    vertices: [vertex(1, 'a', ['north', 1], '#d55e00'), vertex(2, 'b & c', [null, 2], 'rgb(1, 2, 3)')],
    edges: [{ source: 1, target: 2, weight: 2.5, matched: true, strong: true }],
    names: ['degree', 'community'],
    places: new Map([
      [1, { x: 89, y: 10 }],
      [2, { x: 91, y: -20.5 }],
    ]),
    map,
  }
  const graphml = asGraphml(drawn)
  expect(graphml).toContain('<key id="own degree" for="node" attr.name="own degree" attr.type="string"/>')
  expect(graphml).toContain('<data key="own degree">north</data><data key="community">1</data>')
  const gexf = await asGexf(drawn)
  const values = [...gexf.matchAll(/<attvalue for="(own degree|community)" value="(\w+)"/g)].map(([, , value]) => value)
  expect(values).toEqual(['north', '1', '2'])
  expect([...gexf.matchAll(/<viz:(?:color|position) (.*?)\/>/g)].map(([, viz]) => viz)).toEqual([
    ...['r="213" g="94" b="0"', 'x="89" y="10"', 'r="1" g="2" b="3"', 'x="91" y="-20.5"'],
  ])
  expect(gexf).toMatch(/<edge id="\w+" source="a" target="b &amp; c" weight="2.5">/)
  const { features } = JSON.parse(asGeojson(drawn)) as { features: { geometry: unknown; properties: object }[] }
  expect(features.map(({ geometry }) => geometry)).toEqual([
    { type: 'Point', coordinates: [178, 10] },
    { type: 'Point', coordinates: [-178, -20.5] },
    {
      type: 'LineString',
      coordinates: [
        [178, 10],
        [-178, -20.5],
      ],
    },
  ])
  expect(features[1]!.properties).toMatchObject({ id: 'b & c', community: 2, degree: 1, result: 'member' })
  const [head, ...rows] = asNodeCsv(drawn).trimEnd().split('\n')
  expect(head).toMatch(/^id,kind,.*,own degree,community$/)
  expect(rows.map((row) => row.split(',').slice(-2))).toEqual([
    ['north', '1'],
    ['', '2'],
  ])
})

test('two groups that one edge joins are two communities, the larger first, the same every time', async () => {
  const clique = (first: number, size: number): [number, number][] =>
    Array.from({ length: size * size }, (_, i): [number, number] => [
      first + Math.floor(i / size),
      first + (i % size),
    ]).filter(([a, b]) => a < b)
  const ends = [...clique(0, 5), ...clique(5, 8), [0, 5] as [number, number]]
  const linked = {
    sizes: Array.from({ length: 14 }, () => 1),
    sources: ends.map(([a]) => a),
    targets: ends.map(([, b]) => b),
    weights: ends.map(() => 1),
  }
  const found = await communitiesOf(linked)
  expect(found).toEqual([...Array.from({ length: 5 }, () => 2), ...Array.from({ length: 8 }, () => 1), 3])
  expect(await communitiesOf(linked)).toEqual(found)
})

test('a picture has what is in sight, each mark by its shape', () => {
  const node = (x: number, type: 'diamond' | 'ring', name: string) => ({
    x,
    y: 10,
    size: 4,
    type,
    zIndex: 0,
    colour: 'rgb(1, 2, 3)',
    name,
  })
  const [seen, beside] = [node(10, 'diamond', 'Ä <1>'), node(500, 'ring', 'far')]
  const edges = [{ from: seen, to: beside, size: 1, colour: 'rgba(50, 50, 50, 0.5)' }]
  const picture = { width: 300, height: 50, ground: '#fff', text: '#000', nodes: [seen, beside], edges }
  const svg = pictureAsSvg(picture)
  expect(svg).toContain('<path d="M0-1L1 0L0 1L-1 0Z" transform="translate(10.0 10.0) scale(4.0)"')
  expect(svg).toContain('Ä &lt;1&gt;')
  expect(svg).not.toContain('far')
  // Its colour is not darkened by its alpha.
  expect(svg).toContain('stroke="rgb(100, 100, 100)" stroke-opacity="0.5"')
  // On paper it says what it is, and is so much higher; lines that leave the drawing do not cross the words.
  const signs = Array.from({ length: 9 }, (_, i) => ({
    ...{ type: 'ring' as const, size: 5, colour: '#123456', text: `class ${i}` },
  }))
  const caption = { title: 'karate <2>', signs, note: 'two of them' }
  const page = pictureAsSvg({ ...picture, caption })
  expect(page.match(/#123456/g)).toHaveLength(9)
  for (const words of ['karate &lt;2&gt;', ...signs.map(({ text }) => text), 'two of them'])
    expect(page).toContain(`>${words}<`)
  expect(page).toContain('<svg y="40" width="300" height="50">')
  const high = Number(/height="(\d+)"/.exec(page)![1])
  const placed = [...page.matchAll(/<text x="[\d.]+" y="(\d+)"/g)]
  expect(placed.length).toBeGreaterThanOrEqual(signs.length + 2)
  for (const [, y] of placed) expect(Number(y)).toBeLessThan(high)
})
