/**
 * Job `plan`: what a run would take, on named devices or on those that `auto` chooses, of a dataset or of a file that is not imported yet
 * (sampled by import/estimate.ts), alone or across ranks over a network. `auto` prefers one GPU that holds all, else every GPU of use, by what
 * was measured (docs/results.md). algorithms/plan.ts has the plan of one run, which the run asks again.
 */

import { tmpdir, totalmem } from 'node:os'
import { keptWords } from '../../kernels/matching/match-state.ts'
import { join } from 'node:path'
import { freeDiskBytes, preparingBytes } from '../base/host-resources.ts'
import { cpuFacts } from '../device/cpu-device.ts'
import { listDevices, refuseGpu } from '../device/open-device.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import {
  isForProcessor,
  type DeviceFacts,
  type DevicesOutcome,
  type PlanArgs,
  type PlanLane,
  type ResourcePlan,
} from '../contract/jobs.ts'
import type { Algorithm } from '../algorithms/algorithm.ts'
import { sizeInWords, attempt, type GraphSize, sizeOfGraph, sizeOfRank, withGraph } from '../algorithms/plan-request.ts'
import { planInDetail, requireAcross, requireOptions } from '../algorithms/plan.ts'
import { CANDIDATES } from '../algorithms/ld-gpu/match-setup.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import { loadAlgorithm } from '../algorithms/registry.ts'
import { withContained } from '../import/containers/import-file.ts'
import { sampleGraphFile, type FileEstimate, importStep, requireRoomForImport } from '../import/estimate.ts'
import { countedFile } from '../import/preview/preview-file.ts'
import { knownFile } from '../import/reading/known-file.ts'

/** Bytes of a vertex that every rank has: a state, and what orders vertices of one code. */
const keysOf = ({ priority }: PlanArgs): number => (priority === 'degree' ? 5 : priority === 'column' ? 13 : 1)

/** @throws Failure for options that the algorithm does not take, an unknown device, a file that is no graph */
export async function planWork(args: PlanArgs, job: JobContext): Promise<ResourcePlan> {
  const { target } = args
  if (target.kind !== 'file') return planPlain(args, job)
  const { source, member, reading } = target
  const file = { ...reading, source, member }
  return withContained(file, join(tmpdir(), 'anticlique-plan'), job, ({ vertices, table, ...at }) =>
    planPlain({ ...args, target: { ...target, ...at, reading: { ...reading, vertices, table } } }, job),
  )
}

async function planPlain(args: PlanArgs, job: JobContext): Promise<ResourcePlan> {
  const { ranks } = args
  if (ranks === undefined) return planOfOne(args, sizeOfTarget, job)
  requireAcross(await loadAlgorithm(args.algorithm), args)
  const whole = await sizeOfTarget(args)
  const isMatching = algorithmEntry(args.algorithm)?.kind === 'matching'
  // Sets hold keys of all vertices on every rank.
  const plan = await planOfOne(args, async () => (isMatching ? sizeOfRank(whole, ranks) : whole), job)
  const { vertices, arcs, weighted } = whole
  const replicatedBytes = isMatching ? vertices / 8 : keysOf(args) * vertices
  const lanes = plan.lanes.map(({ device }) => device)
  const roundBytes = ((ranks - 1) / ranks) * vertices * (isMatching ? bytesOfMatching(lanes, ranks) : BYTES_OF_STATE)
  const roundMs = (1000 * roundBytes) / (args.networkBytesPerSecond ?? TEN_GIGABIT)
  const sliceBytes = (8 * vertices + (weighted && isMatching ? 8 : 4) * arcs) / ranks
  return { ...plan, vertices, arcs, across: { ranks, sliceBytes, replicatedBytes, roundBytes, roundMs } }
}

/** Bytes that a set receives for each vertex of another rank. */
const BYTES_OF_STATE = 1 / 4

/**
 * Bytes that a matching receives for each vertex of another rank, in a round in which all change: candidates if the first rank's GPU does the
 * rounds; else a bit, and two words for each pointer across a cut.
 */
