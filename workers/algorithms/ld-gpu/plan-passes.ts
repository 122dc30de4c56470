import { keptWords } from '../../../kernels/matching/match-state.ts'
import { processorsHere } from '../../base/host-resources.ts'
import type { DeviceFacts } from '../../contract/jobs.ts'
import {
  CANDIDATES,
  type HostPlan,
  LEAST_PIECES,
  LONGER,
  MOST_THREADS,
  type MatchSize,
  type MatchWishes,
  type MatchWorker,
  batchBytes,
  largestOn,
  listsBytes,
  longLists,
  mostPieces,
  tailPieces,
} from './match-plan.ts'

/** Another thread takes longer to start than these take to index. */
const VERTICES_A_THREAD = 1 << 20

/**
 * GPUs stream lists, and the first holds the state of all vertices and what is collected. All plan alike, whichever leads.
 * @returns undefined where the least of them has not the room
 */
export function planPasses(
  size: MatchSize,
  wishes: MatchWishes,
  devices: readonly DeviceFacts[],
  budgets: readonly number[],
): HostPlan | undefined {
  const { vertices, arcs } = size
  if (arcs === 0 || devices.some(({ kind }) => kind !== 'gpu')) return undefined
  const candidates = wishes.candidates ?? CANDIDATES
  const tightest = Math.min(...budgets)
  const largest = Math.min(...devices.map(largestOn))
  // Long lists of a batch, or of what is collected, are listed.
  const state = 4 * (2 * vertices + (keptWords(candidates) + 4) * vertices + 2 * Math.ceil(vertices / 32))
  const fixed = (pieces: number): number =>
    state + batchBytes(size, pieces) + 4 * longLists(vertices, (pieces + tailPieces(pieces)) << 18)
  let batchPieces = mostPieces(size, devices.length)
  const least = 4 * vertices
  while (batchPieces > LEAST_PIECES && fixed(batchPieces) + least > tightest) batchPieces--
  const free = Math.min(tightest - fixed(batchPieces), largest, 2 * listsBytes(size))
  const roomBytes = 4 * Math.floor(free / 4 / (1 + 1 / LONGER))
  const fits =
    roomBytes >= Math.min(least, listsBytes(size)) && Math.max(keptWords(candidates), 2) * 4 * vertices <= largest
  if (!fits) return undefined
  const deviceBytes = fixed(batchPieces) + roomBytes + Math.ceil(roomBytes / LONGER)
  const workers = devices.map(({ id }, worker): MatchWorker => {
    return {
      device: id,
      gpu: worker === 0 ? 'rounds' : 'scan',
      batchPieces,
      deviceBytes,
      budgetBytes: budgets[worker]!,
    }
  })
  const threads = Math.max(1, Math.min(MOST_THREADS, processorsHere(), Math.ceil(vertices / VERTICES_A_THREAD)))
  const others = devices.length - 1
  const rows = others > 0 ? 4 * keptWords(candidates) * vertices + others * roomBytes : 0
  return { candidates, keepsLists: false, threads, roomBytes, workers, hostBytes: 8 * vertices + rows }
}
