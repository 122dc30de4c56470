import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../workers/base/failure.ts'
import type { GeneratorChoice } from '../../../../workers/contract/generators.ts'
import { generateGraph } from '../../../../workers/jobs/generate-graph.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { type JobContext, quietJob } from '../../../../workers/base/job.ts'
import type { DatasetFacts, GenerateArgs, ImportArgs } from '../../../../workers/contract/jobs.ts'
import { adjacencyFile, adjacencyKinds, formatOf, type Lists } from '../../../support/adjacency-files.ts'
import { randomStream } from '../../../support/graphs.ts'
import { expectCanonical, expectConserved, failureOf, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()

function comparable(folder: string, facts: DatasetFacts) {
  expectCanonical(folder)
  expectConserved(facts.report)
  expect(readdirSync(work.path).filter((name) => /\.(import|partial)/.test(name))).toEqual([])
  const { elapsedMs: _ms, ...report } = facts.report
  return { graph: readFileSync(join(folder, 'graph.gr')).toString('hex'), facts: { ...facts, report } }
}

/** Lists in no order at all, with loops, repetitions and edges in one direction; a hub, and vertices without any. */
function wild(random: () => number, weighted: boolean): Lists {
  const vertices = 5 + Math.floor(random() * 60)
  const neighbours = Array.from({ length: vertices }, (_, u) =>
    Array.from({ length: u === 3 ? 200 : Math.floor(random() * random() * 20) }, () => Math.floor(random() * vertices)),
  )
  return {
    vertices,
    neighbours,
    weights: weighted ? neighbours.map((list) => list.map(() => 1 + Math.floor(9 * random()))) : null,
  }
}

describe.each(adjacencyKinds)('lists of a %s file', (kind) => {
  const imported = async (source: string, options: Partial<ImportArgs>, readsLists: boolean) => {
    const folder = work.newFolder()
    const args = { source, folder, format: formatOf[kind], memoryBytes: 4096, ...options }
    try {
      return comparable(folder, await importGraph(args, quietJob, { copiedFromArcs: Infinity, readsLists }))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { failure: error.toValue() }
    }
  }

  it('taken as entries where they lie, they give what their reader gives', async () => {
    const random = randomStream(5)
    let arcs = 0
    for (let i = 0; i < 4; i++) {
      const source = work.file(`g${i}`, adjacencyFile(kind, wild(random, i % 2 === 1)))
      // Each rule on lists with weights and on some without.
      for (const merge of i % 4 < 2 ? (['max', 'sum'] as const) : (['first', 'min'] as const)) {
        const expected = await imported(source, { merge, threads: 1 }, true)
        expect(await imported(source, { merge, threads: 1 + (i % 2) }, false)).toEqual(expected)
        arcs += 'facts' in expected ? expected.facts.arcs : 0
      }
    }
    expect(arcs).toBeGreaterThan(1000)
  })

  it('odd weights and damaged files are left to the reader: the same graph, or the same failure', async () => {
    const random = randomStream(6)
    let [graphs, failures] = [0, 0]
    for (let i = 0; i < 8; i++) {
      const bytes = adjacencyFile(kind, wild(random, true))
      const at = 4 * Math.floor((bytes.length / 4) * (0.2 + 0.79 * random()))
      bytes.writeInt32LE(i % 2 === 0 ? -5 : 3, bytes.length - 4 * Math.floor((bytes.length - at) / 4))
      const source = work.file(`d${i}`, bytes)
      const options = { threads: 1, weightRule: (['reject', 'absolute', 'drop'] as const)[i % 3] }
      const expected = await imported(source, options, true)
      expect(await imported(source, options, false)).toEqual(expected)
      if ('failure' in expected) failures++
      else graphs++
    }
    expect(graphs + failures).toBe(8)
    expect(failures).toBeGreaterThan(0)
  })
})

const models: readonly GeneratorChoice[] = [
  { model: 'rmat', scale: 8, edgeFactor: 12 },
  { model: 'uniform', vertices: 700, degree: 6 },
  { model: 'grid', rows: 30, columns: 20 },
  { model: 'grid3', width: 9, height: 8, depth: 7 },
  { model: 'torus3', width: 9, height: 8, depth: 7 },
  { model: 'kout', vertices: 600, degree: 5 },
  { model: 'regular', vertices: 500, degree: 6 },
  { model: 'geometric', vertices: 800, degree: 7 },
  { model: 'chains', vertices: 900, length: 20 },
  { model: 'star', vertices: 1000 },
  { model: 'clique', vertices: 60 },
]

describe.each(models)('the generator $model', (choice) => {
  const generated = async (more: Partial<GenerateArgs>, job: JobContext = quietJob) => {
    const folder = work.newFolder()
    return comparable(folder, await generateGraph({ ...choice, seed: 7, folder, ...more } as GenerateArgs, job))
  }

  it('makes the same graph on the disk, with one thread and with two', async () => {
    for (const shuffle of [false, true]) {
      const phases = new Set<string>()
      const expected = await generated({ shuffle, memoryBytes: 2 ** 32 })
      const job = { ...quietJob, progress: ({ phase }: { phase: string }) => void phases.add(phase) }
      const threads = shuffle ? 2 : 1
      expect(await generated({ shuffle, threads, memoryBytes: 4096 * threads }, job)).toEqual(expected)
      expect(expected.facts.arcs).toBeGreaterThan(500)
      // In memory these are too small to tell of any phase.
      const isFormula = !shuffle && /grid|torus/.test(choice.model)
      expect([...phases]).toContain(isFormula ? 'write' : 'build')
    }
  })
})

const cancelled = [
  ['generate', { model: 'rmat', scale: 16, edgeFactor: 8 }],
  ['build', { model: 'rmat', scale: 16, edgeFactor: 8 }],
  ['write', { model: 'torus3', width: 64, height: 64, depth: 96 }],
] as const

it.each(cancelled)('a generator that is cancelled in %s on the disk leaves nothing', async (phase, choice) => {
  let aborted = false
  const signal = {
    get aborted() {
      return aborted
    },
  }
  const progress = (now: { phase: string }) => void (aborted ||= now.phase === phase)
  const args = { ...choice, seed: 1, memoryBytes: 1 << 20 }
  const outcome = generateGraph({ ...args, folder: work.newFolder() }, { signal, progress, log: () => {} })
  expect(await failureOf(outcome)).toMatchObject({ code: 'cancelled' })
  expect(readdirSync(work.path)).toEqual([])
})
