import { parentPort } from 'node:worker_threads'
import type { WalkReply, WalkRequest } from './walk-team.ts'
import { Walker, warmUp } from './walker.ts'

/** Entry of a thread that reads heads and tails of a view and decides what a device leaves; it serves one run after another. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
port.on('message', (request: WalkRequest) => {
  if (request === 'end') return port.close()
  const walker = new Walker(request)
  warmUp()
  port.postMessage('opened' satisfies WalkReply)
  port.postMessage(walker.work() satisfies WalkReply)
})
port.postMessage('ready' satisfies WalkReply)
