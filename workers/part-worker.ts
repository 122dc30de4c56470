import { parentPort } from 'node:worker_threads'
import { follow } from './partition/follow.ts'
import type { PartTask } from './partition/part-task.ts'

/** Entry of a thread that follows in a run over several workers; it serves one run after another. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
port.on('message', (task: PartTask) => {
  void follow(task).then((reply) => port.postMessage(reply))
})
