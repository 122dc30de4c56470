import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { RunArgs, RunOutcome } from '../../../workers/contract/jobs.ts'
import { randomSmallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { runInPieces, stoppedRun, wholeRun } from '../../support/interrupted-run.ts'

const GRAPHS = 3
/** Those before it are too small to be interrupted. */
const FIRST = 5
/** Moments at which the run of a graph is stopped. */
const MOMENTS = 5

type Choice = Pick<RunArgs, 'algorithm' | 'priority'> & Partial<RunArgs>
/** The share of the memory that a run plans without a limit: so much makes it stream if it can. */
const TIGHT = 0.75

const matching = { algorithm: 'ld-gpu', priority: 'degree', rounds: true } as const

/** What must come out the same where a run was interrupted: for those with `rounds` also how it got there. */
const choices: readonly (Choice & { readonly words: string; readonly rounds: boolean })[] = [
  { words: 'ecl-mis', algorithm: 'ecl-mis', priority: 'ecl', batches: 5, rounds: false },
  { words: 'ecl-mis with swaps', algorithm: 'ecl-mis', priority: 'hash', quality: 'swap:6', batches: 3, rounds: false },
  { words: 'mg-mis as in the paper', algorithm: 'mg-mis', priority: 'degree', exchange: 'paper', rounds: false },
  {
    words: 'mg-mis as in the paper, with swaps',
    ...{ algorithm: 'mg-mis', priority: 'hash', exchange: 'paper', quality: 'swap', rounds: false },
  },
  // What a vertex keeps of its list is looked up anew, so arcs are looked at more often.
  { words: 'ld-gpu', ...matching, ties: 'id', weights: 'unit', batches: 3 },
  { words: 'ld-gpu with augmentations', ...matching, weights: 'random3', quality: 'augment:4' },
  { words: 'ld-gpu with a search', ...matching, weights: 'random3', quality: 'best', searchSteps: 100 },
  {
    words: 'ld-gpu in little memory',
    ...{ ...matching, ties: 'degree', weights: 'random3', memoryBytes: TIGHT, rounds: false },
  },
  { words: 'ld-gpu in less memory', ...matching, ties: 'id', weights: 'unit', memoryBytes: 0.7, rounds: false },
  { words: 'ld-gpu rescan', ...matching, method: 'rescan', weights: 'random3', ties: 'id', batches: 4 },
  { words: 'b-suitor', algorithm: 'b-suitor', capacity: 3, weights: 'random3', batches: 3, rounds: true },
  { words: 'tc-mis h1', algorithm: 'tc-mis', priority: 'h1', batches: 4, rounds: true },
  { words: 'tc-mis h3 in little memory', algorithm: 'tc-mis', priority: 'h3', memoryBytes: TIGHT, rounds: true },
  { words: 'tc-mis h2', algorithm: 'tc-mis', priority: 'h2', rounds: true },
  { words: 'tc-mis h3 of 16 seeds', algorithm: 'tc-mis', priority: 'h3', seeds: 16, batches: 4, rounds: true },
  { words: 'spin-glass', algorithm: 'spin-glass', sweeps: 30, batches: 2, rounds: true },
  { words: 'bfs', algorithm: 'bfs', batches: 3, rounds: true },
  { words: 'bfs-tree from below', algorithm: 'bfs-tree', direction: 'bottom-up', batches: 2, rounds: true },
  { words: 'k-core', algorithm: 'k-core', batches: 3, rounds: true },
  { words: 'k-core by peeling', algorithm: 'k-core', rounds: true },
  { words: 'colouring', algorithm: 'colouring', priority: 'smallest-last', batches: 4, rounds: true },
  { words: 'distance-mis', algorithm: 'distance-mis', priority: 'random', batches: 3, rounds: true },
  { words: 'tc-mis h2 of 3 seeds', algorithm: 'tc-mis', priority: 'h2', seeds: 3, rounds: true },
]

function argsOf(folder: string, checksum: string, choice: Choice): RunArgs {
  const files = { resultFile: join(folder, 'result'), checkpointFile: join(folder, 'checkpoint') }
  return { folder, checksum, device: 'cpu:0', seed: 0, verify: true, checkpointEveryMs: 0, ...files, ...choice }
}

/** With so many bytes of memory as its share is of those planned; without a limit where that is too little for the states alone. */
async function withMemory({ memoryBytes: share, ...args }: RunArgs): Promise<RunArgs> {
  if (share === undefined) return args
  const { plan } = await runAlgorithm(args, quietJob)
  const tight = { ...args, memoryBytes: Math.ceil(share * plan.deviceBytes) }
  return runAlgorithm(tight, quietJob).then(
    () => tight,
    () => args,
  )
}

/** The counters of a run that do not tell of time or of bytes. */
function countersOf({ counters }: RunOutcome): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counters).filter(([name]) => !/Ms$|PerSecond|mmeps|teps|Bytes|Percent|arcsTouched/.test(name)),
  )
}

