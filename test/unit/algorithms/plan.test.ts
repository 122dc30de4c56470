import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'
import { eclMis } from '../../../workers/algorithms/ecl-mis/ecl-mis.ts'
import { planOn } from '../../../workers/algorithms/plan.ts'
import { planRefusal, sizeInWords } from '../../../workers/algorithms/plan-request.ts'
import { bytesOfMatching, planWork, sizeOfTarget } from '../../../workers/jobs/plan.ts'
import { planSet } from '../../../workers/algorithms/ecl-mis/plan-set.ts'
import { planMatch } from '../../../workers/algorithms/ld-gpu/plan-match.ts'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { cpuFacts } from '../../../workers/device/cpu-device.ts'
import { Failure, MORE_MEMORY } from '../../../workers/base/failure.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { PlanArgs, RunArgs } from '../../../workers/contract/jobs.ts'
import { gpuFacts } from '../../support/gpu-facts.ts'
import { randomSmallGraph } from '../../support/graphs.ts'
import { Folders } from '../../support/dataset-folders.ts'

const folders = new Folders()
const options = { algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 0 } as const

function argsFor(made: { folder: string; checksum: string }, more: Partial<PlanArgs> = {}): PlanArgs {
  return { ...options, target: { kind: 'dataset', ...made }, folder: made.folder, ...more }
}

