import { expect, test } from 'vitest'
import type { JobRunner } from '../../../electron/pool/pool.ts'
import { MOST_LOOKS, queuedLooks } from '../../../electron/service/explore.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { LayoutArgs } from '../../../workers/contract/jobs.ts'

/** Ends or breaks what it was asked for when it is told to. */
class SlowRunner {
  readonly begun: number[] = []
  readonly ends: ((fails: boolean) => void)[] = []

  readonly run = ((_name: string, { seed }: { seed: number }) =>
    new Promise((resolve, reject) => {
      this.begun.push(seed)
      this.ends.push((fails) => (fails ? reject(new Error('broken')) : resolve(seed)))
    })) as unknown as JobRunner['run']

  readonly close = (): Promise<void> => Promise.resolve()
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const asked = (runner: Pick<JobRunner, 'run'>, seed: number, job = quietJob) =>
  runner.run('layout', { seed } as unknown as LayoutArgs, job) as Promise<unknown>

test('a few are at work at once; the others follow in their order, whether those before them fail or not', async () => {
  const slow = new SlowRunner()
  const looks = queuedLooks(slow)
  const all = Promise.allSettled(Array.from({ length: 3 * MOST_LOOKS }, (_, seed) => asked(looks, seed)))
  for (let ended = 0; ended < 3 * MOST_LOOKS; ended++) {
    await settled()
    expect(slow.begun.length).toBe(Math.min(3 * MOST_LOOKS, MOST_LOOKS + ended))
    slow.ends[ended]!(ended % 3 === 1)
  }
  const states = (await all).map(({ status }) => status)
  expect(states).toEqual(states.map((_, i) => (i % 3 === 1 ? 'rejected' : 'fulfilled')))
  expect(slow.begun).toEqual([...slow.begun].sort((a, b) => a - b))
  void asked(looks, 100)
  await settled()
  expect(slow.begun.at(-1)).toBe(100)
})

test('what no page waits for any more is passed over, and gives its turn on', async () => {
  const slow = new SlowRunner()
  const looks = queuedLooks(slow)
  for (let seed = 0; seed < MOST_LOOKS; seed++) void asked(looks, seed)
  const signal = { aborted: false }
  const gone = [10, 11, 12].map((seed) => asked(looks, seed, { ...quietJob, signal }))
  const last = asked(looks, 20)
  signal.aborted = true
  await settled()
  slow.ends[0]!(false)
  for (const each of gone) await expect(each).rejects.toMatchObject({ code: 'cancelled' })
  await settled()
  expect(slow.begun).toEqual([0, 1, 2, 3, 20])
  slow.ends.at(-1)!(false)
  expect(await last).toBe(20)
})
