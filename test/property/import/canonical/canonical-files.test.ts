import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import type { ImportArgs } from '../../../../workers/contract/jobs.ts'
import {
  type AdjacencyKind,
  adjacencyFile,
  adjacencyKinds,
  formatOf,
  type Lists,
} from '../../../support/adjacency-files.ts'
import { expectCanonical, expectConserved, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()

/** A canonical graph: symmetric, no loops, no duplicates, neighbours ascending, the same weight both ways. */
const canonical: fc.Arbitrary<Lists> = fc.integer({ min: 2, max: 40 }).chain((vertices) => {
  const end = fc.nat(vertices - 1)
  const edge = fc.tuple(end, end, fc.integer({ min: 1, max: 9 }))
  const edges = fc.array(edge, { minLength: 4, maxLength: 120, size: 'max' })
  return fc.tuple(edges, fc.boolean()).map(([edges, weighted]) => {
    const lists = Array.from({ length: vertices }, () => new Map<number, number>())
    // One edge that is always there: an empty graph proves nothing.
    for (const [u, v, w] of [...edges, [0, 1, 1] as const]) {
      if (u === v) continue
      lists[u]!.set(v, w)
      lists[v]!.set(u, w)
    }
    const sorted = lists.map((list) => [...list].sort(([a], [b]) => a - b))
    const neighbours = sorted.map((list) => list.map(([v]) => v))
    return { vertices, neighbours, weights: weighted ? sorted.map((list) => list.map(([, w]) => w)) : null }
  })
})

type Fault = 'missing' | 'duplicate' | 'loop' | 'unsorted' | 'weight' | 'rewired'
const faults = ['missing', 'duplicate', 'loop', 'unsorted', 'weight', 'rewired'] as const

/** The lists with one fault, at the list and place that `random` picks; null where this graph has no room for it. */
function spoiled({ vertices, neighbours, weights }: Lists, fault: Fault, random: number): Lists | null {
  const least = fault === 'unsorted' ? 2 : 1
  const lists = neighbours.flatMap((list, u) => (list.length >= least ? [u] : []))
  if (lists.length === 0 || (fault === 'weight' && weights === null)) return null
  const u = lists[random % lists.length]!
  const list = [...neighbours[u]!]
  const beside = [...(weights?.[u] ?? list.map(() => 1))]
  const i = random % (list.length - least + 1)
  const loopAt = list.findIndex((v) => v > u)
  const free = list[i]! + 1 < (list[i + 1] ?? vertices) && list[i]! + 1 !== u
  const insert = (at: number, v: number, weight: number): void => {
    list.splice(at, 0, v)
    beside.splice(at, 0, weight)
  }
  if (fault === 'missing') {
    list.splice(i, 1)
    beside.splice(i, 1)
  }
  if (fault === 'duplicate') insert(i, list[i]!, beside[i]!)
  if (fault === 'loop') insert(loopAt < 0 ? list.length : loopAt, u, 1)
  if (fault === 'unsorted') [list[i], list[i + 1]] = [list[i + 1]!, list[i]!]
  if (fault === 'weight') beside[i]! += 1
  if (fault === 'rewired') {
    if (!free) return null
    list[i]! += 1
  }
  const put = <T>(all: readonly T[], one: T): T[] => all.map((before, v) => (v === u ? one : before))
  return { vertices, neighbours: put(neighbours, list), weights: weights && put(weights, beside) }
}

/** Imports a file; everything that a dataset is but for the time, and whether the graph was copied. */
async function made(kind: AdjacencyKind, source: string, copiedFromArcs: number, options: Partial<ImportArgs>) {
  const folder = work.newFolder()
  const said: string[] = []
  const job = { signal: { aborted: false }, progress: () => {}, log: (message: string) => void said.push(message) }
  const args = { source, folder, format: formatOf[kind], ...options }
  const facts = await importGraph(args, job, { copiedFromArcs })
  expectCanonical(folder)
  expectConserved(facts.report)
  expect(existsSync(`${folder}.import`)).toBe(false)
  const { elapsedMs: _ms, ...report } = facts.report
  const stored = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as { arcs: number }
  expect(stored.arcs).toBe(report.arcs)
  return {
    graph: readFileSync(join(folder, 'graph.gr')).toString('hex'),
    labels: existsSync(join(folder, 'labels')),
    facts: { ...facts, report },
    copied: said.some((message) => message.includes('was copied')),
  }
}

/** Both ways to a dataset give the same; returns whether the first one copied. */
async function sameBothWays(kind: AdjacencyKind, lists: Lists, options: Partial<ImportArgs>): Promise<boolean> {
  const source = work.file('g.bin', adjacencyFile(kind, lists))
  const { copied, ...found } = await made(kind, source, 0, options)
  const { copied: never, ...expected } = await made(kind, source, Infinity, options)
  expect(never).toBe(false)
  expect(found).toEqual(expected)
  return copied
}

describe.each(adjacencyKinds)('%s', (kind) => {
  it('a canonical file is copied, and gives what building gives', async () => {
    await fc.assert(
      fc.asyncProperty(canonical, fc.boolean(), fc.constantFrom(1, 2), async (lists, ignoreWeights, threads) => {
        expect(await sameBothWays(kind, lists, { ignoreWeights, threads })).toBe(true)
      }),
      { numRuns: 6 },
    )
  })

  it.each(faults)('a file with one fault (%s) is built, not copied', async (fault) => {
    let spoiledFiles = 0
    await fc.assert(
      fc.asyncProperty(canonical, fc.nat(), async (lists, random) => {
        const other = spoiled(lists, fault, random)
        fc.pre(other !== null)
        spoiledFiles++
        expect(await sameBothWays(kind, other, { threads: 1 })).toBe(false)
      }),
      { numRuns: 3 },
    )
    expect(spoiledFiles).toBeGreaterThan(0)
  })
})

it('bad weights are refused in the same words', async () => {
  const lists = { vertices: 3, neighbours: [[1, 2], [0], [0]], weights: [[1, -2.5], [1], [-2.5]] }
  const source = work.file('g.gr', adjacencyFile('gr', lists))
  const refused = (copiedFromArcs: number) =>
    importGraph(
      { source, folder: work.newFolder() },
      { signal: { aborted: false }, progress: () => {}, log: () => {} },
      {
        copiedFromArcs,
      },
    ).then(
      () => 'taken',
      (failure: Error) => failure.message,
    )
  expect(await refused(0)).toContain('negative')
  expect(await refused(0)).toBe(await refused(Infinity))
})
