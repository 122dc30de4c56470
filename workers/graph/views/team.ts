import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FailureValue } from '../../failure.ts'
import { Failure } from '../../failure.ts'
import type { JobContext } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import type { ViewTask } from './view-task.ts'

/**
 * Threads that work off one numbered list of pieces. Each takes the next piece that nobody has; a thread that starts late, or
 * never, costs time and nothing else, because the calling thread takes pieces too. No messages: everything is in shared words,
 * so that the caller may wait without its event loop.
 */
export interface Team {
  readonly words: Int32Array
  /** JSON of the first failure, zero-padded. */
  readonly failure: Uint8Array
}

/** What a team's worker thread is started with. */
export interface MemberData {
  readonly team: Team
  readonly task: ViewTask
  readonly member: number
}

const NEXT_PIECE = 0
const AT_WORK = 1
const STOP = 2
const PIECES_DONE = 3
const FAILURE_BYTES = 4096
const LOOK_MS = 20

/** How a task meets its team. */
export interface Member {
  /** 0 for the calling thread; each member's own. */
  readonly index: number
  /** The next piece of `pieces`, or -1 when none is left or the work is to stop. */
  claim(pieces: number): number
  /** Between steps of a long piece. @throws Failure (cancelled) when the work is to stop. */
  checkpoint(): void
}

function newTeam(): Team {
  return {
    words: new Int32Array(new SharedArrayBuffer(16)),
    failure: new Uint8Array(new SharedArrayBuffer(FAILURE_BYTES)),
  }
}

/**
 * Runs a task on this thread and `threads - 1` more. Settles when no thread is at work any more.
 * @throws the first failure of any thread; Failure (cancelled)
 */
export function workTogether(
  task: ViewTask,
  threads: number,
  pieces: number,
  perform: (task: ViewTask, member: Member) => void,
  phase: string,
  job: JobContext,
): void {
  const team = newTeam()
  for (let member = 1; member < Math.min(threads, pieces); member++) startMember({ team, task, member })
  const tell = (): void => {
    throwIfCancelled(job.signal)
    const done = Atomics.load(team.words, PIECES_DONE)
    job.progress({ phase, done: Math.min(done, pieces), total: pieces, unit: 'arcs' })
  }
  try {
    takePart(team, 0, (member) => perform(task, member), tell)
    for (let left; (left = Atomics.load(team.words, AT_WORK)) > 0;) {
      tell()
      Atomics.wait(team.words, AT_WORK, left, LOOK_MS)
    }
  } catch (error) {
    settle(team)
    // A member that failed first has stopped this thread.
    throwFailureOf(team)
    throw error
  }
  settle(team)
  throwFailureOf(team)
}

/** Lets no thread begin another piece, and waits until none is at work. */
function settle({ words }: Team): void {
  Atomics.store(words, STOP, 1)
  for (let left; (left = Atomics.load(words, AT_WORK)) > 0;) Atomics.wait(words, AT_WORK, left, LOOK_MS)
}

/** Takes part in a team's work until nothing is left; a failure stops all members and is kept for the caller. */
export function takePart(team: Team, index: number, work: (member: Member) => void, tell = (): void => {}): void {
  const { words } = team
  Atomics.add(words, AT_WORK, 1)
  const checkpoint = (): void => {
    tell()
    throwIfCancelled({ aborted: Atomics.load(words, STOP) !== 0 })
  }
  const claim = (pieces: number): number => {
    checkpoint()
    const piece = Atomics.add(words, NEXT_PIECE, 1)
    Atomics.store(words, PIECES_DONE, Math.max(0, Math.min(piece, pieces)))
    return piece < pieces ? piece : -1
  }
  try {
    work({ index, claim, checkpoint })
  } catch (error) {
    const isFirst = Atomics.exchange(words, STOP, 1) === 0
    if (index === 0) throw error
    if (isFirst) keepFailure(team, error)
  } finally {
    Atomics.sub(words, AT_WORK, 1)
    Atomics.notify(words, AT_WORK)
  }
}

function keepFailure(team: Team, error: unknown): void {
  const value: FailureValue =
    error instanceof Failure
      ? error.toValue()
      : { code: 'engine', what: error instanceof Error ? error.message : String(error), remedy: 'Please report it.' }
  const bytes = Buffer.from(JSON.stringify(value))
  team.failure.set(bytes.subarray(0, FAILURE_BYTES - 1))
}

function throwFailureOf({ failure }: Team): void {
  const end = failure.indexOf(0)
  if (end > 0) throw new Failure(JSON.parse(Buffer.from(failure.slice(0, end)).toString('utf8')) as FailureValue)
}

function startMember(data: MemberData): void {
  const worker = new Worker(memberEntry(), { workerData: data, name: 'view-worker' })
  // What a member has to say stands in the shared words; one that cannot start takes no piece.
  worker.on('error', () => {})
  worker.unref()
}

/** The bundled entry beside this file or one folder up from a chunk of it; else the source, which Node 24 runs as it is. */
function memberEntry(): string {
  const here = import.meta.dirname
  const places = [join(here, 'view-worker.js'), join(here, '..', 'view-worker.js')]
  return places.find((path) => existsSync(path)) ?? join(here, 'view-worker.ts')
}
