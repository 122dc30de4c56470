import { expect, test } from 'vitest'
import { runDocument, runSummary } from '../../../electron/cli/documents.ts'
import { exitCodeOf } from '../../../electron/cli/failure-text.ts'
import { defaultOutput, formatOfFile } from '../../../electron/cli/commands/results.ts'
import { progressLine } from '../../../electron/cli/progress-bar.ts'
import { runTable, runText } from '../../../electron/cli/run-text.ts'
import { facts, table } from '../../../electron/cli/text.ts'
import type { Run } from '../../../electron/contract/run.ts'
import { pathOutcome, record, request } from '../library/fixtures.ts'

const run = (outcome = pathOutcome()): Run => ({
  id: 'r1',
  datasetId: 1,
  dataset: 'path',
  name: null,
  note: '',
  starred: false,
  state: 'done',
  algorithm: 'ecl-mis',
  request: request(),
  queue: { priority: 5, retries: 0, attempts: 1, devices: ['cpu:0'] },
  record: { ...record('r1'), outcome },
  failure: null,
  size: 2,
  hash: '0123456789abcdef',
  createdAt: '2026-11-21T09:36:01.000Z',
  startedAt: null,
  finishedAt: null,
})

test('tables: words at the left, figures at the right, no blanks at the ends of lines', () => {
  expect(
    table('name | edges> | note', [
      ['mesh', '1,200', ''],
      ['x', '7', 'old'],
    ]),
  ).toBe(['name  edges  note', 'mesh  1,200', 'x         7  old'].join('\n'))
  expect(
    facts([
      ['a', '1'],
      ['long', '2'],
      ['gone', null],
    ]),
  ).toBe('  a     1\n  long  2')
})

test('one thing is named as one', () => {
  const result = { kind: 'matching', pairs: 1, weight: 3, hash: '0123456789abcdef' } as const
  expect(runText(run(pathOutcome({ algorithm: 'ld-gpu', result })), [])).toMatch(/ 1 pair, weight 3$/m)
  const alone = { kind: 'independent-set', size: 1, fraction: 1 / 3, hash: '0123456789abcdef' } as const
  expect(runText(run(pathOutcome({ result: alone })), [])).toMatch(/ 1 vertex, 33.3 % of all$/m)
})

