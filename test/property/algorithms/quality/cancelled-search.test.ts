import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAlgorithm } from '../../../../workers/algorithms/run.ts'
import { type JobContext, type Progress, quietJob } from '../../../../workers/base/job.ts'
import type { RunArgs } from '../../../../workers/contract/jobs.ts'
import { type SmallGraph, randomStream, smallGraph, writeGraphFolder } from '../../../support/graphs.ts'

const VERTICES = 1200
const DEGREE = 9

function uniformGraph(seed: number): SmallGraph {
  const random = randomStream(seed)
  const draw = (): number => Math.floor(VERTICES * random())
  return smallGraph(
    VERTICES,
    Array.from({ length: (VERTICES * DEGREE) / 2 }, () => [draw(), draw()] as const),
  )
}

/** Times that a search tells of itself before it is cancelled: within its first epoch. */
const TOLD = [1, 4] as const
/** More than any test takes. */
const LONG_SECONDS = 600

/** What a search told: the best result and the lowest bound. */
interface Told {
  best: number
  bound: number
  times: number
}

function listening(told: Told, signal: JobContext['signal']): JobContext {
  const progress = ({ phase, best, bound = Infinity }: Progress): void => {
    if (phase !== 'search' || best === undefined) return
    told.times++
    // It never shows less than before, nor a weaker bound.
    expect(best).toBeGreaterThanOrEqual(told.best)
    expect(bound).toBeLessThanOrEqual(told.bound)
    Object.assign(told, { best, bound })
  }
  return { ...quietJob, progress, signal }
}

const timed = { priority: 'degree', quality: 'best', searchSeconds: LONG_SECONDS } as const
const choices: readonly { words: string; args: Pick<RunArgs, 'algorithm' | 'priority'> & Partial<RunArgs> }[] = [
  { words: 'a large set', args: { ...timed, algorithm: 'ecl-mis' } },
  { words: 'a heavy set', args: { ...timed, algorithm: 'ecl-mis', priority: 'column', weights: 'column' } },
  { words: 'a heavy matching', args: { ...timed, algorithm: 'ld-gpu', weights: 'random3' } },
]

describe.each(choices)('a search for $words that ends by time', ({ args: choice }) => {
  it('is kept by a cancel: what it found and proved is there when it is resumed, or ended', async () => {
    for (const times of TOLD) {
      const { folder, checksum } = writeGraphFolder(uniformGraph(7 + times))
      const files = { resultFile: join(folder, 'result'), checkpointFile: join(folder, 'checkpoint') }
      const columnFile = join(folder, 'weights.csv')
      if (choice.priority === 'column')
        writeFileSync(columnFile, Array.from({ length: VERTICES }, (_, v) => `${v},${1 + ((v * 37) % 11)}`).join('\n'))
      const column = choice.priority === 'column' ? { columnFile } : {}
      const args: RunArgs = { folder, checksum, device: 'cpu:0', seed: 3, verify: true, ...files, ...column, ...choice }
      const told: Told = { best: 0, bound: Infinity, times: 0 }
      const isTold = {
        get aborted() {
          return told.times >= times
        },
      }
      await expect(runAlgorithm(args, listening(told, isTold))).rejects.toMatchObject({ code: 'cancelled' })
      expect(told.best).toBeGreaterThan(0)
      expect(existsSync(args.checkpointFile!)).toBe(true)

      // The person takes what there is: with no time left, in which nothing could be found or proved anew.
      const ended = { aborted: false, enough: true }
      const before = { ...told }
      const outcome = await runAlgorithm({ ...args, resume: true, searchSeconds: 0.001 }, listening(told, ended))
      expect(outcome.resumed).toMatch(/^from the checkpoint of /)
      expect(outcome.verification?.verified).toBe(true)
      const { size, weight = size, upperBound } = outcome.verification!
      expect(weight).toBeGreaterThanOrEqual(before.best * (1 - 1e-9))
      if (before.bound < Infinity) {
        const { setBound, matchingBound } = outcome.counters
        expect(setBound ?? matchingBound).toBeLessThanOrEqual(before.bound)
        expect(upperBound).toBeLessThanOrEqual(before.bound)
      }
      rmSync(folder, { recursive: true })
    }
  })
})

it('bounds were told in the searches above', async () => {
  const { folder, checksum } = writeGraphFolder(uniformGraph(8))
  const told: Told = { best: 0, bound: Infinity, times: 0 }
  const args = { folder, checksum, device: 'cpu:0', seed: 3, verify: false, resultFile: join(folder, 'result') }
  const signal = { aborted: false, enough: true }
  await runAlgorithm({ ...args, ...choices[0]!.args }, listening(told, signal))
  expect(told.bound).toBeLessThan(VERTICES)
  rmSync(folder, { recursive: true })
})
