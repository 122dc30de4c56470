/**
 * The plan of a matching, from the sizes of the graph and the facts of the devices alone: a GPU that holds everything; else a GPU with the state
 * of all vertices, through which lists are streamed; else processors that do the rounds, with GPUs that scan beside them. What the limit leaves
 * becomes batches, candidates and room for collected lists; without room for the state of the vertices it refuses. match-setup.ts allocates by
 * the same sizes.
 */

import { keptWords } from '../../../kernels/matching/match-state.ts'
import { Failure } from '../../base/failure.ts'
import { processorsHere } from '../../base/host-resources.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import type { DeviceFacts } from '../../contract/jobs.ts'
import { cpuFacts } from '../../device/cpu-device.ts'
import { bytesOfBuffers, limitsOf } from '../../device/device.ts'
import { DeviceStream } from '../../streaming/device-stream.ts'
import { grLayout } from '../../graph/graph-file.ts'
import {
  BATCH_BUFFERS,
  BATCH_PIECES,
  CANDIDATES,
  LONGER,
  type MatchPlan,
  type MatchWorker,
  longLists,
  matchMemoryBytes,
  batchWordsOf,
  launchSpace,
  roundsSpace,
  weightWordsOf,
} from './match-setup.ts'
import { budgetsOf, shortOfMemory, unitsOfFile } from '../plan-request.ts'

export interface MatchSize {
  readonly vertices: number
  readonly arcs: number
  /** Whether weights of the file are compared. */
  readonly readsWeights: boolean
  readonly isPacked?: boolean | undefined
  /** Values stand behind the weights, and are read where they share a piece. */
  readonly values?: { readonly fileBytes: number } | undefined
  /** Vertices of the whole graph, whose ends a GPU has room for, where this is a slice. */
  readonly wholeVertices?: number
}

export interface MatchWishes {
  readonly batches?: number | undefined
  readonly memoryBytes?: number | undefined
  /** Lists are streamed whatever there is room for. */
  readonly streams?: boolean | undefined
}

const MOST_THREADS = 64
/** Pieces of a batch of a GPU that streams, at least; and batches, where the budget allows. */
const LEAST_PIECES = 4
const BATCHES_OF_A_WORKER = 8
/** Words of lists that stay in the host's memory. */
const MOST_PLACES = 2 ** 32 - PIECE_BYTES

const largestOn = (facts: DeviceFacts): number => limitsOf(facts).maxBufferBytes

export const listsBytes = ({ arcs, readsWeights }: MatchSize): number => (readsWeights ? 8 : 4) * arcs

const fileBytes = ({ vertices, arcs, readsWeights, values }: MatchSize): number =>
  (readsWeights ? values?.fileBytes : undefined) ?? grLayout(vertices, arcs, readsWeights).fileBytes

/** Pieces of a batch: few, so that no worker waits long for the last one of another. */
function mostPieces(size: MatchSize, workers: number): number {
  const shared = Math.ceil(fileBytes(size) / PIECE_BYTES / (BATCHES_OF_A_WORKER * workers))
  return Math.max(LEAST_PIECES, Math.min(BATCH_PIECES, shared))
}

/** Bytes of batches on their way and their weights, and of checksums. @param tail pieces of the rest of the last list */
function batchBytes(size: MatchSize, pieces: number, tail?: number): number {
  const batchWords = batchWordsOf(fileBytes(size), pieces, tail)
  const weights = size.readsWeights && tail === undefined ? { weights: weightWordsOf(batchWords) } : {}
  const stream = DeviceStream.space({ buffers: BATCH_BUFFERS, batchWords, packedWords: 0 }, fileBytes(size))
  return bytesOfBuffers({ ...stream, ...weights })
}

/** What packed blocks take on their way. @param roomBytes for them */
const blocksIn = (roomBytes: number, size: MatchSize) =>
  DeviceStream.roomForBlocks(roomBytes, size.isPacked, fileBytes(size))

/** Bytes of the state on the device that does the rounds. @param words in which long lists are looked for */
const roundsBytes = (vertices: number, words: number, collects: boolean): number =>
  bytesOfBuffers(roundsSpace(vertices, CANDIDATES, longLists(vertices, words), collects))

/** Another thread takes longer to start than these take to scan, or to index. */
const ARCS_A_THREAD = 1 << 18
const VERTICES_A_THREAD = 1 << 20

/** The plan of a matching in one process. @param devices of each worker @throws Failure (usage): not even the state of the vertices fits */
export const planMatch = (size: MatchSize, wishes: MatchWishes, devices: readonly DeviceFacts[]): MatchPlan =>
  planResident(size, wishes, devices) ??
  // The first GPU of a slice has not the vertices of others.
  (size.wholeVertices === undefined ? planPasses(size, wishes, devices) : undefined) ??
  planProcessors(size, wishes, devices)

