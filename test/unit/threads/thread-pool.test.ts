import { describe, expect, test, vi } from 'vitest'
import { adoptThreads, leaseThread, runInThread, threadFor } from '../../../workers/threads/thread-pool.ts'

vi.unmock('../../../workers/threads/thread-pool.ts')

/** So that no other thread is taken. */
const THIS = 'of-this-test'

function adopted(device: string): void {
  const { thread, start } = threadFor({ task: '', device })
  adoptThreads([thread])
  start()
}

describe('a thread that was started for another one', () => {
  test('does its tasks one after another, and says what failed', async () => {
    adopted(THIS)
    for (const task of ['unheard-of', 'unknown'])
      await expect(runInThread(task, null, THIS)).rejects.toMatchObject({ code: 'fault', what: `no task ${task} here` })
  })

  test('ends when it is asked to, and has no task then', async () => {
    adopted('')
    const thread = leaseThread()
    await expect(thread.run('unheard-of', null)).rejects.toMatchObject({ code: 'fault' })
    await thread.end()
    await expect(thread.run('unheard-of', null)).rejects.toMatchObject({ what: 'a thread ended before its task' })
  })
})
