import { parentPort } from 'node:worker_threads'
import { followHost } from './algorithms/ld-gpu/from-disk/host-threads.ts'
import type { LooseTask } from './partition/part-task.ts'
import { followVerification } from './verification/verify-together.ts'

/** Entry of a thread that needs no device: it goes on with a matching from disk, or verifies a result, one after another. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
port.on('message', (task: LooseTask) => {
  const done = task.kind === 'verify' ? followVerification(task) : followHost(task)
  void done.then((reply) => {
    port.postMessage(reply)
    if (task.kind === 'verify' && task.ends) port.close()
  })
})
