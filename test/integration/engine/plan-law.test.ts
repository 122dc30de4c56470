import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallResult } from '../../../electron/contract/calls.ts'
import { optionsOf, type Run, type RunRequest } from '../../../electron/contract/run.ts'
import { Failure, type FailureValue } from '../../../workers/base/failure.ts'
import { randomSmallGraph } from '../../support/graphs.ts'
import { Workbench } from './workbench.ts'

/*
 * A plan refuses what its run refuses, in the same words, before anything is computed; and once all is prepared its figures are those
 * that the run reports.
 */

const CASES = 180
const graphs = 12
const bench = new Workbench()
const list = (name: string, text: string): string => {
  const path = join(bench.folder, name)
  writeFileSync(path, text)
  return path
}
const lists = {
  none: undefined,
  one: list('one.txt', '0\n'),
  two: list('two.txt', '0\n1\n'),
  stranger: list('stranger.txt', 'nobody\n'),
  twice: list('twice.txt', '1\n1\n'),
  missing: join(bench.folder, 'missing.txt'),
  folder: bench.folder,
}
const column = list('column.csv', 'id,value\n0,1\n1,2\n')

beforeAll(async () => {
  for (let seed = 0; seed < graphs; seed++) {
    const { graph } = randomSmallGraph(seed + 2, 900)
    const weigh = seed % 3 === 0
    const edges = graph.neighbours.flatMap((ends, u) =>
      ends.flatMap((v) => (v < u ? [] : [weigh ? `${u} ${v} ${1 + ((u * v) % 5)}` : `${u} ${v}`])),
    )
    const source = list(`g${seed}.txt`, `${edges.length === 0 ? (weigh ? '0 0 1' : '0 0') : edges.join('\n')}\n`)
    await bench.service.call('datasets.import', { source, name: `g${seed}` })
  }
})
afterAll(() => bench.close())

const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined })
const fileOf = fc.constantFrom(...Object.values(lists).filter((file) => file !== undefined))
/** Mostly none: one bad list refuses whatever else there is. */
const listOf = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fileOf })
const memory = fc.double({ min: 11, max: 24, noNaN: true }).map((power) => Math.floor(2 ** power))
const common = {
  dataset: fc.integer({ min: 0, max: graphs - 1 }).map((index) => `g${index}`),
  device: fc.constantFrom(
    ...new Array<string>(5).fill('cpu:0'),
    'cpu:0,cpu:1',
    'cpu:0,cpu:1',
    'auto',
    'auto',
    'gpu:99',
  ),
  partitions: maybe(fc.integer({ min: 1, max: 4 })),
  seed: fc.constantFrom(0, 7),
  batches: maybe(fc.integer({ min: 1, max: 40 })),
  memoryBytes: maybe(memory),
  verify: fc.boolean(),
}
const sets = {
  priority: fc.constantFrom('degree', 'hash', 'ecl', 'degree', 'hash', 'degree', 'h1', 'column'),
  quality: maybe(fc.constantFrom('fast', 'swap', 'swap:2', 'fast', 'augment:1')),
  keepFile: listOf,
  excludeFile: listOf,
  columnFile: fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constant(column) }),
}
const request = fc.oneof(
  fc.record({ ...common, ...sets, algorithm: fc.constant('ecl-mis') }),
  fc.record({ ...common, ...sets, algorithm: fc.constant('mg-mis'), exchange: fc.constant('replicated') }),
  fc.record({
    ...common,
    ...sets,
    algorithm: fc.constant('mg-mis'),
    exchange: fc.constant('paper'),
    bufferWords: maybe(fc.constantFrom(1, 2, 10, 100, 4000, 2 ** 29)),
  }),
  fc.record({
    ...common,
    device: fc.constantFrom(...new Array<string>(5).fill('cpu:0'), 'auto', 'cpu:0,cpu:1'),
    partitions: maybe(fc.constantFrom(1, 1, 1, 2)),
    algorithm: fc.constant('tc-mis'),
    priority: fc.constantFrom('h1', 'h2', 'h3', 'h1', 'h2', 'h3', 'degree'),
    seeds: maybe(fc.constantFrom(1, 3, 16)),
    counting: maybe(fc.constantFrom('auto', 'integer', 'integer', 'tensor')),
    keepFile: listOf,
  }),
  fc.record({
    ...common,
    algorithm: fc.constant('ld-gpu'),
    priority: fc.constant('degree'),
    method: maybe(fc.constantFrom('ordered', 'rescan')),
    weights: maybe(fc.constantFrom('unit', 'random3', 'column')),
    ties: maybe(fc.constantFrom('hash', 'id', 'degree')),
    threshold: maybe(fc.constantFrom(0, 0.5, 2)),
    quality: maybe(fc.constantFrom('fast', 'augment:2', 'swap:2')),
  }),
) as fc.Arbitrary<RunRequest>

