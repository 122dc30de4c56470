import { parentPort } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import { Failure, asFailure } from '../failure.ts'
import { ViewFile } from '../graph/view-file.ts'
import { Trace } from '../trace.ts'
import type { ReadAheadReply, ReadAheadRequest, ReadJob, ReadPart, ReadSection } from './read-ahead.ts'
import type { ReadAheadMemory } from './read-ahead-memory.ts'
import { ReadingSide } from './read-ahead-memory.ts'

/** Bytes of one read: many requests of the disk at once, and yet a read that is soon over when nobody wants it any more. */
const READ_BYTES = 8 << 20

/** What a reader does for one user, from `open` to `close`. */
class Reader {
  readonly #memory: ReadAheadMemory
  readonly #side: ReadingSide
  readonly #trace: Trace
  readonly #path: string
  /** An open file for each section: the system guesses from the reads of each file what will be read next. */
  readonly #views: Partial<Record<ReadSection, ViewFile>> = {}

  constructor({ memory, path, traced }: Extract<ReadAheadRequest, { type: 'open' }>) {
    this.#memory = memory
    this.#side = new ReadingSide(memory)
    this.#trace = new Trace(traced)
    this.#path = path
  }

  readAll({ jobs, status }: Extract<ReadAheadRequest, { type: 'read' }>): void {
    try {
      for (;;) {
        const job = this.#side.claim(status.first + jobs.length)
        if (job === undefined) return
        const sums = this.#readJob(jobs[job - status.first]!)
        if (sums === undefined) return
        this.#side.done(status, job, sums)
      }
    } catch (error) {
      const known = asFailure(error, this.#path)
      const bug = { code: 'fault', where: this.#path, what: String(error), remedy: 'Please report it.' } as const
      this.#side.fail(known instanceof Failure ? known.toValue() : bug)
    }
  }

  close(): ReadAheadReply {
    const views = Object.values(this.#views)
    for (const view of views) view.close()
    return { bytesRead: views.reduce((sum, { bytesRead }) => sum + bytesRead, 0), spans: this.#trace.spans }
  }

  /** @returns the CRC-32 of each part; undefined when nobody wants it any more */
  #readJob({ name, parts, after }: ReadJob): number[] | undefined {
    if (!this.#side.waitForRoom(after)) return undefined
    return this.#trace.span('disk read', name, () => {
      const sums: number[] = []
      for (const part of parts) {
        const sum = this.#readPart(part)
        if (sum === undefined) return undefined
        sums.push(sum)
      }
      return sums
    })
  }

  #readPart({ section, at, bytes, into }: ReadPart): number | undefined {
    const view = this.#views[section] ?? ViewFile.open(this.#path)
    if (view === undefined) throw new Error('the view is gone')
    this.#views[section] = view
    let sum = 0
    for (let done = 0; done < bytes; done += READ_BYTES) {
      if (this.#side.isStopped) return undefined
      const piece = this.#memory.arena.subarray(into + done, into + Math.min(bytes, done + READ_BYTES))
      view.read(view.header[section], at + done, piece)
      sum = crc32(piece, sum)
    }
    return sum
  }
}

/** Entry of a thread that reads views ahead of whoever computes, for one user after another. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
let reader: Reader | undefined

port.on('message', (request: ReadAheadRequest) => {
  switch (request.type) {
    case 'open':
      reader = new Reader(request)
      return
    case 'read':
      return reader?.readAll(request)
    case 'close': {
      const reply = reader?.close()
      reader = undefined
      port.postMessage(reply satisfies ReadAheadReply | undefined)
      return
    }
    case 'end':
      port.close()
  }
})
port.postMessage('ready')
