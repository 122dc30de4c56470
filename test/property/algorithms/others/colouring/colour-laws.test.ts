import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { shareColouring, shareLists } from '../../../../../workers/algorithms/others/colouring/colour-batches.ts'
import { colouringWorks } from '../../../../../workers/algorithms/others/colouring/colouring.ts'
import { quietJob } from '../../../../../workers/base/job.ts'
import { GaloisGr } from '../../../../../workers/graph/galois-gr.ts'
import { vertexHash } from '../../../../../workers/graph/set-order.ts'
import { verifyColouring } from '../../../../../workers/algorithms/others/colouring/check-colouring.ts'
import {
  type SmallGraph,
  randomSmallGraph,
  randomStream,
  smallGraph,
  writeGraphFolder,
} from '../../../../support/graphs.ts'
import { rangesHere } from '../../../../support/range-workers.ts'
import { valuesRun } from '../../../../support/values-run.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 60)

/** The greedy loop: vertices in order of priority, each with the least colour that none of its neighbours has. */
function greedy({ vertices, neighbours }: SmallGraph, keys: ArrayLike<number>, seed = 0): Uint32Array {
  const order = Array.from({ length: vertices }, (_, v) => v).sort(
    (a, b) => keys[b]! - keys[a]! || vertexHash(b, seed) - vertexHash(a, seed),
  )
  const colours = new Uint32Array(vertices).fill(0xffffffff)
  for (const v of order) {
    const beside = new Set(neighbours[v]!.map((u) => colours[u]!))
    let colour = 0
    while (beside.has(colour)) colour++
    colours[v] = colour
  }
  return colours
}

/** As the textbook: the vertex of least degree leaves, and its degree is a bound where it is the largest so far. */
function degeneracyOf({ neighbours }: SmallGraph): number {
  const degrees = neighbours.map((list) => list.length)
  const left = new Set(neighbours.keys())
  let degeneracy = 0
  while (left.size > 0) {
    const next = [...left].reduce((a, b) => (degrees[b]! < degrees[a]! ? b : a))
    degeneracy = Math.max(degeneracy, degrees[next]!)
    left.delete(next)
    for (const u of neighbours[next]!) degrees[u]!--
  }
  return degeneracy
}

const isProper = ({ neighbours }: SmallGraph, colours: Uint32Array): boolean =>
  neighbours.every((list, v) => list.every((u) => colours[u] !== colours[v]))

it(`gives the colours of the greedy loop for any number of workers and batches, on ${GRAPHS} random graphs`, async () => {
  let most = 0
  for (let number = 0; number < GRAPHS; number++) {
    const { graph, shape } = randomSmallGraph(number, 400)
    const place = writeGraphFolder(graph)
    const degrees = graph.neighbours.map((list) => list.length)
    const expected = greedy(graph, degrees, number)
    expect(isProper(graph, expected)).toBe(true)
    for (const workers of [1, 2 + (number % 3)])
      for (const holdsLists of [false, true]) {
        const share = ({ arcs }: GaloisGr) => {
          const shared = shareColouring(graph.vertices, Math.imul(number, 0x9e3779b9) >>> 0)
          shared.keys.set(degrees)
          return holdsLists ? { ...shared, lists: shareLists(shared, arcs, workers) } : shared
        }
        const ways = { workers, batches: 1 + (number % 4), share }
        const { shared } = await rangesHere(place.folder, ways, colouringWorks)
        expect(shared.colours, `${number} ${shape}, ${workers} workers, ${holdsLists}`).toEqual(expected)
      }
    most = Math.max(most, ...expected)
    rmSync(place.folder, { recursive: true })
  }
  expect(most).toBeGreaterThan(8)
})

/** The round in which each vertex leaves by the words of docs/colouring.md, with all others of at most k neighbours left. */
function leavingOrder({ neighbours }: SmallGraph): number[] {
  const rounds = neighbours.map(() => -1)
  for (let k = 0, round = 0; rounds.includes(-1);) {
    const leaving = neighbours.flatMap((list, v) =>
      rounds[v] === -1 && list.filter((u) => rounds[u] === -1).length <= k ? [v] : [],
    )
    if (leaving.length === 0) k++
    else {
      for (const v of leaving) rounds[v] = round
      round++
    }
  }
  return rounds
}

it('breaks the ties of a column by the seed', async () => {
  const random = randomStream(5)
  let [compared, others] = [0, 0]
  for (let number = 0; number < 20; number++) {
    const { graph, shape } = randomSmallGraph(3000 + number, 100)
    if (graph.vertices === 0) continue
    const place = writeGraphFolder(graph)
    const column = Array.from({ length: graph.vertices }, () => Math.floor(3 * random()) - 1)
    const columnFile = join(place.folder, 'column.csv')
    writeFileSync(columnFile, column.map((value, v) => `${v},${value}`).join('\n'))
    for (const seed of [0, 1, 2 ** 32 - 1]) {
      const run = { algorithm: 'colouring', priority: 'column', columnFile, seed } as const
      const { values } = await valuesRun(place, graph.vertices, run)
      expect(values, `${shape}, seed ${seed}`).toEqual(greedy(graph, column, seed))
      compared++
      if (values.some((colour, v) => colour !== greedy(graph, column)[v])) others++
    }
    rmSync(place.folder, { recursive: true })
  }
  expect(compared).toBeGreaterThan(30)
  expect(others).toBeGreaterThan(5)
})

