import { matchFirst } from '../../../../kernels/match-first.ts'
import { matchMates } from '../../../../kernels/match-mates.ts'
import { matchSecond } from '../../../../kernels/match-second.ts'
import { matchTake } from '../../../../kernels/match-take.ts'
import { matchTakeBits } from '../../../../kernels/match-take-bits.ts'
import { readWords } from '../../../device/read-words.ts'
import { Matching } from '../../../graph/matching.ts'
import type { JobContext } from '../../../job.ts'
import { throwIfCancelled } from '../../../job.ts'
import type { DiskEntries } from '../entries.ts'
import { pointInThreads } from './host-threads.ts'
import type { MatchPart, MatchRounds } from '../part.ts'
import type { Residence } from '../plan-match.ts'
import { RoundQueue } from '../round-queue.ts'
import { allocateWorkspace, layOut, releaseWorkspace } from '../workspace.ts'

/** Of the vertices so many look at an entry in a round that is worth a round of the devices. */
const MOVING_SHARE = 1 / 2048

type KernelTimes = Pick<MatchRounds, 'kernelMs' | 'pointMs' | 'mateMs'>

/**
 * LD-GPU (Mandulak et al., SC 2024) over a view in levels, of which the devices hold the heads or nothing. They do the first round while
 * heads come to them, and where these stay further rounds as far as they lead. Threads of the hosts then go on with the vertices
 * that are open, as far as what is known of their lists leads: who comes to the end waits, and the others do not wait for him. When nobody
 * moves any more, the next level of the lists is read, in the order of the file, and so on. So nothing is read twice, however many rounds
 * there are.
 *
 * The matching is that of the rounds, as a pair is made only when each is the first free vertex in the other's list. The rounds of the
 * paper follow from it: a pair is made in the round after the last one in which a vertex before either of them in the other's list was
 * matched. See docs/decisions/0016-tails-in-levels.md.
 * @param finish takes the matching at the end; one of several workers is enough
 */
export async function matchFromDisk(
  part: MatchPart,
  entries: DiskEntries,
  job: JobContext,
  finish?: (matching: Matching) => void,
): Promise<MatchRounds> {
  const { device, exchange, start, host, trace, keeper } = part
  if (host === undefined) throw new Error('lists that are read from disk need a board')
  const resumes = start !== undefined
  const goesOn = !resumes && entries.residence === 'heads'
  await device.prepare(
    goesOn ? [matchFirst, matchMates, matchSecond, matchTake, matchTakeBits] : [matchFirst, matchMates],
  )
  await entries.bring(goesOn ? part.batches : [])
  let times: KernelTimes = { kernelMs: 0, pointMs: 0, mateMs: 0 }
  let [readMs, startMs, hostStartMs] = [0, 0, 0]
  const { board, barrier, worker } = host
  const { lists, shared: heads } = entries
  const share = { board, barrier, lists, heads, resumes, trace, keeper }
  const { led, others } = await pointInThreads(share, worker, job, async () => {
    await exchange?.start()
    readMs = entries.readMs
    await device.takeKernelMs()
    startMs = performance.now()
    entries.begin(barrier)
    let arcs = start?.arcs ?? []
    if (start === undefined) ({ times, arcs } = await roundsOnDevice(part, entries.residence, job))
    else for (const batch of part.batches) for await (const _part of entries.heads(batch)) continue
    hostStartMs = performance.now()
    return arcs
  })
  const endMs = performance.now()
  entries.noteTails(led, others)
  const all = [led, ...others]
  exchange?.noteMoves(led.open.map((_, round) => all.reduce((sum, { moves }) => sum + (moves[round] ?? 0), 0)))
  finish?.(new Matching(board.pointers.slice()))
  const computeMs = endMs - startMs - (entries.readMs - readMs)
  const looked = led.open.map((_, round) => all.reduce((sum, { arcs }) => sum + (arcs[round] ?? 0), 0))
  return { ...times, hostMs: endMs - hostStartMs, computeMs, rounds: led.open.length, open: led.open, arcs: looked }
}

/**
 * The devices do the first round, and where they have the heads go on in rounds of the paper as far as these lead; what they know then goes
 * where all threads see it.
 */
async function roundsOnDevice(
  part: MatchPart,
  residence: Residence,
  job: JobContext,
): Promise<{ readonly times: KernelTimes; readonly arcs: readonly number[] }> {
  const { device, batches, vertices, exchange, host } = part
  const layout = layOut(vertices, batches, residence)
  const space = await allocateWorkspace(device, layout)
  const queue = new RoundQueue(part, layout, space, job.signal)
  await queue.first()
  if (residence === 'heads') await roundsOverHeads(queue, vertices, job)
  const times = await queue.times()
  // All devices have the same bits; the pointers of several workers are on the board since they exchanged them in the first round.
  const { matched, pointers, stamps } = host!.board
  const isLeading = exchange === undefined || exchange.isLeading
  const ownWords = (all: Uint32Array): Uint32Array => all.subarray(layout.first, layout.first + layout.count)
  if (residence === 'heads') {
    // Who is slow still takes what others gave in the last round, where these are put together.
    await exchange?.start()
    await readWords(device, space.pointers, layout.first, ownWords(pointers))
    await readWords(device, space.cursors, 0, ownWords(stamps))
  } else if (exchange === undefined) await readWords(device, space.pointers, 0, pointers)
  if (isLeading) await readWords(device, space.matched, 0, matched)
  releaseWorkspace(device, space)
  return { times, arcs: queue.arcs }
}

/** Rounds in which many still move, of all workers alike; the others are quicker on the hosts, where nobody waits for anybody. */
async function roundsOverHeads(queue: RoundQueue, vertices: number, job: JobContext): Promise<void> {
  for (let looks = Infinity; !queue.isOver && looks > MOVING_SHARE * vertices; looks = queue.allArcs.at(-1) ?? 0) {
    throwIfCancelled(job.signal)
    await queue.single(false)
  }
}
