import { appendFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { JobContext } from '../../../workers/base/job.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { failureOf, Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()

/** An .egr file. */
function egr(lists: readonly (readonly number[])[]): Uint8Array {
  let end = 0
  const ends = lists.map((list) => (end += list.length))
  return new Uint8Array(Int32Array.from([lists.length, end, 0, ...ends, ...lists.flat()]).buffer)
}

const plain = Array.from({ length: 200_000 }, (_, i) => `${i} ${(i * 7919) % 50_000}\n`).join('')
const circle = Array.from({ length: 99 }, (_, v) => [(v + 98) % 99, (v + 1) % 99].sort((a, b) => a - b))
const arrows = Array.from({ length: 99 }, (_, v) => [(v + 1) % 99])

it.each([
  ['lines in memory', 'a.txt', plain, 'parse', {}],
  ['other text', 'a.txt', 'a b\nb c\n', 'format', {}],
  ['a binary graph that is copied', 'a.egr', egr(circle), 'copy', { copiedFromArcs: 0 }],
  ['lists that are read in place', 'a.egr', egr(arrows), 'partition', {}],
] as const)('%s: a file that is written while it is imported is refused', async (_words, name, content, at, tuning) => {
  const source = work.file(name, content)
  let isWritten = false
  const write = (phase: string): void => {
    if (isWritten || !phase.startsWith(at)) return
    isWritten = true
    appendFileSync(source, '7 8\n')
  }
  const job: JobContext = { signal: { aborted: false }, progress: ({ phase }) => write(phase), log: write }
  const importing = importGraph({ source, folder: work.newFolder(), threads: 2 }, job, tuning)
  expect(await failureOf(importing)).toMatchObject({
    code: 'input',
    where: source,
    what: expect.stringMatching(/changed while/),
  })
  expect(isWritten).toBe(true)
  expect(readdirSync(work.path)).toEqual([name])
})
