import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import { complementArcs, MOST_COMPLEMENT_ARCS } from '../../../workers/contract/complement.ts'
import type { DatasetFacts } from '../../../workers/contract/jobs.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { complementGraph } from '../../../workers/jobs/complement-graph.ts'
import { generateGraph } from '../../../workers/jobs/generate-graph.ts'
import { expectCanonical, expectConserved, failureOf, readDataset, Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()

const complementOf = async (folder: string, { checksum, report }: DatasetFacts, to = work.newFolder()) => {
  const { labels, attributes } = report
  const asked = { folder, checksum, to, source: 'graph', labels, attributes: attributes?.vertices ?? [] }
  return { to, facts: await complementGraph(asked, quietJob) }
}

test.each([
  { model: 'uniform', vertices: 120, degree: 10, seed: 3 },
  { model: 'rmat', scale: 7, edgeFactor: 4, seed: 5 },
  { model: 'uniform', vertices: 30, degree: 0, seed: 1 },
  { model: 'clique', vertices: 9, seed: 1 },
  { model: 'grid', rows: 1, columns: 1, seed: 0 },
] as const)(
  '$model: each pair is in the graph or in its complement, and the complement of that is the graph',
  async (args) => {
    const folder = work.newFolder()
    const facts = await generateGraph({ ...args, folder }, quietJob)
    const { to, facts: other } = await complementOf(folder, facts)
    expectCanonical(to)
    expectConserved(other.report)
    const { arcs: own } = readDataset(folder)
    const { arcs } = readDataset(to)
    expect(arcs).toHaveLength(complementArcs(facts.vertices, facts.arcs))
    expect(new Set([...own, ...arcs]).size).toBe(facts.vertices * (facts.vertices - 1))
    expect(other).toMatchObject({ weighted: false, bytes: readFileSync(join(to, 'graph.gr')).length })
    const degrees = Map.groupBy(arcs, (arc) => arc.split(' ')[0])
    expect(other.maxDegree).toBe(Math.max(0, ...[...degrees.values()].map(({ length }) => length)))
    expect(other.report).toMatchObject({ format: 'complement', isolatedVertices: facts.vertices - degrees.size })
    expect((await complementOf(to, other)).facts.checksum).toBe(facts.checksum)
  },
)

test('ids and attributes of vertices stay, weights of edges go', async () => {
  const people = work.file('people.csv', 'id,age\nann,31\nbob,28\ncem,40\ndia,\n')
  const source = work.file('friends.csv', 'from,to,calls\nann,bob,3\nbob,cem,5\ncem,dia,4\n')
  const folder = work.newFolder()
  const facts = await importGraph({ source, folder, vertices: people }, quietJob)
  const { to, facts: other } = await complementOf(folder, facts)
  expect(readDataset(to).arcs).toEqual(['ann cem', 'ann dia', 'bob dia', 'cem ann', 'dia ann', 'dia bob'])
  expect(other.report).toMatchObject({ labels: facts.report.labels, weights: null })
  expect(other.report.attributes).toEqual({ vertices: facts.report.attributes!.vertices, edges: [] })
  expect(other.report.attributes!.vertices).toMatchObject([{ name: 'age', filled: 3 }])
  for (const file of ['vertices.arrow', 'labels', 'labels.sums'])
    expect(readFileSync(join(to, file))).toEqual(readFileSync(join(folder, file)))
})

test('one that would be too large is refused before anything is written', async () => {
  const folder = work.newFolder()
  const facts = await generateGraph({ model: 'star', vertices: 24_000, seed: 1, folder }, quietJob)
  expect(complementArcs(facts.vertices, facts.arcs)).toBeGreaterThan(MOST_COMPLEMENT_ARCS)
  const to = work.newFolder()
  const failure = await failureOf(complementOf(folder, facts, to))
  expect(failure).toMatchObject({ code: 'usage', what: expect.stringContaining('287,964,001 edges') })
  expect(existsSync(to)).toBe(false)
})
