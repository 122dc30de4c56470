import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { calls, isCallName } from '../../../electron/contract/calls.ts'
import { datasetNameSchema, importReportSchema } from '../../../electron/contract/dataset.ts'
import {
  deviceIdSchema,
  isFinal,
  runOutcomeSchema,
  runRequestSchema,
  runStates,
} from '../../../electron/contract/run.ts'
import { verdictSchema } from '../../../electron/contract/verdict.ts'
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

test('the contract imports nothing that a browser lacks', () => {
  const folder = join(import.meta.dirname, '../../../electron/contract')
  const imports = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^import (type )?.* from '(.*)'$/gm)].map((match) => ({
      typeOnly: match[1] !== undefined,
      from: match[2]!,
    })),
  )
  expect(imports.length).toBeGreaterThan(5)
  const tables = [
    '../../workers/contract/jobs.ts',
    '../../workers/contract/catalogue.ts',
    '../../workers/contract/generators.ts',
  ]
  const allowed = (from: string): boolean => from === 'zod' || from.startsWith('./') || tables.includes(from)
  expect(imports.filter(({ typeOnly, from }) => !typeOnly && !allowed(from))).toEqual([])
})
