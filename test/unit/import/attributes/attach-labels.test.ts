import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import type { ImportReport } from '../../../../workers/contract/jobs.ts'
import { openLabels } from '../../../../workers/graph/labels.ts'
import { attachLabels } from '../../../../workers/import/attributes/attach-labels.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

async function attached(lines: readonly string[], vertices = lines.length, kind: 'dense' | 'text' = 'dense') {
  const folder = scratchFolder('attached-labels')
  const path = join(folder, 'graph.labels')
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  const report = { vertices, format: 'metis', labels: { kind, smallest: '1', largest: '3' } } as ImportReport
  const facts = await attachLabels(path, folder, report, quietJob)
  const labels = openLabels(folder, vertices)
  expect(labels.kind).toBe(facts.kind)
  expect(lines.map((line) => labels.find(line))).toEqual(lines.map((_, v) => v))
  return { facts, labels: lines.map((_, v) => labels.of(v)) }
}

describe('ids of another file', () => {
  test.each([
    ['dense', ['0', '1', '2']],
    ['dense', ['7', '8', '9', '10']],
    ['integer', ['2', '10', '18446744073709551615']],
    ['text', ['10', '2', 'a']],
    ['text', ['', '007', '7']],
    ['text', ['A', 'b c', 'Ä', '\u{1F600}']],
    ['dense', []],
  ])('are read as %s where they are %j', async (kind, lines) => {
    const { facts, labels } = await attached(lines)
    expect(labels).toEqual(lines)
    expect(facts).toEqual({ kind, smallest: lines[0] ?? null, largest: lines.at(-1) ?? null })
  })

  test.each([
    [['b', 'a'], 2, /graph\.labels:2: this id is not after the one before it/],
    [['1', '2', 'b', 'b'], 4, /graph\.labels:4/],
    [['9', '10', 'x'], 3, /graph\.labels:2/],
    [['1', '2'], 3, /the graph has 3 vertices, and this file 2 lines/],
    [['1', '2', '3', '4'], 3, /the graph has 3 vertices, and this file more lines/],
  ])('are refused where they are %j', async (lines, vertices, sentence) => {
    await expect(attached(lines, vertices)).rejects.toThrow(sentence)
  })

  test('are refused of files that have some', async () => {
    await expect(attached(['a'], 1, 'text')).rejects.toThrow('says itself what its vertices are called')
  })
})
