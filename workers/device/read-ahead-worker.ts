import { parentPort, workerData } from 'node:worker_threads'
import { Failure, asFailure } from '../failure.ts'
import { ViewFile } from '../graph/view-file.ts'
import type { SectionReader } from '../graph/view-file.ts'
import { Trace } from '../trace.ts'
import type { ReadAheadData, ReadAheadReply, ReadAheadRequest, ViewRange } from './read-ahead.ts'
import { PIECE_BYTES, ReadAheadRing } from './read-ahead-ring.ts'

/** Entry of the thread that reads a view ahead of whoever computes: ranges in the order in which they will be wanted. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
const { memory, path, traced } = workerData as ReadAheadData
const ring = new ReadAheadRing(memory)
const trace = new Trace(traced)
const view = ViewFile.open(path)
const readers: Partial<Record<ViewRange['section'], SectionReader>> = {}

port.on('message', (request: ReadAheadRequest) => {
  if (request !== 'close') return readAll(request)
  view?.close()
  const reply: ReadAheadReply = { bytesRead: view?.bytesRead ?? 0, spans: trace.spans }
  port.postMessage(reply)
  port.close()
})
port.postMessage('ready')

function readAll(ranges: readonly ViewRange[]): void {
  try {
    for (const range of ranges) if (!trace.span('disk read', range.name, () => readRange(range))) return
  } catch (error) {
    const known = asFailure(error, path)
    ring.fail(
      known instanceof Failure
        ? known.toValue()
        : { code: 'engine', where: path, what: String(error), remedy: 'This is a bug; please report it.' },
    )
  }
}

/** @returns false when nobody wants the rest */
function readRange({ section, at, bytes }: ViewRange): boolean {
  if (view === undefined) throw new Error('the view is gone')
  // One reader a section for the whole run: it checks the section's checksum on the first way through.
  const read = (readers[section] ??= view.checkedReader(view.header[section]))
  for (let done = 0; done < bytes; done += PIECE_BYTES) {
    const room = ring.room(Math.min(PIECE_BYTES, bytes - done))
    if (room === null) return false
    read(at + done, room)
    ring.written()
  }
  return true
}
