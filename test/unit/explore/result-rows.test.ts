import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import { finishSums, SumsBuilder } from '../../../workers/base/sums.ts'
import { bytesOf } from '../../../workers/base/words.ts'
import type { ResultPlace, ResultRowsArgs } from '../../../workers/contract/jobs.ts'
import { resultRows } from '../../../workers/explore/result-rows.ts'
import { Matching } from '../../../workers/graph/matching.ts'
import { PairList } from '../../../workers/graph/pair-list.ts'
import { hashOfValues } from '../../../workers/graph/result-file.ts'
import { VertexSet } from '../../../workers/graph/vertex-set.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { textFile } from '../../../workers/import/build/write-dataset.ts'
import { addWeights } from '../../support/dataset-folders.ts'
import { Workplace } from '../../support/ingest-cases.ts'
import { greedySet, randomSmallGraph, smallGraph, writeGraphFolder } from '../../support/graphs.ts'

type Place = ReturnType<typeof writeGraphFolder>
const all = { show: 'in', text: '', sort: 'id', down: false, offset: 0, limit: 1000 } as const

function setOf(place: Place, vertices: number, members: Iterable<number>): ResultPlace {
  const set = new VertexSet(vertices)
  for (const v of members) set.add(v)
  const file = join(place.folder, 'set')
  writeFileSync(file, set.bytes)
  return { kind: 'independent-set', algorithm: 'ecl-mis', file, hash: set.summary().hash }
}

function pairsOf(place: Place, vertices: number, pairs: readonly (readonly [number, number])[]): ResultPlace {
  const mates = new Uint32Array(vertices).fill(0xffffffff)
  for (const [u, v] of pairs) [mates[u], mates[v]] = [v, u]
  const file = join(place.folder, 'mates')
  writeFileSync(file, new Uint8Array(mates.buffer))
  return { kind: 'matching', algorithm: 'ld-gpu', file, hash: new Matching(mates).summary().hash }
}

function valuesIn(place: Place, algorithm: string, values: readonly number[]): ResultPlace {
  const file = join(place.folder, 'values')
  const words = Uint32Array.from(values)
  writeFileSync(file, new Uint8Array(words.buffer))
  return { kind: 'values', algorithm, file, hash: hashOfValues(words) }
}

const idsOf = async (args: ResultRowsArgs): Promise<number[]> =>
  (await resultRows(args, quietJob)).rows.map(({ id }) => id)

it('has every vertex in one of two tables, in the order that was asked for, in parts of any size', async () => {
  let rows = 0
  for (let seed = 0; seed < 20; seed++) {
    const { graph } = randomSmallGraph(seed, 300)
    const place = writeGraphFolder(graph)
    const members = greedySet(
      graph,
      Array.from({ length: graph.vertices }, (_, v) => v),
    )
    const result = setOf(place, graph.vertices, members)
    const degree = (v: number): number => graph.neighbours[v]!.length
    for (const show of ['in', 'out'] as const) {
      const expected = graph.neighbours.flatMap((_, v) => (members.has(v) === (show === 'in') ? [v] : []))
      rows += expected.length
      const args = { ...place, result, ...all, show }
      expect(await idsOf(args)).toEqual(expected)
      expect(await idsOf({ ...args, down: true })).toEqual(expected.toReversed())
      expect(await idsOf({ ...args, sort: 'degree' })).toEqual(
        expected.toSorted((a, b) => degree(a) - degree(b) || a - b),
      )
      const falling = expected.toSorted((a, b) => degree(b) - degree(a) || a - b)
      const parts: number[][] = []
      for (let offset = 0; offset < expected.length; offset += 7)
        parts.push(await idsOf({ ...args, sort: 'degree', down: true, offset, limit: 7 }))
      expect(parts.flat()).toEqual(falling)
      expect((await resultRows({ ...args, limit: 1 }, quietJob)).total).toBe(expected.length)
    }
  }
  expect(rows).toBeGreaterThan(500)
})

it('says that a search found more than it looked at, however few of these are shown', async () => {
  const place = writeGraphFolder(smallGraph(2000, [[0, 1]]))
  const result = setOf(place, 2000, [1, 25, 1990])
  const search = async (text: string) => {
    const { rows, total, truncated } = await resultRows({ ...place, result, ...all, text }, quietJob)
    return { ids: rows.map(({ id }) => id), total, truncated }
  }
  expect(await search('2')).toEqual({ ids: [25], total: 1, truncated: false })
  // 1111 labels begin so, 1990 beyond the first thousand.
  expect(await search('1')).toEqual({ ids: [1], total: 1, truncated: true })
})

