import { parentPort } from 'node:worker_threads'
import { followScan } from '../algorithms/reproductions/ld-gpu/rescan-workers.ts'
import { followPaper } from '../algorithms/reproductions/mg-mis/paper-run.ts'
import type { DeviceTask, PartReply } from '../partition/part-task.ts'

/** Entry of a thread that follows in a run over several workers; it serves one run after another. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
port.on('message', (task: DeviceTask) => {
  void begin(task).then((done) => port.postMessage(done))
})

function begin(task: DeviceTask): Promise<PartReply> {
  switch (task.kind) {
    case 'paper':
      return followPaper(task)
    case 'scan':
      return followScan(task)
  }
}
