import { parentPort } from 'node:worker_threads'
import { followHost } from './algorithms/ld-gpu/from-disk/host-threads.ts'
import type { HostTask } from './partition/part-task.ts'

/** Entry of a thread that goes on with a matching from disk beside the devices; it needs none, and serves one run after another. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
port.on('message', (task: HostTask) => {
  void followHost(task).then((done) => port.postMessage(done))
})
