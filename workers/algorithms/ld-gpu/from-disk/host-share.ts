import type { Barrier } from '../../../exchange/barrier.ts'
import { Meeting } from '../../../exchange/meeting.ts'
import type { JobContext } from '../../../job.ts'
import { throwIfCancelled } from '../../../job.ts'
import type { Trace } from '../../../trace.ts'
import { FoundPairs } from './found-pairs.ts'
import type { HostBoard } from './host-state.ts'
import { keepMates, lastOpen, matchedFirst, openInRounds, stampFirstRound } from './host-state.ts'
import type { LevelLists, TailCounts } from './level-tails.ts'
import { LevelTails, levelSizes, levelStarts } from './level-tails.ts'
import type { RoundKeeper } from '../match-state.ts'
import { OpenLists } from './open-lists.ts'

/** What a thread of a host goes on with once the devices have done the first round. */
export interface HostShare {
  readonly board: HostBoard
  /** This thread among those of all workers, which follow one another as their vertices do. */
  readonly member: number
  readonly barrier: Barrier
  /** The view, and the thread's own vertices. */
  readonly lists: LevelLists
  /** The second entries of these. */
  readonly seconds: Uint32Array
  /** Whether the board has what another attempt knew: stamps and cursors. */
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
  /** Own pointers that were new in each pointing phase. */
  readonly changes: readonly number[]
}

/**
 * Settles when nobody's lists can change the matching any more, and the pointers are those of matched vertices alone; all threads of
 * all workers call it.
 */
export async function pointFromDisk(share: HostShare, job: JobContext): Promise<ShareReport> {
  const { board, lists, seconds, resumes, trace, barrier, member } = share
  const { own, view } = lists
  const meeting = new Meeting(board.meeting, member, barrier, trace)
  // The devices are done.
  await meeting.start()
  if (!resumes) stampFirstRound(board, own)
  const closed = matchedFirst(board, own)
  const { before, all } = await meeting.sumsBefore(levelSizes(lists, closed))
  const tails = new LevelTails(lists, closed, levelStarts(before, all), trace, job.signal)
  const cursors = resumes ? board.cursors.slice(own.first, own.first + own.count) : undefined
  const open = new OpenLists(board, { own, seconds, cursors, arcs: share.arcs }, tails, view.path)
  const changes: number[] = []
  // Whoever looked at the state before it is changed.
  await meeting.start()
  for (;;) {
    await settle(share, meeting, open, changes, job)
    const level = open.close()
    if ((await meeting.sum(level === undefined ? 0 : 1)) === 0) break
    await keepOpen(share, meeting, open)
    await tell(share, meeting, open, job)
    if (level !== undefined) trace.span('kernel', `read level ${level} of the lists`, () => open.readLevel(level))
  }
  const ended = await meeting.sums(lastOpen(board, own))
  keepMates(board, own)
  await meeting.start()
  return { ...tails.counts, arcs: open.arcs, open: openInRounds(ended), changes }
}

/** Pointing and matching phases, until no pointer of anybody moves. */
async function settle(
  { board, trace }: HostShare,
  meeting: Meeting,
  open: OpenLists,
  changes: number[],
  job: JobContext,
): Promise<void> {
  const pairs = new FoundPairs(board)
  for (;;) {
    throwIfCancelled(job.signal)
    const own = trace.span('kernel', 'point on the host', () => open.point())
    const all = await meeting.sum(own)
    changes.push(own)
    if (all === 0) return
    pairs.find(open.takeChanged())
    await meeting.start()
    pairs.mark()
    await meeting.start()
  }
}

/** Hands the state to the keeper where it is time. */
async function keepOpen({ board, keeper, lists }: HostShare, meeting: Meeting, open: OpenLists): Promise<void> {
  const isDue = keeper?.isDue() === true
  if ((await meeting.sum(isDue ? 1 : 0)) === 0) return
  const { first, count } = lists.own
  open.copyCursors(board.cursors.subarray(first, first + count))
  const arcs = await meeting.sums(open.arcs)
  const { pointers, stamps, cursors } = board
  if (isDue) keeper.keep({ pointers, stamps, cursors, open: [], arcs })
  await meeting.start()
}

async function tell({ board }: HostShare, meeting: Meeting, open: OpenLists, job: JobContext): Promise<void> {
  const total = board.pointers.length
  const left = await meeting.sum(open.count)
  const arcs = await meeting.sum(open.arcs.reduce((sum, each) => sum + each, 0))
  const round = open.arcs.length
  const done = total - left
  job.progress({ phase: 'match', done, total, unit: 'vertices', round, decided: done, arcs })
}