it('gives each pair of a b-matching a row, beside those of another one, and knows the vertices that have none', async () => {
  const edges = [
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [2, 3],
    [3, 4],
  ] as const
  const place = addWeights(writeGraphFolder(smallGraph(6, edges)), smallGraph(6, edges), (u, v) => u + v)
  const listed = (name: string, pairs: readonly (readonly [number, number])[]): ResultPlace => {
    const list = new PairList(Uint32Array.from(pairs.flat()))
    const file = join(place.folder, name)
    writeFileSync(file, bytesOf(list.words))
    return { kind: 'b-matching', algorithm: 'b-suitor', file, hash: list.hash }
  }
  const own = [
    [0, 2],
    [0, 3],
    [2, 3],
  ] as const
  const result = listed('pairs', own)
  const against = listed('others', [
    [0, 3],
    [3, 4],
  ])
  const rowsOf = async (args: Partial<ResultRowsArgs>) =>
    (await resultRows({ ...place, result, ...all, ...args }, quietJob)).rows.map(({ id, mate }) => [id, mate?.id])
  expect(await rowsOf({})).toEqual(own)
  expect(await rowsOf({ down: true })).toEqual(own.toReversed())
  // Three neighbours of 0, as many of 2.
  expect(await rowsOf({ sort: 'degree', down: true })).toEqual(own)
  expect(await rowsOf({ show: 'out' })).toEqual([
    [1, undefined],
    [4, undefined],
    [5, undefined],
  ])
  expect(await rowsOf({ against, show: 'both' })).toEqual([[0, 3]])
  expect(await rowsOf({ against, show: 'only' })).toEqual([
    [0, 2],
    [2, 3],
  ])
  expect(await rowsOf({ text: '2' })).toEqual([
    [0, 2],
    [2, 3],
  ])
  const order = { weights: 'column', seed: 0 } as const
  const [first] = (await resultRows({ ...place, result, ...all, order }, quietJob)).rows
  expect(first!.mate).toMatchObject({ id: 2, weight: 2 })

  // A condition on a pair holds for that pair, whichever of its ends it speaks of.
  const where = (text: string, more: Partial<ResultRowsArgs> = {}) => rowsOf({ order, where: text, ...more })
  expect(await where('mate = 0')).toEqual([
    [0, 2],
    [0, 3],
  ])
  expect(await where('mate = 0 and id = 2')).toEqual([[0, 2]])
  expect(await where('mate = 1')).toEqual([])
  expect(await where('weight > 2')).toEqual([
    [0, 3],
    [2, 3],
  ])
  expect(await where('weight > 2 and mate = 0')).toEqual([[0, 3]])
  expect(await where('not (weight > 2)', { against, show: 'only' })).toEqual([[0, 2]])
  expect(await where('partners = 2 and degree = 3')).toEqual(own)
  expect(await where('partners > 2')).toEqual([])
  expect(await where('partners = 0 and mate is empty', { show: 'out' })).toHaveLength(3)
  writeFileSync(join(place.folder, 'names'), textFile(['Zug', 'Bern', 'Chur', 'Genf', 'Thun', 'Basel']))
  expect(await where("name = 'Zug' and mate name contains 'GE'")).toEqual([[0, 3]])
  await expect(where('colour = 1')).rejects.toMatchObject({
    remedy: 'They have degree, name, partners, mate, mate name, its degree, weight.',
  })
})