/** The plan of a rank that points and matches within its slice. */
export function planSlice(
  { vertices, arcs, readsWeights }: MatchSize,
  ranks: number,
  wishes: MatchWishes,
  devices: readonly DeviceFacts[],
): MatchPlan {
  const share = (count: number): number => Math.ceil(count / ranks)
  const slice = { vertices: share(vertices), arcs: share(arcs), wholeVertices: vertices, readsWeights }
  return planMatch(slice, { ...wishes, streams: true }, devices)
}

/**
 * The first device alone where it holds everything: each round between several costs more than it saves (LD-GPU, SC 2024, Figure 5).
 * Processors share one memory, and all compute.
 */
export function usefulDevices(
  size: MatchSize,
  wishes: MatchWishes & { readonly partitions?: number | undefined },
  devices: readonly DeviceFacts[],
): readonly DeviceFacts[] {
  const [lead, ...others] = devices
  if (wishes.partitions !== undefined || others.length === 0 || devices.every(({ kind }) => kind === 'cpu'))
    return devices
  try {
    return planMatch(size, wishes, [lead!]).keepsLists ? [lead!] : devices
  } catch (error) {
    if (error instanceof Failure) return devices
    throw error
  }
}

/** The plan of processors that resume what a GPU began. */
export function planOnHost(size: MatchSize, ranks: number): MatchPlan {
  const devices = [cpuFacts('cpu:0')]
  return ranks === 1 ? planMatch(size, {}, devices) : planSlice(size, ranks, {}, devices)
}

/** A GPU alone that holds everything; undefined where it has not the room. */
function planResident(
  size: MatchSize,
  wishes: MatchWishes,
  [lead, ...others]: readonly DeviceFacts[],
): MatchPlan | undefined {
  if (wishes.streams === true || others.length > 0 || lead!.kind !== 'gpu') return undefined
  const { vertices, arcs } = size
  const [budgetBytes] = budgetsOf([lead!], wishes.memoryBytes)
  const state = roundsBytes(vertices, arcs, false)
  // Lists begin and end within a piece, and so do their weights.
  const cut = (size.readsWeights ? 4 : 2) * PIECE_BYTES
  const deviceBytes = state + listsBytes(size) + cut + batchBytes(size, BATCH_PIECES, 0)
  if (deviceBytes > budgetBytes! || 4 * keptWords(CANDIDATES) * vertices > largestOn(lead!)) return undefined
  const { packedWords, packedBytes } = blocksIn(budgetBytes! - deviceBytes, size)
  return {
    ...unitsOfFile(size, wishes.batches),
    candidates: CANDIDATES,
    keepsLists: true,
    threads: 1,
    roomBytes: 0,
    workers: [{ device: lead!.id, gpu: 'rounds', packedWords, deviceBytes: deviceBytes + packedBytes }],
    hostBytes: 8 * vertices,
  }
}

/**
 * GPUs stream lists, and the first, of all ranks, holds the state of all vertices and what is collected. All plan alike, whichever leads.
 * Others publish candidates and lists in the host's memory; of several ranks one that does not lead has such GPUs alone.
 * @returns undefined where the least of them has not the room, or there are processors
 */
export function planPasses(
  size: MatchSize,
  wishes: MatchWishes,
  devices: readonly DeviceFacts[],
  ranks = 1,
): MatchPlan | undefined {
  const { vertices, arcs } = size
  if (arcs === 0 || devices.some(({ kind }) => kind !== 'gpu')) return undefined
  const tightest = Math.min(...budgetsOf(devices, wishes.memoryBytes))
  const largest = Math.min(...devices.map(largestOn))
  // Long lists of a batch, or of what is collected, are listed.
  const bytesOf = (pieces: number, roomWords: number): number =>
    roundsBytes(vertices, Math.max(batchWordsOf(fileBytes(size), pieces), roomWords), true) + batchBytes(size, pieces)
  const fixed = (pieces: number): number => bytesOf(pieces, 0)
  let batchPieces = mostPieces(size, devices.length)
  const least = 4 * vertices
  while (batchPieces > LEAST_PIECES && fixed(batchPieces) + least > tightest) batchPieces--
  const { packedWords, packedBytes } = blocksIn(
    DeviceStream.BLOCK_SHARE * (tightest - fixed(batchPieces) - least),
    size,
  )
  const free = Math.min(tightest - fixed(batchPieces) - packedBytes, largest, 2 * listsBytes(size))
  const roomBytes = 4 * Math.floor(free / 4 / (1 + 1 / LONGER))
  const fits =
    roomBytes >= Math.min(least, listsBytes(size)) && Math.max(keptWords(CANDIDATES), 2) * 4 * vertices <= largest
  if (!fits) return undefined
  const deviceBytes = bytesOf(batchPieces, roomBytes / 4) + packedBytes + roomBytes
  const workers = devices.map(({ id: device }, worker) => {
    return { device, gpu: worker === 0 ? 'rounds' : 'scan', batchPieces, packedWords, deviceBytes } as const
  })
  const threads = Math.max(1, Math.min(MOST_THREADS, processorsHere(), Math.ceil(vertices / VERTICES_A_THREAD)))
  const others = ranks === 1 ? devices.length - 1 : devices.length
  // A slice has so many vertices where all of them have no arcs.
  const scanned = Math.min(vertices, Math.ceil((vertices + arcs / keptWords(CANDIDATES)) / ranks))
  const rows = others > 0 ? 4 * keptWords(CANDIDATES) * scanned + others * roomBytes : 0
  return {
    ...unitsOfFile(size, wishes.batches),
    candidates: CANDIDATES,
    keepsLists: false,
    threads,
    roomBytes,
    workers,
    hostBytes: 8 * vertices + rows,
  }
}

