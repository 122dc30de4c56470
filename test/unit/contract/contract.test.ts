import { describe, expect, test } from 'vitest'
import { calls, isCallName } from '../../../electron/contract/calls.ts'
import { datasetNameSchema } from '../../../electron/contract/dataset.ts'
import { deviceIdSchema, isFinal, runRequestSchema, runStates } from '../../../electron/contract/run.ts'
import { importReportSchema } from '../../../workers/contract/dataset.ts'
import { runOutcomeSchema } from '../../../workers/contract/run.ts'
import { verdictSchema } from '../../../workers/contract/result.ts'
import { importsOf } from '../structure/imports.ts'
import { sourceFiles } from '../structure/source-files.ts'
import { pathFacts, pathOutcome, request } from '../library/fixtures.ts'

describe('what the engine says passes the contract unchanged', () => {
  test('an outcome', () => expect(runOutcomeSchema.parse(pathOutcome())).toEqual(pathOutcome()))
  test('an import report', () => expect(importReportSchema.parse(pathFacts().report)).toEqual(pathFacts().report))
  test('a failed verdict keeps its witness', () => {
    const verdict = {
      verified: false,
      law: 'maximal',
      vertex: '7',
      sentence: 's',
      size: 1,
      hash: 'h',
      upperBound: 2,
      elapsedMs: 0,
    }
    expect(verdictSchema.parse(verdict)).toEqual(verdict)
    expect(verdictSchema.safeParse({ ...verdict, vertex: undefined }).success).toBe(false)
  })
})

test('requests', () => {
  expect(runRequestSchema.parse(request({ batches: 3 }))).toEqual(request({ batches: 3 }))
  const wrong = [{ seed: 0.5 }, { seed: 2 ** 32 }, { batches: 0 }, { memoryBytes: -1 }, { device: 'gpu' }]
  for (const part of wrong) expect(runRequestSchema.safeParse({ ...request(), ...part }).success).toBe(false)
})

test.each(['cpu:0', 'gpu:12', 'auto'])('%s is a device', (id) =>
  expect(deviceIdSchema.safeParse(id).success).toBe(true),
)
test.each(['cpu', 'gpu:', 'gpu:x', 'cuda:0', ''])('"%s" is none', (id) =>
  expect(deviceIdSchema.safeParse(id).success).toBe(false),
)

test.each(['g', 'wiki-Vote', 'my graph', 'Straßen.2026', '東京'])('a dataset can be called %s', (name) =>
  expect(datasetNameSchema.safeParse(name).success).toBe(true),
)
test.each(['', '.', '..', '.x', '-x', ' x', 'x ', 'a/b', 'a\\b', 'a\nb', 'x'.repeat(101)])(
  'a dataset cannot be called %j',
  (name) => expect(datasetNameSchema.safeParse(name).success).toBe(false),
)

test('call names are known by the table alone', () => {
  expect(Object.keys(calls).length).toBeGreaterThan(10)
  expect(isCallName('runs.start')).toBe(true)
  for (const name of ['toString', '__proto__', 'runs', '']) expect(isCallName(name)).toBe(false)
})

test('four states are final', () => {
  expect(runStates.filter(isFinal)).toEqual(['done', 'failed', 'cancelled', 'interrupted'])
})

test('the contracts import nothing that a browser lacks', () => {
  const imports = sourceFiles(['electron/contract', 'workers/contract'], ['.ts']).flatMap(importsOf)
  expect(imports.length).toBeGreaterThan(50)
  const allowed = /^(?:zod$|(?:electron|workers)\/contract\/)/
  expect(imports.filter(({ typeOnly, target }) => !typeOnly && !allowed.test(target))).toEqual([])
})