it('gives a pair one row with its mate and what the edge weighs', async () => {
  const path = smallGraph(6, [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
  ])
  const place = addWeights(writeGraphFolder(path), path, (u, v) => (u + v) / 2)
  const result = pairsOf(place, 6, [
    [3, 2],
    [0, 1],
  ])
  const rowsOf = async (args: Partial<ResultRowsArgs>) =>
    (await resultRows({ ...place, result, ...all, ...args }, quietJob)).rows.map(({ id, mate }) => [
      id,
      mate?.id ?? null,
      mate?.weight ?? null,
    ])
  expect(await rowsOf({ order: { weights: 'column', seed: 0 } })).toEqual([
    [0, 1, 0.5],
    [2, 3, 2.5],
  ])
  expect((await rowsOf({ order: { weights: 'unit', seed: 0 } }))[0]).toEqual([0, 1, 1])
  const [[, , random]] = (await rowsOf({ order: { weights: 'random3', seed: 0 } })) as [[number, number, number]]
  expect(random).toBeGreaterThan(0)
  expect(random * 1000).toBeCloseTo(Math.round(random * 1000), 9)
  expect(await rowsOf({ show: 'out' })).toEqual([
    [4, null, null],
    [5, null, null],
  ])
  expect(await rowsOf({ text: '3' })).toEqual([[2, 3, null]])
  const column = { order: { weights: 'column', seed: 0 } } as const
  expect(await rowsOf({ ...column, where: 'weight > 1' })).toEqual([[2, 3, 2.5]])
  expect(await rowsOf({ ...column, where: 'not (weight > 1)' })).toEqual([[0, 1, 0.5]])
  expect(await rowsOf({ order: { weights: 'random3', seed: 0 }, where: `weight = ${random}` })).toContainEqual([
    0,
    1,
    random,
  ])
  await expect(rowsOf({ where: 'weight > 1' })).rejects.toMatchObject({ remedy: 'They have degree, mate, its degree.' })
})

it('finds labels and names among the rows alone', async () => {
  const place = writeGraphFolder(smallGraph(4, [[0, 1]]))
  writeFileSync(join(place.folder, 'names'), textFile(['Zug', 'Zürich', 'Bern', 'Zuoz']))
  const result = setOf(place, 4, [0, 2, 3])
  expect(await idsOf({ ...place, result, ...all, text: 'zu' })).toEqual([0, 3])
  expect(await idsOf({ ...place, result, ...all, text: 'zu', show: 'out' })).toEqual([1])
  expect(await idsOf({ ...place, result, ...all, text: 'x' })).toEqual([])
})

it('tells two results apart: what both have, and what only one has, make up each of them', async () => {
  let different = 0
  for (let seed = 0; seed < 20; seed++) {
    const { graph } = randomSmallGraph(seed, 300)
    const order = Array.from({ length: graph.vertices }, (_, v) => v)
    const place = writeGraphFolder(graph)
    const elsewhere = writeGraphFolder(graph)
    const [a, b] = [greedySet(graph, order), greedySet(graph, order.toReversed())]
    const args = { ...place, ...all, result: setOf(place, graph.vertices, a) }
    const against = setOf(elsewhere, graph.vertices, b)
    expect(await idsOf({ ...args, against, show: 'both' })).toEqual(order.filter((v) => a.has(v) && b.has(v)))
    expect(await idsOf({ ...args, against, show: 'only' })).toEqual(order.filter((v) => a.has(v) && !b.has(v)))
    const other = { ...args, result: against, against: args.result }
    expect(await idsOf({ ...other, show: 'only' })).toEqual(order.filter((v) => b.has(v) && !a.has(v)))
    different += (await idsOf({ ...other, show: 'only' })).length
  }
  expect(different).toBeGreaterThan(100)
})

it('tells pairs apart, not their ends', async () => {
  const square = smallGraph(4, [
    [0, 1],
    [1, 2],
    [2, 3],
    [0, 3],
  ])
  const place = writeGraphFolder(square)
  const result = pairsOf(place, 4, [
    [0, 1],
    [2, 3],
  ])
  const against = pairsOf(writeGraphFolder(square), 4, [
    [1, 2],
    [0, 3],
  ])
  expect(await idsOf({ ...place, ...all, result, against, show: 'only' })).toEqual([0, 2])
  expect(await idsOf({ ...place, ...all, result, against, show: 'both' })).toEqual([])
  expect(await idsOf({ ...place, ...all, result, against: result, show: 'both' })).toEqual([0, 2])
  expect(await idsOf({ ...place, ...all, result, against, show: 'only', text: '3' })).toEqual([2])
})

it('refuses a result that is not the one of the record', async () => {
  const place = writeGraphFolder(smallGraph(9, [[0, 1]]))
  const result = setOf(place, 9, [0, 2])
  writeFileSync(result.file, Uint8Array.of(7, 0))
  await expect(idsOf({ ...place, result, ...all })).rejects.toThrow(/the result is damaged: its hash is/)
})

const work = new Workplace()