function withoutTimes({ series }: RunOutcome) {
  return series.filter(({ unit, of }) => unit !== 'ms' && of !== 'worker').filter(({ name }) => name !== 'arcs touched')
}

describe.each(choices)('$words', ({ words: _words, rounds, ...choice }) => {
  it(`that is interrupted at ${MOMENTS} moments goes on to the same result, on ${GRAPHS} random graphs`, async () => {
    let goneOn = 0
    for (let number = FIRST; number < FIRST + GRAPHS; number++) {
      const { graph, shape } = randomSmallGraph(number, 900)
      const { folder, checksum } = writeGraphFolder(graph)
      const args = await withMemory(argsOf(folder, checksum, choice))
      const whole = await wholeRun(args)
      expect(whole.outcome.verification?.verified, shape).toBe(true)
      const step = Math.max(1, whole.looks / MOMENTS)
      for (let looks = step / 2; looks < whole.looks; looks += step) {
        const place = `${shape}, graph ${number}, after ${looks} of ${whole.looks}`
        const ended = await stoppedRun(args, looks)
        // How often threads are waited for, and so looked for a stop, is of no answer: a run may end before one comes.
        if (ended !== undefined) {
          expectSame(ended, whole.outcome, rounds, place)
          continue
        }
        const hadCheckpoint = existsSync(args.checkpointFile!)
        const resumed = await runAlgorithm({ ...args, resume: true }, quietJob)
        expect(resumed.resumed, place).toMatch(hadCheckpoint ? /^from the checkpoint of / : /^anew: there was no/)
        expectSame(resumed, whole.outcome, rounds, place)
        expect(existsSync(args.checkpointFile!), place).toBe(false)
        if (hadCheckpoint) goneOn++
      }
      const inPieces = await runInPieces(args, Math.ceil(step))
      expectSame(inPieces, whole.outcome, rounds, `${shape}, graph ${number}, in pieces`)
      rmSync(folder, { recursive: true })
    }
    expect(goneOn).toBeGreaterThan(GRAPHS / 2)
  })
})

function expectSame(resumed: RunOutcome, whole: RunOutcome, rounds: boolean, place: string): void {
  expect(resumed.result, place).toEqual(whole.result)
  expect(resumed.verification?.verified, place).toBe(true)
  expect(resumed.options, place).toEqual(whole.options)
  if (!rounds) return
  expect(resumed.roundCounts, place).toEqual(whole.roundCounts)
  expect(resumed.rounds, place).toBe(whole.rounds)
  expect(countersOf(resumed), place).toEqual(countersOf(whole))
  expect(withoutTimes(resumed), place).toEqual(withoutTimes(whole))
}

/** Nothing in their answers is drawn. */
const hasNoSeed: readonly string[] = ['bfs', 'bfs-tree', 'k-core']

