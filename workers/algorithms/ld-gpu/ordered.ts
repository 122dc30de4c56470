import { matchFirst } from '../../../kernels/match-first.ts'
import { matchMates } from '../../../kernels/match-mates.ts'
import { matchPoint } from '../../../kernels/match-point.ts'
import { matchTake } from '../../../kernels/match-take.ts'
import { matchTakeBits } from '../../../kernels/match-take-bits.ts'
import { matchWalk } from '../../../kernels/match-walk.ts'
import { Matching } from '../../graph/matching.ts'
import type { JobContext } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import { matchFromDisk } from './from-disk/match-from-disk.ts'
import { keepState } from './match-state.ts'
import type { MatchPart, MatchRounds } from './part.ts'
import { RoundQueue } from './round-queue.ts'
import { MOST_QUEUED, allocateWorkspace, layOut, releaseWorkspace } from './workspace.ts'

/** Rounds that are queued at first before the host looks; then twice as many, and so on. */
const FIRST_QUEUED = 8

/**
 * LD-GPU (Mandulak et al., SC 2024, Algorithms 1 and 2) over the weight-ordered view. A round is a pointing phase, in which every
 * open vertex whose pointer was matched to somebody else goes on in its list, an exchange of the pointers that are new, and a matching
 * phase, in which every worker matches those that point at each other. The rounds are those of the paper, whatever the devices and batches:
 * nobody is matched while anybody points. The cursor of a vertex only moves forward, so an arc is looked at about once in the whole run.
 * @param finish takes the matching at the end; one of several workers is enough
 */
export async function matchOrdered(
  part: MatchPart,
  job: JobContext,
  finish?: (matching: Matching) => void,
): Promise<MatchRounds> {
  const { device, entries, batches, vertices, exchange, start, keeper } = part
  if (!entries.isWhole) return matchFromDisk(part, entries, job, finish)
  await device.prepare([matchFirst, matchPoint, matchWalk, matchMates, matchTake, matchTakeBits])
  const layout = layOut(vertices, batches, 'whole')
  const space = await allocateWorkspace(device, layout)
  const result = finish === undefined ? undefined : new Uint32Array(vertices)
  // Memory that is touched and pinned for the first time costs many times the copy: the read at the end finds both done.
  if (result !== undefined) await device.read(space.pointers, 0, vertices, result)
  await entries.bring(batches)
  const rounds = new RoundQueue(part, layout, space, job.signal)
  // Before anybody gives anything away, as the state lies where that goes.
  if (start !== undefined) await rounds.goOn()
  await exchange?.start()
  const readMs = entries.readMs
  await device.takeKernelMs()
  const startMs = performance.now()
  if (start === undefined) await rounds.first()
  // A round at a time where the other workers have a part in it.
  const single = exchange !== undefined || part.timed
  for (let queued = single ? 1 : FIRST_QUEUED; !rounds.isOver; queued = Math.min(2 * queued, MOST_QUEUED)) {
    if (job.signal.aborted) await rounds.lookAt()
    throwIfCancelled(job.signal)
    const isDue = keeper?.isDue() === true
    const ahead = isDue || queued < MOST_QUEUED ? 0 : 1
    const keeps = single ? await rounds.single(isDue) : await rounds.queue(queued, ahead).then(() => isDue)
    if (keeps && !rounds.isOver) await keepState(part, layout, space, rounds, result)
    const open = rounds.open.at(-1) ?? 0
    const [round, done] = [rounds.open.length, vertices - open]
    job.progress({
      phase: 'match',
      done,
      total: vertices,
      unit: 'vertices',
      round,
      decided: done,
      arcs: rounds.arcsLooked,
    })
  }
  await rounds.lookAt()
  if (result !== undefined) await device.read(space.pointers, 0, vertices, result)
  const computeMs = performance.now() - startMs - (entries.readMs - readMs)
  if (result !== undefined) finish?.(Matching.ofPointers(result))
  const times = await rounds.times()
  releaseWorkspace(device, space)
  return { ...times, hostMs: 0, computeMs, rounds: rounds.open.length, open: rounds.open, arcs: rounds.arcs }
}