export const bytesOfMatching = (devices: readonly string[], ranks: number): number =>
  devices.every((device) => device.startsWith('gpu:')) ? 4 * keptWords(CANDIDATES) : 1 / 8 + 8 / ranks

/** Bytes a second. */
const TEN_GIGABIT = 1.25e9

async function planOfOne(
  args: PlanArgs,
  sizeOf: (args: PlanArgs) => Promise<GraphSize>,
  job: JobContext,
): Promise<ResourcePlan> {
  const { target } = args
  if (args.importOnly === true && target.kind === 'file') return planImport(args, target)
  const algorithm = await loadAlgorithm(args.algorithm)
  requireOptions(algorithm, args)
  const named = args.device === 'auto' ? undefined : args.device.split(',')
  const size = await sizeOf(args)
  if (named === undefined && isForProcessor(args, args.algorithm, size.arcs))
    return { deviceAdvice: ALONE, ...(await planInDetail(algorithm, args, size, [cpuFacts('cpu:0')])) }
  const offered = named?.every((id) => /^cpu:\d+$/.test(id)) ? undefined : await listDevices()
  throwIfCancelled(job.signal)
  const known = named && (await Promise.all(named.map((id) => deviceFacts(id, offered))))
  if (known !== undefined) return planInDetail(algorithm, args, size, known)
  const candidates = autoCandidates(offered!.devices)
  const options = { ...args, partitions: undefined }
  const lanesOn = (devices: readonly DeviceFacts[]) => algorithm.plan({ options, size, devices }).lanes
  const chosen = chooseDevices(args.algorithm, algorithm.severalGpus, candidates, lanesOn)
  return { deviceAdvice: chosen.why, ...(await planInDetail(algorithm, args, size, chosen.devices)) }
}

/** @throws Failure (input) for a file that is no graph */
export async function sizeOfTarget({ target, hostBytes }: Pick<PlanArgs, 'target' | 'hostBytes'>): Promise<GraphSize> {
  if (target.kind === 'file') return sizeInSteps(await sizeOfFile(target), hostBytes ?? preparingBytes())
  const { folder, checksum } = target
  return withGraph({ folder, checksum }, (graph) => sizeOfGraph({ folder, checksum }, graph))
}

/** What a file comes to, by all of it where it is small. @throws Failure (input) for a file that is no graph */
async function sizeOfFile({ source, format, member, reading }: FileTarget): Promise<FileEstimate> {
  const file = { ...reading, source, format, member }
  const known = await knownFile(file)
  const sampled = sampleGraphFile(known)
  const counted = await countedFile(file, known)
  return counted === null ? sampled : { ...sampled, ...counted, exact: true, basis: 'the whole file' }
}

type FileTarget = Extract<PlanArgs['target'], { kind: 'file' }>

/** @throws Failure (input) for a file that is no graph */
async function planImport(args: PlanArgs, target: FileTarget): Promise<ResourcePlan> {
  const size = await sizeOfFile(target)
  const memoryBytes = args.hostBytes ?? preparingBytes()
  const { vertices, arcs, exact, basis, steps } = sizeInSteps(size, memoryBytes)
  const [{ hostBytes, scratchBytes, diskBytes }] = steps
  const needed = { hostBytes, deviceBytes: 0, scratchBytes, diskBytes, peakDiskBytes: scratchBytes + diskBytes }
  const folder = join(args.folder, 'datasets')
  return {
    ...{ vertices, arcs, exact, basis, device: args.device, lanes: [], batches: 0, steps, passes: 1, needed },
    available: { hostBytes: totalmem(), deviceBytes: null, diskBytes: freeDiskBytes(folder) },
    refusal: attempt(() => requireRoomForImport([size], memoryBytes, folder)).refusal,
  }
}

function sizeInSteps(file: FileEstimate, memoryBytes: number) {
  const { vertices, arcs, weighted, exact, format } = file
  const steps = [importStep(file, memoryBytes)] as const
  return { vertices, arcs, weighted, exact, basis: `${format}, ${file.basis}`, dataset: undefined, steps }
}

