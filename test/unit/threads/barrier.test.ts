import { describe, expect, test } from 'vitest'
import { Worker } from 'node:worker_threads'
import { BARRIER_WORDS, SharedBarrier, stopWaiting } from '../../../workers/threads/barrier.ts'

const words = (count: number): Int32Array => new Int32Array(new SharedArrayBuffer(4 * count))
/** The word of a barrier that counts who sleeps. */
const SLEEPERS = 4
const MEMBERS = 3
const ROUNDS = 400
/** With so many every thread looks for a while before it sleeps, and with none it sleeps at once. */
const PROCESSORS = [
  ['looks before it sleeps', 64],
  ['sleeps at once', 0],
] as const

describe('a barrier', () => {
  test.each(PROCESSORS)('%s: nobody goes on before all have come, some of them late', async (_, processors) => {
    const common = { control: words(BARRIER_WORDS), sums: words(2), members: MEMBERS, processors, rounds: ROUNDS }
    const threads = Array.from(
      { length: MEMBERS },
      (_, member) =>
        new Worker(new URL('../../support/arriving-thread.mjs', import.meta.url), {
          workerData: { ...common, member, naps: true },
        }),
    )
    const replies = await Promise.all(
      threads.map((thread) => new Promise((resolve, reject) => thread.on('message', resolve).on('error', reject))),
    )
    expect(replies).toHaveLength(MEMBERS)
    for (const reply of replies) expect(reply).toMatchObject({ wrong: 0 })
    // Who slept has woken: nobody is counted any more.
    expect(common.control[SLEEPERS]).toBe(0)
  })

  test.each(PROCESSORS)(
    '%s: it returns when a word changed, and gives up when all are to stop',
    async (_, processors) => {
      const [control, flag] = [words(BARRIER_WORDS), words(1)]
      const barrier = new SharedBarrier(control, 2, { aborted: false }, processors)
      flag[0] = 7
      await barrier.untilChanged(flag, 0, 3)
      const waits = barrier.untilChanged(flag, 0, 7)
      setTimeout(() => {
        Atomics.store(flag, 0, 8)
        Atomics.notify(flag, 0)
      }, 5)
      await waits
      const waitsAgain = barrier.untilChanged(flag, 0, 8)
      setTimeout(() => stopWaiting(control), 5)
      await expect(waitsAgain).rejects.toMatchObject({ code: 'cancelled' })
      const aborted = new SharedBarrier(words(BARRIER_WORDS), 2, { aborted: true }, processors)
      await expect(aborted.arrive()).rejects.toMatchObject({ code: 'cancelled' })
    },
  )

  test.each(PROCESSORS)('%s: a thread that sleeps and hears of nothing else is told to stop', async (_, processors) => {
    const control = words(BARRIER_WORDS)
    const workerData = { control, member: 0, members: 2, processors, nobodyComes: true }
    const thread = new Worker(new URL('../../support/arriving-thread.mjs', import.meta.url), { workerData })
    const reply = new Promise((resolve, reject) => thread.on('message', resolve).on('error', reject))
    await expect.poll(() => Atomics.load(control, SLEEPERS), { timeout: 20_000 }).toBe(1)
    stopWaiting(control)
    expect(await reply).toBe('cancelled')
    expect(control[SLEEPERS]).toBe(0)
  })
})