type Plan = CallResult<'plan'>['plan']
type Planned = { readonly plan: Plan; readonly refusal: FailureValue | null } | { readonly refusal: FailureValue }

/** A value that the schema of a call refuses is named by the path in its arguments, which hold the options at different places. */
function byOption(value: FailureValue): FailureValue {
  return { ...value, where: value.where?.replace(/^(plan|runs\.start\.request)\./, '') }
}

async function refusing<T>(work: Promise<T>): Promise<T | FailureValue> {
  return work.catch((error: unknown) => {
    if (error instanceof Failure) return byOption(error.toValue())
    throw error
  })
}

async function planned({ dataset, ...options }: RunRequest): Promise<Planned> {
  const found = await refusing(bench.service.call('plan', { target: dataset, ...options }))
  return 'plan' in found ? { plan: found.plan, refusal: found.plan.refusal } : { refusal: found }
}

/** The run at its end, or why it was not even queued. */
async function ended(request: RunRequest): Promise<Run | FailureValue> {
  const found = await refusing(bench.service.call('runs.start', { request }))
  return 'run' in found ? bench.wait(found.run) : found
}

function kindOf(asked: RunRequest): string {
  const { exchange, method } = optionsOf(asked)
  return [asked.algorithm, exchange, method === 'rescan' ? method : undefined].filter(Boolean).join(' ')
}

it('refuses what the run refuses, in its words, and tells its figures', async () => {
  const seen: Record<string, { refused: number; late: number; done: number }> = {}
  const law = fc.asyncProperty(request, async (asked) => {
    const count = (seen[kindOf(asked)] ??= { refused: 0, late: 0, done: 0 })
    const before = await planned(asked)
    const run = await ended(asked)
    const failure = 'code' in run ? run : run.failure
    if (before.refusal !== null) {
      expect(failure).toEqual(before.refusal)
      count.refused++
      return
    }
    const after = await planned(asked)
    // What only a view tells is known once the run has prepared it.
    expect(failure).toEqual(after.refusal)
    if ('code' in run || failure !== null || !('plan' in after) || !('plan' in before)) {
      expect(before).toMatchObject({ plan: { runIsExact: false } })
      count.late++
      return
    }
    const { outcome } = run.record!
    const step = after.plan.steps.find(({ name }) => name === 'run')!
    const { batches, hostBytes, deviceBytes } = outcome.plan
    expect(after.plan).toMatchObject({ runIsExact: true, batches })
    expect(step).toMatchObject({ hostBytes, deviceBytes })
    expect(after.plan.lanes.map(({ device }) => device)).toEqual(outcome.devices.map(({ id }) => id))
    // Shares of several workers are about equal; only that of one is bounded.
    if (outcome.devices.length === 1) expect(before.plan.needed.deviceBytes).toBeGreaterThanOrEqual(deviceBytes)
    expect(before.plan.needed.hostBytes).toBeGreaterThanOrEqual(hostBytes)
    count.done++
  })
  await fc.assert(law, { numRuns: CASES, seed: 20261122 })
  expect(Object.keys(seen).sort()).toEqual([
    'ecl-mis',
    'ld-gpu',
    'ld-gpu rescan',
    'mg-mis paper',
    'mg-mis replicated',
    'tc-mis',
  ])
  for (const [kind, { refused, late, done }] of Object.entries(seen)) {
    expect(refused, kind).toBeGreaterThan(5)
    expect(done, kind).toBeGreaterThan(5)
    expect(late, kind).toBeLessThan(refused)
  }
})