it('is verified with bounds that hold, in every order, balanced or not', async () => {
  let moved = 0
  for (let number = 0; number < 60; number++) {
    const { graph, shape } = randomSmallGraph(1000 + number, 300)
    const place = writeGraphFolder(graph)
    for (const priority of ['largest-first', 'smallest-last', 'hash'] as const) {
      const run = { algorithm: 'colouring', priority, seed: number } as const
      const { outcome, values } = await valuesRun(place, graph.vertices, run)
      expect(isProper(graph, values), shape).toBe(true)
      const { verification, result } = outcome
      const { clique, bound } = verification!.figures!
      expect(verification!.verified, `${priority} ${shape}`).toBe(true)
      const degeneracy = degeneracyOf(graph)
      expect(bound, shape).toBe(graph.vertices === 0 ? 0 : degeneracy + 1)
      expect(clique!).toBeLessThanOrEqual(bound!)
      if (result.kind !== 'values') throw new Error(result.kind)
      expect(result.size).toBeGreaterThanOrEqual(clique!)
      if (priority === 'smallest-last') {
        expect(result.size).toBeLessThanOrEqual(bound!)
        expect(values, shape).toEqual(greedy(graph, leavingOrder(graph), number))
      }
      if (priority !== 'largest-first') continue
      if (number % 10 === 0) {
        const threads = await valuesRun(place, graph.vertices, { ...run, partitions: 3 })
        expect(threads.values, shape).toEqual(values)
      }
      const balanced = await valuesRun(place, graph.vertices, { ...run, balance: true })
      if (balanced.outcome.result.kind !== 'values') throw new Error('no values')
      const figures = balanced.outcome.result.figures
      expect(isProper(graph, balanced.values), shape).toBe(true)
      expect(balanced.outcome.verification!.verified).toBe(true)
      expect(figures.colours).toBe(result.figures.colours)
      expect(figures.largest!).toBeLessThanOrEqual(result.figures.largest!)
      const [before, after] = [values, balanced.values].map((colours) =>
        Array.from({ length: figures.colours! }, (_, colour) => colours.filter((each) => each === colour).length),
      ) as [number[], number[]]
      const mean = Math.ceil(graph.vertices / Math.max(1, figures.colours!))
      // Large classes shrink to the mean at the most, small ones grow to it.
      before.forEach((size, colour) => {
        expect(after[colour]!).toBeGreaterThanOrEqual(Math.min(size, mean))
        expect(after[colour]!).toBeLessThanOrEqual(Math.max(size, mean))
      })
      moved += balanced.outcome.counters.moved!
    }
    rmSync(place.folder, { recursive: true })
  }
  expect(moved).toBeGreaterThan(100)
})

it('has a clique for its proof wherever the highest colours are', async () => {
  // A triangle behind forty vertices without neighbours, which have the highest colour, as balancing gives it.
  const triangle = [40, 41, 42] as const
  const graph = smallGraph(43, [
    [40, 41],
    [41, 42],
    [42, 40],
  ])
  const colours = Uint32Array.from({ length: 43 }, (_, v) => (v < 40 ? 2 : triangle.indexOf(v as 40)))
  const file = GaloisGr.inFolder(writeGraphFolder(graph).folder)
  const { figures } = await verifyColouring(file, colours, quietJob)
  expect(figures).toMatchObject({ colours: 3, clique: 3, bound: 3 })
})

it('is refused by the verifier where an edge has one colour, or a colour is not used', async () => {
  //  0 - 1 - 2 - 0    3
  const graph = smallGraph(4, [
    [0, 1],
    [1, 2],
    [2, 0],
  ])
  const { folder } = writeGraphFolder(graph)
  const file = GaloisGr.inFolder(folder)
  const found = async (...colours: number[]) => {
    const { witness, figures } = await verifyColouring(file, Uint32Array.from(colours), quietJob)
    return { figures, words: witness?.sentence(witness.vertices.map(String)) }
  }
  expect(await found(0, 1, 2, 0)).toMatchObject({ words: undefined, figures: { colours: 3, clique: 3, bound: 3 } })
  expect(await found(0, 1, 1, 0)).toMatchObject({
    words: 'not proper: vertices 1 and 2 are neighbours and have one colour',
  })
  expect(await found(0, 1, 3, 0)).toMatchObject({ words: 'no vertex has colour 2, and there are larger ones' })
  expect(await found(0, 1, 0xffffffff, 0)).toMatchObject({ words: 'no vertex has colour 2, and there are larger ones' })
  file.close()
  rmSync(folder, { recursive: true })
})

it('refuses a bit that flipped in the colours of any vertex that has neighbours', async () => {
  const random = randomStream(9)
  const { graph } = randomSmallGraph(28, 300)
  const { folder } = writeGraphFolder(graph)
  const file = GaloisGr.inFolder(folder)
  const colours = greedy(
    graph,
    graph.neighbours.map((list) => list.length),
  )
  for (let turn = 0; turn < 40; turn++) {
    const v = Math.floor(random() * graph.vertices)
    const [u] = graph.neighbours[v]!
    if (u === undefined) continue
    const wrong = colours.slice()
    wrong[v] = wrong[u]!
    expect((await verifyColouring(file, wrong, quietJob)).witness?.vertices).toHaveLength(2)
  }
  file.close()
  rmSync(folder, { recursive: true })
})
