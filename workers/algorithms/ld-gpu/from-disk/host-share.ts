import type { Barrier } from '../../../exchange/barrier.ts'
import { Meeting } from '../../../exchange/meeting.ts'
import type { JobContext } from '../../../job.ts'
import { throwIfCancelled } from '../../../job.ts'
import type { Trace } from '../../../trace.ts'
import { keepCodeOf } from '../../../kept-code.ts'
import type { HostBoard } from './host-state.ts'
import {
  ThreadBoard,
  findCursors,
  keepMates,
  lastOpen,
  matchedFirst,
  noteSettled,
  openInRounds,
  stampRounds,
} from './host-state.ts'
import type { SharedHeads } from './heads-queue.ts'
import type { LevelLists, TailCounts } from './level-tails.ts'
import { LevelTails, levelSizes, levelStarts } from './level-tails.ts'
import type { RoundKeeper } from '../match-state.ts'
import { OpenLists } from './open-lists.ts'
import type { OpenRoom } from './open-room.ts'

/** Where fewer pointers of a thread are new, as a share of those that it looked at, it waits for the others before it looks again. */
const NEWS_SHARE = 1 / 64

/** What a thread of a host goes on with once the devices have done what they can. */
export interface HostShare {
  readonly board: HostBoard
  /** This thread among those of all workers, which follow one another as their vertices do. */
  readonly member: number
  readonly barrier: Barrier
  /** The view, and the thread's own vertices. */
  readonly lists: LevelLists
  /** For the thread's own vertices. */
  readonly room: OpenRoom
  /** What its worker's threads share of the heads. */
  readonly heads: SharedHeads
  /** Whether the board has what another attempt knew, stamps and cursors; else what the devices found in their rounds. */
  readonly resumes: boolean
  /** Entries looked at in each round so far, where this thread counts them. */
  readonly arcs: readonly number[]
  readonly trace: Trace
  /** Of the leading thread. */
  readonly keeper?: RoundKeeper | undefined
}

/** What a thread did. */
export interface ShareReport extends TailCounts {
  /** Entries of own lists that were looked at in each round. */
  readonly arcs: readonly number[]
  /** Vertices of the whole graph that were open when each round began. */
  readonly open: readonly number[]
  /** Own pointers that were new in each round, the second at 1. */
  readonly moves: readonly number[]
}

/**
 * Settles when nobody's lists can change the matching any more, and the pointers are those of matched vertices alone; all threads of
 * all workers call it.
 */
export async function pointFromDisk(share: HostShare, job: JobContext): Promise<ShareReport> {
  const { lists, heads, resumes, trace, barrier, member } = share
  const board = new ThreadBoard(share.board)
  const { own, view } = lists
  const meeting = new Meeting(board.meeting, member, barrier, trace)
  // The devices are done.
  await meeting.start()
  if (!resumes) stampRounds(board, own)
  const closed = matchedFirst(board, own)
  const { before, all } = await meeting.sumsBefore(levelSizes(lists, closed))
  const tails = new LevelTails(lists, closed, levelStarts(before, all), trace, job.signal)
  const seconds = heads.seconds.subarray(own.first - heads.starts[0]!, own.first - heads.starts[0]! + own.count)
  const cursors = board.cursors.subarray(own.first, own.first + own.count)
  if (!resumes) findCursors(board, own, seconds)
  const open = new OpenLists(board, { own, seconds, cursors, resumes, arcs: share.arcs }, tails, view.path, share.room)
  // Whoever looked at the state before it is changed.
  await meeting.start()
  for (;;) {
    await settle(share, meeting, open, job)
    const level = open.close()
    noteSettled(board, member)
    if (!(await goesOn(share, meeting, open, level, job))) break
    if (level !== undefined) trace.span('kernel', `read level ${level} of the lists`, () => open.readLevel(level))
  }
  const { counts } = tails
  const { arcs, moves } = open
  keepCodeOf('matching', [open, tails, meeting, barrier, trace, view])
  open.release()
  const ended = await meeting.sums(lastOpen(board, own))
  keepMates(board, own)
  await meeting.start()
  return { ...counts, arcs, open: openInRounds(ended), moves }
}

/** Goes on, as all threads do, until no pointer of anybody moves. */
async function settle({ trace }: HostShare, meeting: Meeting, open: OpenLists, job: JobContext): Promise<void> {
  for (;;) {
    let all = 0
    for (let news = Infinity; news > NEWS_SHARE * open.pointing;) {
      throwIfCancelled(job.signal)
      news = trace.span('kernel', 'point on the host', () => open.point())
      all += news
    }
    if ((await meeting.sum(all)) === 0) return
  }
}

/** Tells what was done, and hands the state to the keeper where it is time. @returns whether anybody waits for a level */
async function goesOn(
  { board, keeper, lists }: HostShare,
  meeting: Meeting,
  open: OpenLists,
  level: number | undefined,
  job: JobContext,
): Promise<boolean> {
  const isDue = keeper?.isDue() === true
  const looked = open.arcs.reduce((sum, each) => sum + each, 0)
  const said = await meeting.sumsBefore([level === undefined ? 0 : 1, isDue ? 1 : 0, open.count, looked])
  const [waiting = 0, due = 0, left = 0, arcs = 0] = said.all
  if (waiting === 0) return false
  const total = board.pointers.length
  const [round, done] = [await meeting.most(open.arcs.length), total - left]
  job.progress({ phase: 'match', done, total, unit: 'vertices', round, decided: done, arcs })
  if (due === 0) return true
  const { first, count } = lists.own
  open.copyCursors(board.cursors.subarray(first, first + count))
  const all = await meeting.sums(open.arcs)
  const { pointers, stamps, cursors } = board
  if (isDue) keeper.keep({ pointers, stamps, cursors, open: [], arcs: all })
  await meeting.start()
  return true
}
