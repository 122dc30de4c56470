import { parentPort, workerData } from 'node:worker_threads'
import { settleFailure } from '../base/settle-failure.ts'
import type { CrewReply, CrewRequest, CrewThreadData } from '../import/external/crew.ts'
import { IngestThread } from '../import/external/ingest-thread.ts'

/** Entry of a thread of an import. It ends when it is told to, with nothing left open. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
const thread = new IngestThread((workerData as CrewThreadData).stop)

port.on('message', (request: CrewRequest) => {
  if (request === 'quit') {
    thread.close()
    return port.close()
  }
  port.postMessage(replyTo(request))
})

function replyTo({ name, args }: Exclude<CrewRequest, 'quit'>): CrewReply {
  try {
    return { result: thread.handle(name, args) }
  } catch (error) {
    return settleFailure(error)
  }
}
