import { describe, expect, test } from 'vitest'
import { Worker } from 'node:worker_threads'
import { BARRIER_WORDS, SharedBarrier, stopWaiting } from '../../../workers/threads/barrier.ts'

const words = (count: number): Int32Array => new Int32Array(new SharedArrayBuffer(4 * count))
/** The word of a barrier that counts the threads that arrived. */
const ARRIVED = 1
const MEMBERS = 3
const ROUNDS = 400

describe('a barrier', () => {
  test('lets no thread go on before all have arrived, some of them late', async () => {
    const common = { control: words(BARRIER_WORDS), sums: words(2), members: MEMBERS, rounds: ROUNDS }
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
  })

  test('returns when a word changed, and gives up when all are to stop', async () => {
    const [control, flag] = [words(BARRIER_WORDS), words(1)]
    const barrier = new SharedBarrier(control, 2, { aborted: false })
    flag[0] = 7
    await barrier.waitForChange(flag, 0, 3)
    const waits = barrier.waitForChange(flag, 0, 7)
    setTimeout(() => {
      Atomics.store(flag, 0, 8)
      Atomics.notify(flag, 0)
    }, 5)
    await waits
    const waitsAgain = barrier.waitForChange(flag, 0, 8)
    setTimeout(() => stopWaiting(control), 5)
    await expect(waitsAgain).rejects.toMatchObject({ code: 'cancelled' })
    const aborted = new SharedBarrier(words(BARRIER_WORDS), 2, { aborted: true })
    // Of the job, not of another worker.
    await expect(aborted.arrive()).rejects.toMatchObject({ code: 'cancelled', what: 'cancelled' })
  })

  test('stops a parked thread that receives nothing else', async () => {
    const control = words(BARRIER_WORDS)
    const workerData = { control, member: 0, members: 2, waitsForEver: true }
    const thread = new Worker(new URL('../../support/arriving-thread.mjs', import.meta.url), { workerData })
    const reply = new Promise((resolve, reject) => thread.on('message', resolve).on('error', reject))
    await expect.poll(() => Atomics.load(control, ARRIVED)).toBe(1)
    stopWaiting(control)
    expect(await reply).toBe('cancelled')
  })
})
