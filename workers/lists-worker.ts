import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { followHost } from './algorithms/ld-gpu/from-disk/host-threads.ts'
import type { LooseTask } from './partition/part-task.ts'
import { followVerification } from './verification/verify-together.ts'

/** What threads shared is freed once all have let go of it; one that waits would not look for what it may let go of. */
const KEPT_BYTES = 1 << 20

/** Entry of a thread that needs no device: it goes on with a matching from disk, or verifies a result, one after another. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
port.on('message', (task: LooseTask) => {
  const done = task.kind === 'verify' ? followVerification(task) : followHost(task)
  void done.then((reply) => {
    port.postMessage(reply)
    if (task.kind === 'verify' && task.ends) port.close()
    // Once nothing here holds the task any more.
    if (task.kind === 'host' && task.board.pointers.byteLength > KEPT_BYTES) setImmediate(collectGarbage)
  })
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