describe('attributes', () => {
  const graph = {
    nodes: [
      { id: 'a', group: 'B', size: 10 },
      { id: 'b', group: 'A', size: 9 },
      { id: 'c', size: -1.5 },
      { id: 'd', group: 'A', is: true },
    ],
    links: [
      { source: 'b', target: 'a', kind: 'road' },
      { source: 'c', target: 'd' },
    ],
  }
  async function attributed(): Promise<Place> {
    const folder = work.newFolder()
    const { checksum } = await importGraph({ source: work.file('g.json', JSON.stringify(graph)), folder }, quietJob)
    return { folder, checksum }
  }

  it('are in the rows, of pairs those of both ends and of the edge', async () => {
    const place = await attributed()
    const { columns, edgeColumns, rows } = await resultRows({ ...place, ...all }, quietJob)
    expect([columns.map(({ name }) => name), edgeColumns]).toEqual([['group', 'size', 'is'], []])
    expect(rows.map(({ attributes }) => attributes)).toEqual([
      ['B', 10, null],
      ['A', 9, null],
      [null, -1.5, null],
      ['A', null, true],
    ])
    const result = pairsOf(place, 4, [
      [0, 1],
      [2, 3],
    ])
    const pairs = await resultRows({ ...place, ...all, result }, quietJob)
    expect(pairs.edgeColumns).toEqual([{ name: 'kind', kind: 'text' }])
    expect(pairs.rows.map(({ attributes, mate }) => [attributes[0], mate?.attributes[0], mate?.ofEdge])).toEqual([
      ['B', 'A', ['road']],
      [null, 'A', [null]],
    ])
    expect(await idsOf({ ...place, ...all, result, where: 'size < 0' })).toEqual([2])
    expect(await idsOf({ ...place, ...all, result, where: "group = 'A'" })).toEqual([0, 2])
    const where = (text: string) => idsOf({ ...place, ...all, result, where: text })
    expect(await where('Mate: size < 0')).toEqual([2])
    expect(await where("mate: group = 'B' and size = 9")).toEqual([0])
    expect(await where("Edge: kind = 'road'")).toEqual([0])
    expect(await where('edge: kind is empty')).toEqual([2])
    expect(await where('Its degree = 1 and size = 10')).toEqual([0])
    await expect(where('edge: length > 1')).rejects.toMatchObject({
      remedy: 'They have group, size, is, degree, mate, its degree, mate: group, mate: size, mate: is, edge: kind.',
    })
  })

  it('sort ids that are texts by the numbers in them', async () => {
    const source = work.file('n.txt', 'n10 n2\nn2 n1\nn1 n100000000000\na7 n10\nn02 n1\n')
    const place = { folder: work.newFolder(), checksum: '' }
    const { checksum } = await importGraph({ source, folder: place.folder, table: { header: 'no' } }, quietJob)
    const labels = async (down: boolean) =>
      (await resultRows({ ...place, checksum, ...all, down }, quietJob)).rows.map(({ label }) => label)
    const ascending = ['a7', 'n1', 'n02', 'n2', 'n10', 'n100000000000']
    expect(await labels(false)).toEqual(ascending)
    expect(await labels(true)).toEqual(['n100000000000', 'n10', 'n02', 'n2', 'n1', 'a7'])
  })

  it('sort and choose rows; those without one are last', async () => {
    const place = await attributed()
    const by = (attribute: string, down: boolean) => idsOf({ ...place, ...all, sort: 'attribute', attribute, down })
    expect(await by('size', false)).toEqual([2, 1, 0, 3])
    expect(await by('size', true)).toEqual([0, 1, 2, 3])
    expect(await by('group', false)).toEqual([1, 3, 0, 2])
    expect(await by('is', true)).toEqual([3, 0, 1, 2])
    const result = setOf(place, 4, [0, 2, 3])
    const members = { ...place, ...all, result, sort: 'attribute', attribute: 'group', down: true } as const
    expect(await idsOf(members)).toEqual([0, 3, 2])
    expect(await idsOf({ ...members, where: 'group is empty or size > 9' })).toEqual([0, 2])
    expect(await idsOf({ ...members, where: "group = 'A'", text: 'd' })).toEqual([3])
    expect(await idsOf({ ...members, where: "group = 'A'", text: 'a' })).toEqual([])
    await expect(idsOf({ ...members, where: 'no such' })).rejects.toThrow()
    await expect(by('weight', false)).rejects.toThrow('no attribute "weight"')
  })
})

