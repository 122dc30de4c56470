import { expect, test } from 'vitest'
import { adoptThreads, LeasedThread, runInThread, threadsAhead } from '../../../workers/threads/thread-pool.ts'

test('threads that another thread started take tasks, again and again, until they are ended', async () => {
  const { ports, start } = threadsAhead(2, '')
  adoptThreads(ports)
  start()
  const noTask = /no task "?none/
  await expect(runInThread('none', null)).rejects.toThrow(noTask)
  await expect(runInThread('none', null)).rejects.toThrow(noTask)
  const [first, second] = [new LeasedThread(), new LeasedThread()]
  await expect(Promise.all([first.run('none', null), second.run('none', null)])).rejects.toThrow(noTask)
  await Promise.all([first.end(), second.end()])
  // A new one.
  await expect(runInThread('none', null)).rejects.toThrow(noTask)
})

test('one that ends is not given a task', async () => {
  const { ports, start } = threadsAhead(1, '')
  adoptThreads(ports)
  start()
  const thread = new LeasedThread()
  await thread.end()
  await expect(thread.run('none', null)).rejects.toThrow('ended before its task')
})
