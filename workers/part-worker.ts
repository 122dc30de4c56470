import { parentPort } from 'node:worker_threads'
import { followPaper } from './algorithms/mg-mis/paper-run.ts'
import { follow } from './partition/follow.ts'
import type { WorkerTask } from './partition/part-task.ts'

/** Entry of a thread that follows in a run over several workers; it serves one run after another. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
port.on('message', (task: WorkerTask) => {
  const reply = task.kind === 'paper' ? followPaper(task) : follow(task)
  void reply.then((done) => port.postMessage(done))
})