/** A piece, and its weights in two others. */
const threadBytes = (size: MatchSize): number => Math.min(fileBytes(size), (size.readsWeights ? 3 : 1) * PIECE_BYTES)

/** Processors do the rounds, and GPUs scan lists beside them. */
function planProcessors(size: MatchSize, wishes: MatchWishes, devices: readonly DeviceFacts[]): MatchPlan {
  const { vertices, arcs } = size
  const budgets = budgetsOf(devices, wishes.memoryBytes)
  const isHost = ({ kind }: DeviceFacts): boolean => kind === 'cpu'
  const hosts = devices.filter(isHost)
  const given = budgets.filter((_, worker) => isHost(devices[worker]!)).reduce((sum, each) => sum + each, 0)
  const budget = hosts.length === 0 ? budgetsOf([cpuFacts('cpu:0')], undefined)[0]! : given
  const most = Math.min(MOST_THREADS, processorsHere(), Math.ceil(arcs / ARCS_A_THREAD))
  let threads = Math.max(1, hosts.length, most)
  let candidates = CANDIDATES
  const fixed = (): number => matchMemoryBytes(vertices, candidates) + threads * threadBytes(size)
  const waitingBytes = vertices / 4
  while (threads > 1 && fixed() > budget) threads--
  while (candidates > 1 && fixed() > budget) candidates--
  if (fixed() > budget) throw tooSmall(hosts[0]?.id, vertices, fixed(), budget)
  // GPUs cannot read lists in the host's memory, and places there are words of 32 bits.
  const mayKeep = wishes.streams !== true && hosts.length === devices.length && listsBytes(size) < 4 * MOST_PLACES
  const keepsLists = mayKeep && fixed() + listsBytes(size) + 2 * PIECE_BYTES <= budget
  const hostBytes = fixed() + (keepsLists ? listsBytes(size) : 0)
  const roomBytes = keepsLists ? 0 : Math.max(0, Math.min(budget - fixed() - waitingBytes, 2 * listsBytes(size)))
  const tightest = Math.min(...budgets.filter((_, worker) => !isHost(devices[worker]!)))
  let batchPieces = mostPieces(size, devices.length)
  while (batchPieces > LEAST_PIECES && scanBytes(size, candidates, batchPieces) > tightest) batchPieces--
  const workers = devices.map((facts, worker): MatchWorker => {
    const budgetBytes = budgets[worker]!
    if (isHost(facts)) {
      const deviceBytes = Math.min(budgetBytes, Math.ceil((hostBytes + roomBytes) / hosts.length))
      return { device: facts.id, gpu: undefined, deviceBytes }
    }
    const deviceBytes = scanBytes(size, candidates, batchPieces)
    if (deviceBytes > budgetBytes || 4 * (size.wholeVertices ?? vertices) > largestOn(facts))
      throw tooSmall(facts.id, vertices, deviceBytes, budgetBytes)
    const { packedWords, packedBytes } = blocksIn(budgetBytes - deviceBytes, size)
    return { device: facts.id, gpu: 'scan', batchPieces, packedWords, deviceBytes: deviceBytes + packedBytes }
  })
  return {
    ...unitsOfFile(size, wishes.batches),
    candidates,
    keepsLists,
    threads,
    roomBytes,
    workers,
    hostBytes: hosts.length === 0 ? hostBytes : 8 * vertices,
  }
}

/** Bytes on a GPU that streams lists beside processors. */
function scanBytes(size: MatchSize, candidates: number, pieces: number): number {
  const { vertices, wholeVertices } = size
  const words = launchSpace(vertices, candidates, batchWordsOf(fileBytes(size), pieces), wholeVertices)
  return bytesOfBuffers(words) + batchBytes(size, pieces)
}

const tooSmall = (device: string | undefined, vertices: number, needed: number, budget: number): Failure =>
  shortOfMemory(device, `the state of ${vertices} vertices takes`, needed, budget)