/** @throws Failure (device), as of a run */
async function deviceFacts(wanted: string, offered: DevicesOutcome | undefined): Promise<DeviceFacts> {
  if (/^cpu:\d+$/.test(wanted)) return cpuFacts(wanted)
  return offered?.devices.find(({ id }) => id === wanted) ?? (await refuseGpu(wanted))
}

const ALONE = 'The graph is small: the processor is done with it before a GPU is open.'

/** Devices of a run, with one sentence for the user. */
interface DeviceChoice {
  readonly devices: readonly DeviceFacts[]
  readonly why: string
}

/** What `auto` chooses from: every GPU that is one, else the processor, to which a GPU in software is no match. */
export function autoCandidates(devices: readonly DeviceFacts[]): readonly DeviceFacts[] {
  const gpus = devices.filter(({ kind, software }) => kind === 'gpu' && !software)
  return gpus.length > 0 ? gpus : devices.filter(({ id }) => id === 'cpu:0')
}

/**
 * What `auto` stands for, by what was measured (docs/results.md). Sets and matchings are made in few passes, in which one GPU keeps up with
 * reading. Where one GPU holds all that a run needs, one is best: several wait for each other once a round. Beyond that lists of what takes many
 * passes go through every GPU that has room for the vertices.
 * @param candidates one at least, in the order in which they are preferred
 * @param lanesOn what each of some devices would hold
 */
export function chooseDevices(
  name: string,
  severalGpus: Algorithm['severalGpus'],
  candidates: readonly DeviceFacts[],
  lanesOn: (devices: readonly DeviceFacts[]) => readonly PlanLane[],
): DeviceChoice {
  const first = candidates[0]!
  if (first.kind === 'cpu') return { devices: [first], why: `uses ${first.id}: this machine has no GPU in hardware` }
  if (candidates.length === 1) return { devices: [first], why: `uses ${first.id}: the only GPU of this machine` }
  const alone = candidates.map((device) => ({ device, lane: lanesOn([device])[0]! }))
  const whole = alone.find(({ lane }) => lane.holds === 'share' && hasRoom(lane))
  if (whole !== undefined)
    return { devices: [whole.device], why: `${usesAlone(whole.lane)}; more GPUs would only wait for each other` }
  const able = alone.filter(({ lane }) => hasRoom(lane))
  if (severalGpus === 'needless') {
    const device = able[0]?.device ?? first
    return { devices: [device], why: `uses ${device.id} alone: it visits lists as fast as they are read` }
  }
  if (severalGpus === 'impossible')
    return {
      devices: [first],
      why: `uses ${first.id} alone, which has to stream: ${name} computes on one device`,
    }
  const devices = able.length === 0 ? [first] : able.map(({ device }) => device)
  const [only] = devices
  if (devices.length === 1)
    return {
      devices,
      why: `uses ${only!.id} alone, through which lists pass: the others of the ${candidates.length} GPUs of this machine have not the memory`,
    }
  return { devices, why: sharedWords(lanesOn(devices), able[0]!.lane) }
}

const hasRoom = ({ deviceBytes, availableBytes }: PlanLane): boolean => deviceBytes <= (availableBytes ?? Infinity)

function usesAlone({ device, deviceBytes, availableBytes }: PlanLane): string {
  const room = availableBytes === null ? 'its memory holds' : `its ${sizeInWords(availableBytes)} hold`
  return `uses ${device} alone: ${room} the ${sizeInWords(deviceBytes)} of the run`
}

function sharedWords(lanes: readonly PlanLane[], { shareBytes, availableBytes }: PlanLane): string {
  const room = availableBytes === null ? 'what' : `the ${sizeInWords(availableBytes)} that`
  const names = lanes.map(({ device }) => device).join(', ')
  return `uses ${names}: the ${sizeInWords(shareBytes)} of the graph are more than ${room} one GPU may use, and lists pass through all of them`
}