/** One of each program that writes checkpoints: what their file must be does not depend on options. */
const programs = choices.filter(
  ({ algorithm, exchange, method }, i) =>
    i ===
    choices.findIndex(
      (other) => other.algorithm === algorithm && other.exchange === exchange && other.method === method,
    ),
)

describe('a checkpoint that is no place to go on from', () => {
  const { graph } = randomSmallGraph(7, 900)
  const { folder, checksum } = writeGraphFolder(graph)

  /** The checkpoint of a run that was stopped late. */
  async function left(choice: Choice): Promise<Buffer> {
    const args = await withMemory(argsOf(folder, checksum, choice))
    const { looks } = await wholeRun(args)
    let bytes: Buffer | undefined
    for (let some = looks - 1; bytes === undefined && some > 0; some--)
      if ((await stoppedRun(args, some)) === undefined && existsSync(args.checkpointFile!))
        bytes = readFileSync(args.checkpointFile!)
    return bytes!
  }

  it.each(programs)('is passed over: torn, damaged, or of another version ($words)', async (choice) => {
    const args = { ...(await withMemory(argsOf(folder, checksum, choice))), resume: true }
    const { outcome } = await wholeRun(args)
    const good = await left(choice)
    const flipped = Buffer.from(good)
    flipped[513]! ^= 4
    const older = Buffer.from(
      good.toString('latin1').replace('anticlique checkpoint 2', 'anticlique checkpoint 1'),
      'latin1',
    )
    const cases: [Buffer, RegExp][] = [
      [good.subarray(0, 100), /^anew: the checkpoint was torn/],
      [good.subarray(0, good.length - 3), /^anew: the checkpoint was torn/],
      [Buffer.concat([good, Buffer.from('x')]), /^anew: the checkpoint was torn/],
      [flipped, /^anew: the checkpoint was damaged/],
      [older, /^anew: .* version/],
      [Buffer.alloc(600), /^anew: .* version/],
      [good, /^from the checkpoint of 20/],
    ]
    for (const [bytes, words] of cases) {
      writeFileSync(args.checkpointFile!, bytes)
      const resumed = await runAlgorithm(args, quietJob)
      expect(resumed.resumed).toMatch(words)
      expect(resumed.result).toEqual(outcome.result)
    }
  })

  it.each(programs)('is passed over: of another graph, or of other options ($words)', async (choice) => {
    const good = await left(choice)
    const args = { ...(await withMemory(argsOf(folder, checksum, choice))), resume: true }
    const others: Partial<RunArgs>[] = [
      ...(choice.algorithm === 'ld-gpu'
        ? [
            { ties: choice.ties === 'degree' ? ('hash' as const) : ('degree' as const) },
            { method: choice.method === 'rescan' ? ('ordered' as const) : ('rescan' as const) },
            { quality: 'augment:7' },
          ]
        : hasNoSeed.includes(choice.algorithm)
          ? []
          : [{ seed: 1 }]),
      ...(choice.algorithm === 'tc-mis' ? [{ seeds: 2 }] : []),
    ]
    for (const other of others) {
      const expected = await runAlgorithm({ ...args, ...other, resume: false }, quietJob)
      writeFileSync(args.checkpointFile!, good)
      const resumed = await runAlgorithm({ ...args, ...other }, quietJob)
      expect(resumed.resumed, JSON.stringify(other)).toMatch(/^anew: .* another graph, or other options/)
      expect(resumed.result).toEqual(expected.result)
    }
    const ofAnother = good.toString('latin1').replace(checksum, 'f'.repeat(64))
    writeFileSync(args.checkpointFile!, ofAnother, 'latin1')
    const resumed = await runAlgorithm(args, quietJob)
    expect(resumed.resumed).toMatch(/^anew: .* another graph, or other options/)
    expect(resumed.result).toEqual((await runAlgorithm({ ...args, resume: false }, quietJob)).result)
  })
})
