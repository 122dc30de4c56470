import { parentPort, workerData } from 'node:worker_threads'
import { settleFailure } from '../base/settle-failure.ts'
import type { PoolReply, PoolRequest, PoolThreadData } from '../import/external/thread-pool.ts'
import { IngestThread } from '../import/external/ingest-thread.ts'

/** Entry of a thread of an import. It ends when it is told to, with nothing left open. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
const thread = new IngestThread((workerData as PoolThreadData).stop)

port.on('message', (request: PoolRequest) => {
  if (request === 'quit') {
    thread.close()
    return port.close()
  }
  port.postMessage(replyTo(request))
})

function replyTo({ name, args }: Exclude<PoolRequest, 'quit'>): PoolReply {
  try {
    return { result: thread.handle(name, args) }
  } catch (error) {
    return settleFailure(error)
  }
}
