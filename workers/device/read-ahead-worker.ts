import { parentPort, workerData } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import { Failure, asFailure } from '../failure.ts'
import { ViewFile } from '../graph/view-file.ts'
import { Trace } from '../trace.ts'
import type {
  ReadAheadMessage,
  ReadAheadReply,
  ReadAheadRequest,
  ReadJob,
  ReadPart,
  ReadSection,
} from './read-ahead.ts'
import type { ReadAheadMemory } from './read-ahead-memory.ts'
import { LOOK_BYTES, TeamSide } from './read-ahead-memory.ts'
import type { TeamRole } from './reader-team.ts'

const PAGE_BYTES = 4096

type Open = Extract<ReadAheadRequest, { type: 'open' }>
type Read = Extract<ReadAheadRequest, { type: 'read' }>
type CheckerRole = Extract<TeamRole, { does: 'check' }>

/** What a thread does for one user, from `open` to `close`. */
interface Member {
  /** All jobs in order, as far as they are wanted. */
  work(request: Read): void
  close(): ReadAheadReply
}

/** A view, open twice: the system guesses for each open file what comes next. Positions follow the tails, heads lie apart. */
class Views {
  readonly #path: string
  readonly #open: { heads?: ViewFile; others?: ViewFile } = {}

  constructor(path: string) {
    this.#path = path
  }

  for(section: ReadSection): ViewFile {
    const file = section === 'heads' ? 'heads' : 'others'
    const view = this.#open[file] ?? ViewFile.open(this.#path)
    if (view === undefined) throw new Error('the view is gone')
    this.#open[file] = view
    return view
  }

  /** @returns bytes that were read */
  close(): number {
    const views = Object.values(this.#open)
    for (const view of views) view.close()
    return views.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
  }
}

/**
 * Reads, and does nothing else: the disk always has something to do, and the system sees reads in the order of the file, of which
 * it guesses what comes next.
 */
class Reader implements Member {
  readonly #memory: ReadAheadMemory
  readonly #side: TeamSide
  readonly #trace: Trace
  readonly #views: Views

  constructor({ memory, path, traced }: Open) {
    this.#memory = memory
    this.#side = new TeamSide(memory)
    this.#trace = new Trace(traced)
    this.#views = new Views(path)
    this.#touchArena()
  }

  work({ jobs, status }: Read): void {
    for (const [i, job] of jobs.entries()) {
      if (!this.#readJob(job)) return
      this.#side.read(status, status.first + i)
    }
  }

  close(): ReadAheadReply {
    return { bytesRead: this.#views.close(), spans: this.#trace.spans }
  }

  /** Memory comes from the system page by page, when it is first written to: better now than when the disk has something. */
  #touchArena(): void {
    const { arena } = this.#memory
    for (let at = 0; at < arena.length; at += PAGE_BYTES) Atomics.or(arena, at, 0)
  }

  /** @returns false when nobody wants it any more */
  #readJob({ name, parts, after }: ReadJob): boolean {
    if (!this.#side.waitForRoom(after)) return false
    return this.#trace.span('disk read', name, () => parts.every((part) => this.#readPart(part)))
  }

  #readPart({ section, at, bytes, into }: ReadPart): boolean {
    const view = this.#views.for(section)
    for (let done = 0; done < bytes; done += LOOK_BYTES) {
      if (this.#side.isOver) return false
      const piece = this.#memory.arena.subarray(into + done, into + Math.min(bytes, done + LOOK_BYTES))
      view.read(view.header[section], at + done, piece)
    }
    return true
  }
}

/** Makes checksums of what was read, in the same order; of several checkers each takes its turn. */
class Checker implements Member {
  readonly #memory: ReadAheadMemory
  readonly #side: TeamSide
  readonly #isMine: (job: number) => boolean

  constructor({ memory }: Open, { checker, checkers }: CheckerRole) {
    this.#memory = memory
    this.#side = new TeamSide(memory)
    this.#isMine = (job) => job % checkers === checker
  }

  work({ jobs, status }: Read): void {
    for (const [i, { parts }] of jobs.entries()) {
      const job = status.first + i
      if (!this.#isMine(job)) continue
      if (!this.#side.waitForRead(status, job)) return
      const sums = parts.map((part) => this.#sumOf(part)).filter((sum) => sum !== undefined)
      if (sums.length < parts.length) return
      this.#side.checked(status, job, sums)
    }
  }

  close(): ReadAheadReply {
    return { bytesRead: 0, spans: [] }
  }

  /** Undefined when nobody wants it any more. */
  #sumOf({ bytes, into }: ReadPart): number | undefined {
    let sum = 0
    for (let done = 0; done < bytes; done += LOOK_BYTES) {
      if (this.#side.isOver) return undefined
      sum = crc32(this.#memory.arena.subarray(into + done, into + Math.min(bytes, done + LOOK_BYTES)), sum)
    }
    return sum
  }
}

/** Works, and tells the user of the team what went wrong. */
function workFor(member: Member, { path, memory }: Open, request: Read): void {
  try {
    member.work(request)
  } catch (error) {
    const known = asFailure(error, path)
    const bug = { code: 'fault', where: path, what: String(error), remedy: 'Please report it.' } as const
    new TeamSide(memory).fail(known instanceof Failure ? known.toValue() : bug)
  }
}

/** Entry of a thread that has a part in reading views ahead of whoever computes, for one user after another. */
const port = parentPort
if (port === null) throw new Error('this file is the entry of a worker thread')
const role = workerData as TeamRole
const memberOf = (request: Open): Member => (role.does === 'read' ? new Reader(request) : new Checker(request, role))
let current: { readonly member: Member; readonly open: Open } | undefined

port.on('message', (request: ReadAheadRequest) => {
  switch (request.type) {
    case 'open':
      current = { member: memberOf(request), open: request }
      port.postMessage('opened' satisfies ReadAheadMessage)
      return
    case 'read':
      return current && workFor(current.member, current.open, request)
    case 'close': {
      const reply = current?.member.close() ?? { bytesRead: 0, spans: [] }
      current = undefined
      port.postMessage(reply satisfies ReadAheadMessage)
      return
    }
    case 'end':
      port.close()
  }
})
port.postMessage('ready' satisfies ReadAheadMessage)
