import { availableParallelism } from 'node:os'
import { SharedBarrier, stopWaiting } from '../../../exchange/barrier.ts'
import { followingJob } from '../../../exchange/following-job.ts'
import { inputFailure } from '../../../failure.ts'
import { isFaultDue, throwOutside } from '../../../fault-injection.ts'
import { ViewFile } from '../../../graph/view-file.ts'
import type { JobContext } from '../../../job.ts'
import { keepCodeOf } from '../../../kept-code.ts'
import { withFollowers } from '../../../partition/followers.ts'
import type { HostReport, HostTask, PartReply } from '../../../partition/part-task.ts'
import { settleFailure } from '../../../serve-jobs.ts'
import { Trace } from '../../../trace.ts'
import { listWork } from '../list-work.ts'
import { touchPages } from './host-state.ts'
import { HeadsQueue, headsReaders } from './heads-queue.ts'
import type { HostShare, ShareReport } from './host-share.ts'
import { pointFromDisk } from './host-share.ts'
import type { LevelLists } from './level-tails.ts'
import { OpenRoom } from './open-room.ts'

const MOST_THREADS = 64
/** A thread takes longer to start than to look at fewer vertices. */
const LEAST_VERTICES = 1 << 15

/**
 * From so many processors on, a few are left to the rest of the program: where all are taken, one thread shares its processor and takes
 * twice as long, and all others wait for it. The threads that drive the devices are among those counted.
 */
const MANY_PROCESSORS = 8
const LEFT_FREE = 2

/** Threads that each worker goes on with after the rounds of the devices, where their lists are on disk. */
export function hostThreads(vertices: number, workers: number, processors = availableParallelism()): number {
  const free = processors < MANY_PROCESSORS ? processors : processors - LEFT_FREE
  const most = Math.floor(Math.min(free, vertices / LEAST_VERTICES) / workers)
  return Math.max(1, Math.min(MOST_THREADS, most))
}

/** Vertices that stay together. */
const BLOCK = 64

/** Consecutive vertices for each thread, of about equal work; one without a list has heads all the same. */
function shareVertices({ tailOffsets, own }: LevelLists, threads: number): LevelLists['own'][] {
  if (threads === 1) return [own]
  const blocks = Math.ceil(own.count / BLOCK)
  const endOf = (block: number): number => own.first + Math.min(own.count, BLOCK * block)
  const workOf = new Float64Array(blocks)
  let all = 0
  for (let block = 0; block < blocks; block++) {
    let work = 0
    for (let v = endOf(block); v < endOf(block + 1); v++)
      work += 1 + listWork((tailOffsets[v + 1]! - tailOffsets[v]!) >>> 0)
    workOf[block] = work
    all += work
  }
  const shares: LevelLists['own'][] = []
  for (let [block, work] = [0, 0]; shares.length < threads;) {
    const first = endOf(block)
    const until = (all * (shares.length + 1)) / threads
    while (block < blocks && work < until) work += workOf[block++]!
    const isLast = shares.length === threads - 1
    shares.push({ first, count: endOf(isLast ? blocks : block) - first })
  }
  return shares
}

/**
 * Goes on in as many threads as the board has for a worker, this one among them.
 * @param worker of so many that the board is for
 * @param lead whatever comes before, while the others start; entries that it looked at in each round
 */
export async function pointInThreads(
  share: Omit<HostShare, 'member' | 'arcs' | 'room'>,
  worker: number,
  job: JobContext,
  lead: () => Promise<readonly number[]>,
): Promise<{ readonly led: ShareReport; readonly others: readonly HostReport[] }> {
  const { board, lists, heads, trace } = share
  const { threads, meeting } = board
  const [mine, ...rest] = shareVertices(lists, threads)
  const { path, header } = lists.view
  const readers = headsReaders(meeting.members / threads)
  const tasks = rest.map((own, i): HostTask => ({
    kind: 'host',
    device: 'host',
    shared: { control: meeting.control, workers: meeting.members },
    member: worker * threads + i + 1,
    viewPath: path,
    graph: header.graph,
    order: header.order,
    tailOffsets: lists.tailOffsets,
    own,
    heads,
    readsHeads: i < readers,
    board,
    resumes: share.resumes,
    traced: trace.isOn,
  }))
  const ownShare = { ...share, member: worker * threads, lists: { ...lists, own: mine! } }
  try {
    const { led, reports } = await withFollowers(tasks, async () => {
      const room = new OpenRoom(mine!.count)
      const arcs = await lead()
      return pointFromDisk({ ...ownShare, room, arcs }, job)
    })
    for (const { spans } of reports) trace.add(spans)
    return { led, others: reports }
  } catch (error) {
    // Other workers' threads are told as well.
    stopWaiting(meeting.control)
    throw error
  }
}

/** One thread's share. Whatever goes wrong, the others are told to stop waiting for it. */
export async function followHost(task: HostTask): Promise<PartReply> {
  const { shared, board, own, tailOffsets } = task
  try {
    const view = ViewFile.openIfValid(task.viewPath, task.graph, task.order, 'weight-levels')
    if (isFaultDue('part-thread')) {
      throwOutside()
      // A small part would be done before the thread is.
      await new Promise(() => {})
    }
    if (view === undefined) throw inputFailure(task.viewPath, 'the view is gone', 'Run it again; it is built anew.')
    try {
      const trace = new Trace(task.traced)
      const barrier = new SharedBarrier(shared.control, shared.workers)
      const { member, heads, resumes } = task
      if (task.readsHeads) await readHeads(new HeadsQueue(heads, view, barrier, trace))
      // While the devices have their rounds.
      touchPages(board, own)
      const room = new OpenRoom(own.count)
      const share = { board, member, barrier, lists: { view, tailOffsets, own }, room, heads, resumes, arcs: [], trace }
      const report = await pointFromDisk(share, followingJob(shared.control))
      return { type: 'done', report: { ...report, bytesRead: view.bytesRead, spans: trace.spans } }
    } finally {
      view.close()
    }
  } catch (error) {
    stopWaiting(shared.control)
    return { type: 'failed', ...settleFailure(error) }
  }
}

async function readHeads(queue: HeadsQueue): Promise<void> {
  await queue.help()
  queue.release()
  keepCodeOf('heads', [queue])
}
