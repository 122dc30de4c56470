import { matchFirst } from '../../../kernels/match-first.ts'
import { matchMates } from '../../../kernels/match-mates.ts'
import type { JobContext } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import type { PassingEntries } from './entries.ts'
import type { HostState } from './host-state.ts'
import { markMatched, matchedFirst, openInRounds, stampFirstRound } from './host-state.ts'
import { LevelTails } from './level-tails.ts'
import { OpenLists } from './open-lists.ts'
import type { MatchPart, MatchRounds } from './part.ts'
import { RoundQueue } from './round-queue.ts'
import { allocateWorkspace, bitWords, layOut, releaseWorkspace } from './workspace.ts'

type KernelTimes = Pick<MatchRounds, 'kernelMs' | 'pointMs' | 'mateMs'>

/**
 * LD-GPU (Mandulak et al., SC 2024) over a view in levels, of which the devices hold nothing. They do the first round while the first
 * entries pass through them. The hosts then go on with the vertices that it left open, as far as what is known of their lists leads: who
 * comes to the end waits, and the others do not wait for him. When nobody moves any more, the next level of the lists is read, in the order
 * of the file, and so on. So nothing is read twice, however many rounds there are.
 *
 * The matching is that of the rounds, as a pair is made only when each is the first free vertex in the other's list. The rounds of the
 * paper follow from it: a pair is made in the round after the last one in which a vertex before either of them in the other's list was
 * matched. See docs/decisions/0016-tails-in-levels.md.
 * @param finish takes the pointers of all vertices at the end; one of several workers is enough
 */
export async function matchFromDisk(
  part: MatchPart,
  entries: PassingEntries,
  job: JobContext,
  finish?: (pointers: Uint32Array) => void,
): Promise<MatchRounds> {
  const { device, exchange, start } = part
  await device.prepare([matchFirst, matchMates])
  await entries.bring()
  await exchange?.start()
  const readMs = entries.readMs
  await device.takeKernelMs()
  const startMs = performance.now()
  const { state, times, arcs } = start === undefined ? await firstRound(part, job) : await goOnFrom(part, start)
  const hostStartMs = performance.now()
  const looked = await readAndPoint(part, entries, state, arcs, job)
  const open = openInRounds(state)
  // Others may still look at what is shared.
  finish?.(exchange === undefined ? state.pointers : state.pointers.slice())
  const endMs = performance.now()
  const computeMs = endMs - startMs - (entries.readMs - readMs)
  const ofRounds = open.map((_, round) => looked[round] ?? 0)
  return { ...times, hostMs: endMs - hostStartMs, computeMs, rounds: open.length, open, arcs: ofRounds }
}

/** What a worker has when it begins to read tails. */
interface Begun {
  readonly state: HostState
  readonly times: KernelTimes
  /** Entries looked at so far, by round. */
  readonly arcs: readonly number[]
}

/** The devices do the first round; what they know then goes where all workers see it. */
async function firstRound(part: MatchPart, job: JobContext): Promise<Begun> {
  const { device, batches, vertices, exchange } = part
  const layout = layOut(vertices, batches, false)
  const space = await allocateWorkspace(device, layout)
  const queue = new RoundQueue(part, layout, space, job.signal)
  await queue.first()
  const times = await queue.times()
  const words = bitWords(vertices)
  const matched = words === 0 ? new Uint32Array(0) : await device.read(space.matched, 0, words)
  const alone = async (): Promise<HostState> => {
    const pointers = new Uint32Array(vertices)
    if (vertices > 0) await device.read(space.pointers, 0, vertices, pointers)
    return { pointers, stamps: new Uint32Array(vertices), matched }
  }
  const state = exchange?.board ?? (await alone())
  releaseWorkspace(device, space)
  // All devices have the same bits.
  if (exchange?.isLeading === true) state.matched.set(matched)
  await exchange?.start()
  stampFirstRound(state, layout)
  await exchange?.start()
  return { state, times, arcs: queue.arcs }
}

/** What another attempt knew; of the heads, the hosts want the second entries again. */
async function goOnFrom(
  { entries, batches, vertices, exchange }: MatchPart,
  { pointers, stamps, arcs }: NonNullable<MatchPart['start']>,
): Promise<Begun> {
  const matched = new Uint32Array(bitWords(vertices))
  if (exchange === undefined) markMatched(pointers, matched)
  for (const batch of batches) for await (const _part of entries.heads(batch)) continue
  const state = exchange?.board ?? { pointers, stamps: stamps!, matched }
  return { state, times: { kernelMs: 0, pointMs: 0, mateMs: 0 }, arcs }
}

/** @returns entries that were looked at, by round */
async function readAndPoint(
  part: MatchPart,
  entries: PassingEntries,
  state: HostState,
  arcs: readonly number[],
  job: JobContext,
): Promise<readonly number[]> {
  const { exchange, vertices, trace, start } = part
  const { lists, seconds } = entries.takeLists()
  const tails = new LevelTails(lists, matchedFirst(state), trace, job.signal)
  entries.tails = tails
  try {
    const open = new OpenLists(
      state,
      { own: lists.own, seconds, cursors: start?.cursors, arcs },
      tails,
      lists.view.path,
    )
    // Whoever looked at the state before it is changed.
    await exchange?.start()
    for (;;) {
      await settle(part, open, job)
      const level = open.awaited
      const waiting = level === undefined ? 0 : 1
      if ((exchange === undefined ? waiting : await exchange.sum(waiting)) === 0) return open.arcs
      await keepOpen(part, open, state)
      if (level !== undefined)
        await trace.span('kernel', `read level ${level} of the lists`, () => open.readLevel(level))
      const done = vertices - open.count
      const looked = open.arcs.reduce((sum, each) => sum + each, 0)
      const round = open.arcs.length
      job.progress({ phase: 'match', done, total: vertices, unit: 'vertices', round, decided: done, arcs: looked })
    }
  } finally {
    await tails.release()
  }
}

/** Pointing and matching phases, until no pointer of anybody moves. */
async function settle({ exchange, trace }: MatchPart, open: OpenLists, job: JobContext): Promise<void> {
  for (;;) {
    throwIfCancelled(job.signal)
    const changes = trace.span('kernel', 'point on the host', () => open.point())
    exchange?.noteChanges(changes)
    if ((exchange === undefined ? changes : await exchange.sum(changes)) === 0) return
    open.findPairs()
    await exchange?.start()
    open.markPairs()
    await exchange?.start()
  }
}

/** Hands the state to the keeper where it is time; all workers call it between the same levels. */
async function keepOpen({ exchange, keeper, vertices }: MatchPart, open: OpenLists, state: HostState): Promise<void> {
  const isDue = keeper?.isDue() === true
  if (exchange === undefined) {
    if (!isDue) return
    const cursors = new Uint32Array(vertices)
    open.copyCursors(cursors)
    return keeper.keep({ ...state, cursors, open: [], arcs: open.arcs })
  }
  if ((await exchange.sum(isDue ? 1 : 0)) === 0) return
  const { cursors } = exchange.board
  open.copyCursors(exchange.own(cursors))
  const arcs = await exchange.sums(open.arcs)
  if (isDue) keeper.keep({ ...state, cursors, open: [], arcs })
  await exchange.start()
}