test('progress: share, rate and time left; the amount where the total is unknown', () => {
  const half = { phase: 'parse', done: 50 * 2 ** 20, total: 100 * 2 ** 20, unit: 'bytes' } as const
  expect(progressLine(half, 1000)).toBe(`parse     [${'='.repeat(12)}${'-'.repeat(12)}]   50 %  50 MiB/s  1.0 s left`)
  expect(progressLine({ phase: 'parse', done: 1200, unit: 'lines' }, 0)).toBe('parse     1,200 lines')
  expect(progressLine({ ...half, overall: 0.25 }, 1000)).toMatch(/^parse {5}\[={6}-{18}\] {3}25 % {2}50 MiB\/s/)
  const staged = { ...half, stage: { number: 1, count: 5 } }
  expect(progressLine(staged, 1000)).toMatch(/^stage 1 of 5: parse {6}\[=+/)
  const over = progressLine({ phase: 'sweep', done: 9, total: 3, unit: 'vertices', round: 2 }, 1000)
  expect(over).toBe(`sweep     [${'='.repeat(24)}]  100 %  round 2  9 vertices/s`)
})

test('a resumed run has no time, which would be that of its last attempt', () => {
  const resumed = { ...pathOutcome(), resumed: 'from a checkpoint' }
  expect(runText(run())).toContain('compute 2 ms')
  expect(runText(run(resumed))).not.toContain('compute')
  expect(runTable([run(resumed)]).split('\n')[1]).not.toMatch(/ m?s\b/)
  const waited = { attempts: 2, setMs: 2000, searchMs: 60_000, verifyMs: 1000, restMs: 500 }
  expect(runText(run({ ...resumed, waited }))).toMatch(/first result 2.+, search .+, in all .+ in 2 attempts/)
})

test('the document of a run has the fields of the contract', () => {
  expect(runDocument(run(), [])).toEqual({
    algorithm: 'ecl-mis',
    dataset: { name: 'path', vertices: 3, edges: 2, maxDegree: 2 },
    devices: ['cpu:0'],
    options: { priority: 'degree', seed: 1, batches: 1, memoryBytes: null },
    result: { kind: 'independent-set', size: 2, fraction: 2 / 3, hash: '0123456789abcdef' },
    rounds: 1,
    counters: {},
    series: [],
    time: { prepareMs: 1, computeMs: 2, kernelMs: 2, exchangeMs: 0, readMs: 1, totalMs: 5 },
    bytes: { read: 10, toDevice: 20, fromDevice: 1, exchanged: 0 },
    passes: 1,
    verified: true,
    upperBound: 2,
    resumed: null,
    run: 'r1',
    plan: pathOutcome().plan,
    files: [],
  })
  expect(runDocument(run(pathOutcome({ verification: null })), [])).toMatchObject({ verified: null, upperBound: null })
})

test('the summary of a run says what a heavy set weighs', () => {
  const { hash } = pathOutcome().result
  const heavy = pathOutcome({ result: { kind: 'independent-set', size: 2, fraction: 2 / 3, weight: 7.5, hash } })
  expect(runSummary(run(heavy))).toMatchObject({ size: 2, weight: 7.5 })
  expect(runSummary(run())).toMatchObject({ weight: null })
})

test('the text of a run says how good the set is', () => {
  expect(runText(run())).toContain('no set has more than 2 vertices: this one is the best possible')
  const verification = { verified: true, size: 2, hash: 'x', upperBound: 3, elapsedMs: 1 } as const
  expect(runText(run(pathOutcome({ verification })))).toContain('at least 66.6 % of the best possible')
  expect(runText(run(pathOutcome({ verification: null })))).toContain('not asked for; add --verify')
  const listed = run()
  const listedRecord = { ...record('r1'), request: { ...request(), keepFile: 'keep.txt' } }
  expect(runText({ ...listed, record: listedRecord })).toContain(
    'no set that keeps to the lists has more than 2 vertices',
  )
})

test.each([
  [98.5, 'no matching weighs more than 98.5: this one is the best possible'],
  [100, 'no matching weighs more than 100: at least 98.5 % of the best possible'],
  [98.500000001, 'no matching weighs more than 98.500000001: at least 99.9 % of the best possible'],
])('the text of a matching of weight 98.5 under a bound of %f', (upperBound, words) => {
  const result = { kind: 'matching', pairs: 4, weight: 98.5, hash: 'x' } as const
  const verification = { verified: true, size: 4, weight: 98.5, upperBound, hash: 'x', elapsedMs: 1 } as const
  expect(runText(run(pathOutcome({ result, verification })))).toContain(words)
})

test.each([
  [
    'pairs',
    { pairsBound: 4, weightBound: 98.5 },
    'none of as many weighs more than 98.5: this one is the best possible',
  ],
  [
    'cost',
    { pairsBound: 4, weightBound: 98.5 },
    'none of as many weighs less than 98.5: this one is the best possible',
  ],
  [
    'cost',
    { pairsBound: 4, weightBound: 90 },
    'no matching has more than 4 pairs, and none of as many weighs less than 90',
  ],
  ['pairs', { pairsBound: 5 }, 'no matching has more than 5 pairs'],
] as const)('the text of a matching of 4 pairs, most pairs first: %s %o', (objective, counters, words) => {
  const result = { kind: 'matching', pairs: 4, weight: 98.5, hash: 'x' } as const
  const verification = { verified: true, size: 4, weight: 98.5, upperBound: null, hash: 'x', elapsedMs: 1 } as const
  const text = runText(run(pathOutcome({ result, verification, counters, options: { objective } })))
  expect(text).toContain(words)
  expect(text.includes('the best possible')).toBe(words.includes('the best possible'))
})

test('exit codes', () => {
  const codes = ['usage', 'input', 'storage', 'verification', 'device', 'engine', 'cancelled'] as const
  expect(codes.map(exitCodeOf)).toEqual([2, 2, 2, 3, 4, 4, 130])
})

test('the format of an export follows the name of its file', () => {
  const files = ['a.csv', 'a.NPY', 'a.bits', 'a.txt', 'a', 'a.b/c', 'csv']
  expect(files.map(formatOfFile)).toEqual(['csv', 'npy', 'bits', 'ids', 'ids', 'ids', 'ids'])
  expect(defaultOutput('mesh', 'r1', 'ids')).toBe('mesh-r1.txt')
})
