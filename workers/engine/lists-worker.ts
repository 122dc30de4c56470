import { parentPort } from 'node:worker_threads'
import type { VerifyTask } from '../partition/part-task.ts'
import { followVerification } from '../verify/verify-together.ts'

/** Entry of a thread that verifies results, one after another. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
port.on('message', (task: VerifyTask) => {
  void followVerification(task).then((reply) => {
    port.postMessage(reply)
    if (task.ends) port.close()
  })
})
