import { vi } from 'vitest'

// An import ends its threads, which frees their memory. Starting one takes longer than what it does for the small files of tests, so that a thread
// that is ended in one test is the next one's: what a part leaves in a thread would be seen. Programs that tests start end theirs.
vi.mock('../../workers/threads/thread-pool.ts', async (load) => {
  const real = await load<typeof import('../../workers/threads/thread-pool.ts')>()
  type Thread = ReturnType<typeof real.leaseThread>
  const kept: Thread[] = []
  const leaseThread = (): Pick<Thread, 'run' | 'end'> => {
    const thread = kept.pop() ?? real.leaseThread()
    return {
      run: (task, argument) => thread.run(task, argument),
      end: async () => void (thread.isLost || kept.push(thread)),
    }
  }
  return { ...real, leaseThread }
})
