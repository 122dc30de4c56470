import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generateGraph } from '../../../workers/jobs/generate-graph.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { sampleCities } from '../../../workers/jobs/sample-cities.ts'
import type { JobContext, Progress } from '../../../workers/base/job.ts'
import { failureOf, Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()

/** Asks to stop as soon as the job says that it is in a phase. */
function cancelledIn(phase: string): JobContext & { readonly seen: Progress[] } {
  const controller = new AbortController()
  const seen: Progress[] = []
  const progress = (now: Progress) => {
    seen.push(now)
    if (now.phase === phase) controller.abort()
  }
  return { signal: controller.signal, progress, log: () => {}, seen }
}

const manyEdges = Array.from({ length: 1_000_000 }, (_, i) => `${i} ${(i * 7919) % 500_000}\n`).join('')

it.each(['parse', 'build', 'write'])('an import stops while it is in %s, and leaves nothing', async (phase) => {
  const source = work.file('a.txt', manyEdges)
  const job = cancelledIn(phase)
  expect(await failureOf(importGraph({ source, folder: work.newFolder() }, job))).toMatchObject({ code: 'cancelled' })
  expect(readdirSync(work.path)).toEqual(['a.txt'])
  expect(job.seen.at(-1)?.phase).toBe(phase)
  const read = job.seen.find((progress) => progress.phase === 'parse')!
  expect(read.unit).toBe('bytes')
  expect(read.done).toBeLessThanOrEqual(read.total!)
})

it('a generator and the sample stop too', async () => {
  const grid = { seed: 1, model: 'rmat', scale: 16, edgeFactor: 16 } as const
  const generating = generateGraph({ ...grid, folder: work.newFolder() }, cancelledIn('generate'))
  expect(await failureOf(generating)).toMatchObject({ code: 'cancelled' })
  const sampling = sampleCities({ sample: 'cities', radiusKm: 20, folder: work.newFolder() }, cancelledIn('pairs'))
  expect(await failureOf(sampling)).toMatchObject({ code: 'cancelled' })
  expect(readdirSync(work.path)).toEqual([])
})

it('the sample hears a cancel however wide its radius is', async () => {
  const controller = new AbortController()
  const seen: number[] = []
  const progress = ({ done, phase }: Progress) => {
    if (phase === 'pairs' && seen.push(done) === 2) controller.abort()
  }
  const job: JobContext = { signal: controller.signal, progress, log: () => {} }
  const sampling = sampleCities({ sample: 'cities', radiusKm: 20_000, folder: work.newFolder() }, job)
  expect(await failureOf(sampling)).toMatchObject({ code: 'cancelled' })
  // Every one of these places is close to all others.
  expect(seen[1]).toBeLessThan(100)
})

it('does not start when it is cancelled already', async () => {
  const job = { ...cancelledIn('none'), signal: AbortSignal.abort() }
  const folder = work.newFolder()
  const source = work.file('a.txt', '1 2\n')
  expect(await failureOf(importGraph({ source, folder }, job))).toMatchObject({ code: 'cancelled' })
})

it('lets other work happen while it runs', async () => {
  const source = work.file('a.txt', manyEdges)
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  await importGraph(
    { source, folder: work.newFolder() },
    { signal: new AbortController().signal, progress: () => {}, log: () => {} },
  )
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
})