describe('the plan of a dataset', () => {
  it('of a set is what its run reports, from the size of the graph alone', async () => {
    let graphs = 0
    for (let seed = 2; seed < 40; seed++) {
      const { graph } = randomSmallGraph(seed, 1000)
      const made = folders.of(graph)
      const asked = { batches: 1 + (seed % 7), memoryBytes: 3 << 20 }
      const plan = planOn(eclMis, argsFor(made, asked), [cpuFacts('cpu:0')], await sizeOfTarget(argsFor(made)))
      const { vertices } = graph
      const arcs = graph.neighbours.flat().length
      expect(plan).toMatchObject({ vertices, arcs, exact: true, runIsExact: true, refusal: null })
      expect(plan.steps.map(({ name }) => name)).toEqual(['run'])
      const resultFile = join(made.folder, 'set.bits')
      const run = await runAlgorithm({ ...made, ...options, ...asked, verify: false, resultFile }, quietJob)
      expect(run.plan.batches).toBe(plan.batches)
      expect(run.plan.deviceBytes).toBe(plan.needed.deviceBytes)
      expect(plan.needed.deviceBytes).toBeLessThanOrEqual(asked.memoryBytes)
      if (arcs >= 7) expect(plan.batches).toBe(asked.batches)
      graphs++
    }
    expect(graphs).toBeGreaterThan(30)
  })

  it('of a GPU has no buffer that its kernels cannot see, however large the graph and its memory are', () => {
    const facts = { ...gpuFacts(0, 143_000), maxBindingBytes: 2 ** 31 - 4, maxBufferBytes: 2 ** 31 }
    for (const [vertices, arcs] of [
      [2 ** 24, 2 ** 33],
      [2 ** 27, 2 ** 34],
      [2 ** 29 - 1, 2 ** 36],
    ] as const) {
      const size = { vertices, arcs, weighted: false, hasColumn: false }
      const { records, poolWords, batchWords } = planSet(size, {}, [facts]).workers[0]!.layout!
      const words = { pool: poolWords, waiting: RECORD_WORDS * records, batch: batchWords }
      for (const [buffer, count] of Object.entries(words)) {
        expect(4 * count, `${buffer} of ${vertices} vertices`).toBeLessThanOrEqual(facts.maxBindingBytes)
        expect(count).toBeGreaterThan(2 ** 20)
      }
    }
  })

  it('of a matching by processors keeps no lists of more than 2^32 words in memory', () => {
    const kept = (arcs: number, readsWeights: boolean) =>
      planMatch({ vertices: 2 ** 25, arcs, readsWeights }, { memoryBytes: 2 ** 42 }, [cpuFacts('cpu:0')]).keepsLists
    expect([kept(2 ** 31, false), kept(2 ** 30, true)]).toEqual([true, true])
    expect([kept(2 ** 32, false), kept(2 ** 31, true)]).toEqual([false, false])
  })

  it('of a GPU takes smaller batches and keeps less where there is less memory, and then no more of it', () => {
    const size = { vertices: 2 ** 26, arcs: 2 ** 30, weighted: false, hasColumn: false }
    let before = planSet(size, {}, [gpuFacts(0, 100_000)]).workers[0]!
    expect(before.deviceBytes).toBeLessThan(8 * 2 ** 30)
    for (let mib = 8192; mib >= 512; mib /= 2) {
      const worker = planSet(size, { memoryBytes: mib * 2 ** 20 }, [gpuFacts(0, 100_000)]).workers[0]!
      expect(worker.deviceBytes).toBeLessThanOrEqual(mib * 2 ** 20)
      expect(worker.layout!.batchPieces).toBeLessThanOrEqual(before.layout!.batchPieces)
      expect(worker.limits.records).toBeLessThanOrEqual(before.limits.records)
      expect(worker.limits.records).toBeGreaterThan(1000)
      before = worker
    }
    expect(() => planSet(size, { memoryBytes: 300 << 20 }, [gpuFacts(0, 100_000)])).toThrow(
      /states of 67108864 vertices/,
    )
  })

  it('that does not fit says so, and the run refuses with the same words', async () => {
    const made = folders.of(randomSmallGraph(18, 3000).graph)
    const { refusal } = await planWork(argsFor(made, { memoryBytes: 1000 }), quietJob)
    expect(refusal).toMatchObject({ code: 'usage' })
    expect(refusal!.what).toMatch(
      /states of \d+ vertices and a piece of their lists take \d+\.\d KiB .*1000 bytes may be used/,
    )
    expect(refusal!.fixes).toEqual([MORE_MEMORY])
    const resultFile = join(made.folder, 'set.bits')
    const args = { ...made, ...options, memoryBytes: 1000, verify: false, resultFile }
    const failure: unknown = await runAlgorithm(args, quietJob).catch((error: unknown) => error)
    expect(failure instanceof Failure && failure.toValue()).toEqual(refusal)
  })

  it('names both figures where disk or memory is too small', () => {
    const target = { kind: 'file', source: 'x' } as const
    const needed = { hostBytes: 2 ** 34, deviceBytes: 0, scratchBytes: 0, diskBytes: 2 ** 35, peakDiskBytes: 2 ** 36 }
    const refusal = (hostBytes: number, diskBytes: number) =>
      planRefusal({ folder: '/data', target }, needed, { hostBytes, diskBytes, deviceBytes: null })
    expect(refusal(2 ** 40, 2 ** 40)).toBeNull()
    expect(refusal(2 ** 40, 2 ** 35)).toMatchObject({ code: 'storage', where: '/data' })
    expect(refusal(2 ** 40, 2 ** 35)!.what).toMatch(/64\.0 GiB of disk, and 32\.0 GiB are free/)
    expect(refusal(2 ** 34, 2 ** 40)).toMatchObject({ code: 'usage' })
    expect(refusal(2 ** 34, 2 ** 40)!.what).toMatch(/16\.0 GiB of memory, and 14\.4 GiB of the machine's 16\.0 GiB may/)
    expect(refusal(2 ** 40, 2 ** 36 - 1)!.what).toMatch(/68719476736 bytes of disk, and 68719476735 bytes are free/)
  })

  it('never says that so much is more than so much', () => {
    expect([sizeInWords(24 * 2 ** 20), sizeInWords(24 * 2 ** 20, 23 * 2 ** 20)]).toEqual(['24.0 MiB', '24.0 MiB'])
    expect(sizeInWords(24 * 2 ** 20 + 68, 24 * 2 ** 20)).toBe('25165892 bytes')
  })

  it('says what a rank receives at most, wherever the rounds are', async () => {
    const made = folders.of(randomSmallGraph(12, 800).graph)
    const { vertices } = await planWork(argsFor(made), quietJob)
    const roundOf = async (more: Partial<PlanArgs>): Promise<number> =>
      (await planWork({ ...argsFor(made), ...more, ranks: 4 }, quietJob)).across!.roundBytes
    expect(await roundOf({})).toBe((3 / 4) * (vertices / 4))
    expect(await roundOf({ algorithm: 'ld-gpu' })).toBe((3 / 4) * (vertices / 8 + (8 * vertices) / 4))
    // Four candidates and what no candidate weighs more than, a word each.
    expect(bytesOfMatching(['gpu:0', 'gpu:1'], 4)).toBe(20)
    expect(bytesOfMatching(['gpu:0', 'cpu:0'], 4)).toBe(1 / 8 + 2)
  })

  it.each([
    [{ algorithm: 'mis2-aggregates', priority: 'random', threshold: 0.5 }, 'Leave the threshold out'],
    [{ algorithm: 'spin-glass', model: 'couplings' }, 'use another model'],
    [{ algorithm: 'spin-glass', model: 'max-cut', weights: 'column' }, ''],
    [{ algorithm: 'ld-gpu', weights: 'column' }, ''],
  ] as const)('refuses %j without weights as its run does', async (asked, remedy) => {
    const made = folders.of(randomSmallGraph(12, 100).graph)
    const plan = await planWork(argsFor(made, asked as Partial<PlanArgs>), quietJob)
    const what = 'this graph has no weights'
    expect(plan.refusal).toMatchObject({ what, remedy: expect.stringContaining(remedy) as string })
    const place = { ...made, resultFile: join(made.folder, 'result'), verify: false }
    const run = runAlgorithm({ ...options, ...(asked as Partial<RunArgs>), ...place }, quietJob)
    // Whoever asks knows the graph by a name, and not by its file.
    for (const refusal of [plan.refusal, await run.catch((error: unknown) => error)])
      expect(refusal).toMatchObject({ what, where: undefined })
  })

  it.each(['bfs', 'bfs-tree'] as const)('refuses a root that is not there as its run does: %s', async (algorithm) => {
    const made = folders.of(randomSmallGraph(12, 100).graph)
    const planned = async (root: string) => (await planWork(argsFor(made, { algorithm, root }), quietJob)).refusal
    const place = { ...made, resultFile: join(made.folder, 'result'), verify: false }
    const run = runAlgorithm({ ...options, algorithm, root: '100', ...place }, quietJob)
    const failure: unknown = await run.catch((error: unknown) => error)
    expect(await planned('100')).toEqual((failure as Failure).toValue())
    expect(await planned('0')).toBeNull()
  })

  it.each([
    [{ model: 'ising', coldest: 1e-300, hottest: 1e300 }, '1e-300 is no temperature'],
    [{ model: 'max-cut', zero: 1e308 }, 'no edge weighs 1e+308'],
  ] as const)('refuses %j, which no record could hold', async (asked, what) => {
    const made = folders.of(randomSmallGraph(12, 100).graph)
    const run = planWork(argsFor(made, { algorithm: 'spin-glass', ...asked }), quietJob)
    await expect(run).rejects.toThrow(what)
  })

  it.each(['luby', 'colouring', 'distance-mis'] as const)(
    'of %s has the passes that the run reports, in memory one',
    async (algorithm) => {
      const made = folders.of(randomSmallGraph(28, 1500).graph)
      const priority = algorithm === 'colouring' ? 'hash' : 'random'
      const { passes } = await planWork(argsFor(made, { algorithm, priority }), quietJob)
      const place = { ...made, resultFile: join(made.folder, 'result'), verify: false }
      const run = await runAlgorithm({ ...options, algorithm, priority, ...place }, quietJob)
      expect([passes, run.passes]).toEqual([1, 1])
      const streamed = await runAlgorithm({ ...options, algorithm, priority, batches: 50, ...place }, quietJob)
      expect(streamed.passes).toBeLessThanOrEqual(streamed.rounds * (algorithm === 'distance-mis' ? 3 : 2))
    },
  )

  it('knows no device that is not there', async () => {
    const made = folders.of(randomSmallGraph(12, 100).graph)
    await expect(planWork(argsFor(made, { device: 'gpu:99' }), quietJob)).rejects.toMatchObject({ code: 'device' })
  })
})