describe('a condition on what no table of attributes has', () => {
  it('chooses by degree, in every table, as a count over the lists does', async () => {
    for (let seed = 0; seed < 8; seed++) {
      const { graph } = randomSmallGraph(seed, 200)
      const place = writeGraphFolder(graph)
      const degrees = graph.neighbours.map((list) => list.length)
      const expected = [...degrees.keys()].filter((v) => degrees[v]! < 3 || degrees[v] === 7)
      expect(await idsOf({ ...place, ...all, where: 'degree < 3 or degree = 7' })).toEqual(expected.slice(0, 1000))
      const members = [...degrees.keys()].filter((v) => v % 2 === 0)
      const result = setOf(place, graph.vertices, members)
      expect(await idsOf({ ...place, ...all, result, where: 'not (degree >= 3)', show: 'in' })).toEqual(
        members.filter((v) => degrees[v]! < 3),
      )
    }
  })

  it('chooses by place where there are places, a vertex without one by "is empty"', async () => {
    const place = writeGraphFolder(smallGraph(3, [[0, 1]]))
    const where = (text: string) => idsOf({ ...place, ...all, where: text })
    await expect(where('x > 0')).rejects.toThrow('no attribute "x"')
    const spots = join(place.folder, 'coordinates')
    writeFileSync(spots, new Uint8Array(Float32Array.of(10.5, -20, -3, 40, NaN, NaN).buffer))
    finishSums(spots, new SumsBuilder())
    expect(await where('x > 0 and y < 0')).toEqual([0])
    expect(await where('y = 40')).toEqual([1])
    expect(await where('x is empty')).toEqual([2])
    await expect(where('longitude > 0')).rejects.toMatchObject({ remedy: 'They have degree, x, y.' })
  })

  it('chooses by value, under the name of the column, and vertices without one by "is empty"', async () => {
    const place = writeGraphFolder(
      smallGraph(5, [
        [0, 1],
        [1, 2],
        [2, 3],
        [0, 2],
      ]),
    )
    const NONE = 0xffffffff
    const result = valuesIn(place, 'bfs', [0, 1, 1, 2, NONE])
    expect(await idsOf({ ...place, ...all, result, where: 'level >= 1' })).toEqual([1, 2, 3])
    expect(await idsOf({ ...place, ...all, result, where: 'value = 1 and degree = 3' })).toEqual([2])
    expect(await idsOf({ ...place, ...all, result, where: 'level in (0, 2)' })).toEqual([0, 3])
    expect(await idsOf({ ...place, ...all, result, show: 'out', where: 'level is empty' })).toEqual([4])
    await expect(idsOf({ ...place, ...all, result, where: 'colour = 1' })).rejects.toMatchObject({
      remedy: 'They have degree, value, level, level size.',
    })
  })

  it('chooses by names, of which thousands are read at a time', async () => {
    const place = writeGraphFolder(smallGraph(9001, [[0, 9000]]))
    const names = Array.from({ length: 9001 }, (_, v) => (v % 3 === 0 ? '' : `Zürich ${v}`))
    writeFileSync(join(place.folder, 'names'), textFile(names))
    const chosen = async (where: string) => (await resultRows({ ...place, ...all, limit: 9001, where }, quietJob)).rows
    const found = await chosen("name contains '99'")
    expect(found.map(({ name }) => name)).toEqual(names.filter((name) => name.includes('99')))
    expect(await chosen('name is empty')).toHaveLength(3001)
    expect((await chosen("Name = 'Zürich 8192'")).map(({ id }) => id)).toEqual([8192])
  })

  it('chooses pairs by a mate', async () => {
    const place = writeGraphFolder(
      smallGraph(4, [
        [0, 1],
        [2, 3],
        [1, 2],
      ]),
    )
    const result = pairsOf(place, 4, [[0, 1]])
    expect(await idsOf({ ...place, ...all, result, where: 'mate = 0' })).toEqual([0])
    expect(await idsOf({ ...place, ...all, result, where: 'mate = 3' })).toEqual([])
    expect(await idsOf({ ...place, ...all, result, show: 'out', where: 'mate is empty' })).toEqual([2, 3])
    expect(await idsOf({ ...place, ...all, result, where: 'Mate = 0 and Degree = 2' })).toEqual([0])
  })
})
