import { describe, expect, it } from 'vitest'
import { generateGraph } from '../../../workers/jobs/generate-graph.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import type { JobContext, Progress } from '../../../workers/base/job.ts'
import { Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const lines = Array.from({ length: 200_000 }, (_, i) => `v${(i * 7919) % 20_011} v${(i * i) % 30_011}\n`).join('')

function noted(): JobContext & { readonly seen: Progress[] } {
  const seen: Progress[] = []
  return { signal: { aborted: false }, progress: (now) => void seen.push(now), log: () => {}, seen }
}

/** The stages that were told, each once, as "2 of 5"; every phase has one. */
function stagesOf(seen: readonly Progress[]): readonly string[] {
  expect(seen.length).toBeGreaterThan(0)
  for (const progress of seen) expect(progress.stage, progress.phase).toBeDefined()
  return [...new Set(seen.map(({ stage }) => `${stage!.number} of ${stage!.count}`))]
}

describe('the stages of a job', () => {
  it('of an import through the disk are five', async () => {
    const job = noted()
    const source = work.file('a.txt', lines)
    await importGraph({ source, folder: work.newFolder(), memoryBytes: 1 << 20, threads: 1 }, job)
    const stages = stagesOf(job.seen)
    expect(stages.filter((stage) => stage.endsWith('of 5'))).toEqual(expect.arrayContaining(['3 of 5', '4 of 5']))
    const numbers = job.seen.map(({ stage }) => stage!.number)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(numbers.at(-1)).toBe(5)
  })

  it('of an import in memory are three, and of a generator', async () => {
    const importing = noted()
    const numbers = lines.repeat(4).replaceAll('v', '')
    await importGraph({ source: work.file('b.txt', numbers), folder: work.newFolder() }, importing)
    expect(stagesOf(importing.seen)).toContain('1 of 3')
    const generating = noted()
    const rmat = { seed: 1, model: 'rmat', scale: 16, edgeFactor: 16 } as const
    await generateGraph({ ...rmat, folder: work.newFolder() }, generating)
    expect(stagesOf(generating.seen)).toContain('2 of 3')
  })
})
