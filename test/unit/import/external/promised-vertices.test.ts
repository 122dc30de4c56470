import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { type JobContext, quietJob } from '../../../../workers/base/job.ts'
import type { ImportArgs } from '../../../../workers/contract/jobs.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const VERTICES = 2_500_000
const MEMORY_BYTES = 16 << 20
/** Buffers that are free and not collected yet count, too. */
const LIMIT_BYTES = 96 << 20

/** Imports a file with little memory; beside the dataset, through which phases it went. */
async function boundedImport(source: string, options: Partial<ImportArgs> = {}, watch = () => {}) {
  const folder = work.newFolder()
  const phases = new Set<string>()
  const progress: JobContext['progress'] = ({ phase }) => {
    phases.add(phase)
    watch()
  }
  const args = { source, folder, memoryBytes: MEMORY_BYTES, threads: 1, ...options }
  const facts = await importGraph(args, { ...quietJob, progress })
  return { facts, phases, graph: GaloisGr.open(`${folder}/graph.gr`) }
}

const matrix = (vertices: number, entries = 1) =>
  `%%MatrixMarket matrix coordinate pattern general\n${vertices} ${vertices} ${entries}\n${`1 ${vertices}\n`.repeat(entries)}`
const blankLines = Buffer.alloc(VERTICES - 2, '\n')

/** A binary Galois graph of the edge between the first and the last vertex. */
function galois(): Uint8Array {
  const words = new BigUint64Array(4 + VERTICES + 1).fill(1n)
  words.set([1n, 0n, BigInt(VERTICES), 2n])
  words[VERTICES + 3] = 2n
  words[VERTICES + 4] = BigInt(VERTICES - 1)
  return new Uint8Array(words.buffer)
}

const files: Record<string, () => string | Uint8Array> = {
  'a.mtx': () => matrix(VERTICES),
  'wide.mtx': () => `%%MatrixMarket matrix coordinate real general\n1 ${VERTICES - 1} 1\n1 ${VERTICES - 1} 2.5\n`,
  'a.col': () => `p edge ${VERTICES} 1\ne 1 ${VERTICES}\n`,
  'a.gr': () => `p sp ${VERTICES} 1\na 1 ${VERTICES} 7\n`,
  'out.konect': () => `% sym unweighted\n% 1 ${VERTICES} ${VERTICES}\n1 ${VERTICES}\n`,
  'a.graph': () => Buffer.concat([Buffer.from(`${VERTICES} 1\n${VERTICES}\n`), blankLines, Buffer.from('1\n')]),
  'binary.gr': galois,
  'binary.gr.gz': () => gzipSync(galois(), { level: 1 }),
}

it.each(Object.keys(files))('%s: many vertices and one edge are made on the disk', async (name) => {
  const { facts, phases, graph } = await boundedImport(work.file(name, files[name]!()))
  expect(facts).toMatchObject({ vertices: VERTICES, arcs: 2, maxDegree: 1 })
  expect(facts.report).toMatchObject({ isolatedVertices: VERTICES - 2 })
  expect(Array.from(graph.readTargets(0, 2))).toEqual([VERTICES - 1, 0])
  expect(Array.from(graph.readOffsets(VERTICES - 2, VERTICES), Number)).toEqual([1, 1, 2])
  expect(phases).toContain('partition')
})

it.each([0, 1])('a matrix of many vertices and %i entries takes no more memory than is allowed', async (entries) => {
  const used = () => process.memoryUsage().arrayBuffers
  const before = used()
  let most = 0
  const watch = () => void (most = Math.max(most, used() - before))
  const source = work.file('large.mtx', matrix(8 * VERTICES, entries))
  const { facts } = await boundedImport(source, { memoryBytes: LIMIT_BYTES }, watch)
  expect(facts).toMatchObject({ vertices: 8 * VERTICES, arcs: 2 * entries, maxDegree: entries })
  expect(most).toBeLessThan(LIMIT_BYTES)
})

it('offsets in text, which stay in memory, are refused with what would do', async () => {
  const text = `AdjacencyGraph\n${VERTICES}\n1\n0\n${'1\n'.repeat(VERTICES - 1)}${VERTICES - 1}\n`
  const source = work.file('a.adj', text)
  const failure = await work.refused(source, { memoryBytes: MEMORY_BYTES })
  const memoryBytes = failure.fixes!.map((fix) => (fix.action === 'raise' ? fix.to : undefined))[0]!
  expect(failure).toMatchObject({ code: 'usage', where: source })
  const { facts } = await boundedImport(source, { memoryBytes })
  expect(facts).toMatchObject({ vertices: VERTICES, arcs: 2 })
})
