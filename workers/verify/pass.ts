import { setImmediate as letEventsIn } from 'node:timers/promises'
import type { Barrier } from '../threads/barrier.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { JobContext } from '../base/job.ts'
import { throwIfCancelled } from '../base/job.ts'
import type { Piece } from './pieces.ts'
import { PieceReader } from './pieces.ts'
import { Turns } from './turns.ts'

/** Pieces that a thread holds where they have their turns: while one of them waits for it, another is looked at. */
const ROOMS = 2

/** What is done with all lists of a graph once. Whatever it finds must not depend on when the pieces were looked at. */
export interface Pass {
  /** Looks at a piece. @param settled the vertices before it are settled, and perhaps more of those before the piece */
  scan(piece: Piece, settled: number): void
  /** Called for one piece at a time, in order of their vertices; absent where the order is all the same. */
  settle?(piece: Piece): void
}

/** One of the threads that make passes together. */
export interface Member {
  readonly graph: GaloisGr
  readonly arcsPerPiece: number
  /** Words of the barrier and of the turns. */
  readonly control: Int32Array
  readonly barrier: Barrier
  /** That of the thread that leads, or one that a following thread is stopped by. */
  readonly job: JobContext
}

/** Which of the passes over a graph it is, from 0 on; they have their turns one after the other. */
export interface PassPlace {
  readonly number: number
  readonly passes: number
  readonly withWeights: boolean
}

/** One thread's share of a pass: pieces, until no thread finds another. */
export async function makePass(member: Member, pass: Pass, place: PassPlace): Promise<void> {
  const { graph, arcsPerPiece, control, barrier } = member
  const turns = new Turns(control, place.number)
  const reader = new PieceReader(graph, arcsPerPiece, place.withWeights)
  const free = Array.from({ length: pass.settle === undefined ? 1 : ROOMS }, (_, room) => reader.room(room))
  const scanned: Piece[] = []
  const settleNext = async (piece: Piece): Promise<void> => {
    await barrier.until(() => turns.settled === piece.first)
    pass.settle?.(piece)
    turns.settle(piece.end)
    barrier.tell()
  }
  for (let isOver = false; !isOver || scanned.length > 0;) {
    await pause(member)
    const [room] = free
    const arcs = isOver || room === undefined ? undefined : reader.read(room, turns)
    if (room === undefined || arcs === undefined) isOver = true
    else {
      pass.scan(room, turns.settled)
      tell(member, place, arcs)
      if (pass.settle !== undefined) scanned.push(...free.splice(0, 1))
    }
    // It waits for a turn only where it can do nothing else.
    for (let next; (next = scanned[0]) !== undefined;) {
      if (turns.settled !== next.first && free.length > 0 && !isOver) break
      await settleNext(next)
      free.push(...scanned.splice(0, 1))
    }
  }
  tell(member, place, graph.arcs)
  await pause(member)
}

/** The thread that leads must hear that another one ended. @throws Failure (cancelled) when the work is to stop */
export async function pause({ job }: Member): Promise<void> {
  await letEventsIn()
  throwIfCancelled(job.signal)
}

function tell({ graph, job }: Member, { number, passes }: PassPlace, arcs: number): void {
  job.progress({ phase: 'verify', done: number * graph.arcs + arcs, total: passes * graph.arcs, unit: 'arcs' })
}
