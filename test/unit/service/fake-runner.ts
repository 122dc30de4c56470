import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JobRunner } from '../../../electron/pool/pool.ts'
import type { JobContext } from '../../../workers/base/job.ts'
import type { JobName, Jobs } from '../../../workers/contract/jobs.ts'
import { pathFacts, pathOutcome, pathPlan } from '../library/fixtures.ts'

type Answers = { [N in JobName]: (args: Jobs[N]['args'], job: JobContext) => Promise<Jobs[N]['result']> }

/** One node for all three vertices. */
const pathOverview: Jobs['overview']['result'] = {
  kind: 'coarse',
  vertices: 3,
  edges: 2,
  nodes: {
    ids: [1],
    labels: ['2'],
    names: null,
    degrees: [2],
    sizes: [3],
    members: null,
    others: null,
    both: null,
    values: null,
  },
  drawn: { sources: [], targets: [], counts: [], strong: 0 },
  hidden: 0,
  matched: { sources: [], targets: [] },
  unplaced: null,
  levels: [],
  x: [0],
  y: [0],
}

/** An engine that knows one graph, the path of three vertices; single answers can be replaced. */
export class FakeRunner implements JobRunner {
  readonly asked: { name: JobName; args: unknown }[] = []
  closed = false
  answers: Answers

  constructor(answers: Partial<Answers> = {}) {
    const make = async ({ folder }: { folder: string }) => {
      mkdirSync(folder)
      writeFileSync(join(folder, 'graph.gr'), 'graph')
      return pathFacts()
    }
    this.answers = {
      contents: async () => ({ container: null, graphs: [{ member: null, name: 'path', bytes: 8 }] }),
      devices: async () => ({ devices: pathOutcome().devices, noGpu: 'none here' }),
      import: make,
      link: async () => null,
      store: async () => ({ bytes: 0 }),
      pack: async () => ({ bytes: 5, packedBytes: 3, changed: true }),
      'unpack-graph': async () => ({ bytes: 5, packedBytes: null, changed: true }),
      generate: make,
      sample: make,
      complement: ({ to }) => make({ folder: to }),
      run: async ({ resultFile, verify }, job) => {
        job.progress({ phase: 'view', done: 1, total: 4, unit: 'arcs' })
        job.progress({ phase: 'sweep', done: 3, total: 3, unit: 'vertices', round: 1, decided: 3 })
        if (!existsSync(dirname(resultFile))) throw new Error('no folder for the result')
        writeFileSync(resultFile, Uint8Array.of(0b101))
        return pathOutcome(verify ? {} : { verification: null })
      },
      batch: async ({ items }) => ({
        answers: items.map(() => ({ failure: { code: 'engine', what: 'none here', remedy: '' } })),
      }),
      verify: async () => pathOutcome().verification!,
      export: async ({ output }) => {
        writeFileSync(output, '1\n3\n')
        return { files: [output], bytes: 4, members: 2 }
      },
      archive: async ({ output }) => ({ files: [output], bytes: 4 }),
      'unpack-graphs': async () => ({ graphs: [] }),
      unpack: async () => ({ names: ['record.json'] }),
      'export-graph': async ({ output }) => ({ files: [output], bytes: 4, vertices: 3, arcs: 4, notes: [] }),
      plan: async () => pathPlan(),
      mpi: async () => ({ library: 'libmpi.so' }),
      'join-run': async () => null,
      'result-rows': async () => ({ total: 0, truncated: false, columns: [], edgeColumns: [], rows: [] }),
      overview: async () => pathOverview,
      'open-nodes': async () => ({
        ...{ parents: [], x: [], y: [], nodes: pathOverview.nodes },
        drawn: { sources: [], targets: [], matched: [] },
      }),
      layout: async () => ({ x: [], y: [], strong: [] }),
      'device-memory': async () => ({ devices: [{ id: 'cpu:0', memoryBytes: 2 ** 30, memoryFreeBytes: 2 ** 29 }] }),
      degrees: async () => ({
        vertices: 3,
        degrees: [
          { degree: 1, vertices: 2 },
          { degree: 2, vertices: 1 },
        ],
      }),
      'value-counts': async () => ({
        ...{ by: 'values', distinct: 1, without: 0 },
        bars: [{ from: 0, to: 0, text: '0', vertices: 3, values: 1 }],
      }),
      'graph-facts': async () => ({
        components: { count: 1, single: 0, largest: [3] },
        clustering: { sampled: 3, mean: 0 },
        weights: null,
        top: [{ id: 1, label: '2', name: null, degree: 2 }],
      }),
      preview: async () => ({
        format: 'edge-list',
        reason: 'every line holds an edge',
        compression: 'none',
        bytes: 8,
        columns: null,
        rows: [
          ['1', '2'],
          ['2', '3'],
        ],
        warnings: [],
        refusals: [],
        looked: { rows: 1, complete: true },
        balance: null,
        skips: [],
        table: null,
        vertices: null,
      }),
      'vertex-search': async () => ({
        columns: [],
        vertices: [{ id: 0, label: '1', name: null, degree: 1, attributes: [] }],
      }),
      neighbourhood: async () => ({
        centre: '1',
        vertices: [
          {
            id: 0,
            label: '1',
            name: null,
            degree: 1,
            hop: 0,
            member: null,
            other: null,
            value: null,
            x: null,
            y: null,
          },
        ],
        edges: [],
        truncated: true,
        limits: ['1 of 2 vertices is shown'],
      }),
      ...answers,
    }
  }

  run<N extends JobName>(name: N, args: Jobs[N]['args'], job: JobContext): Promise<Jobs[N]['result']> {
    this.asked.push({ name, args })
    return this.answers[name](args, job)
  }

  async close(): Promise<void> {
    this.closed = true
  }
}
