/**
 * The plan of a run: what it takes of the devices, the host and the disk, which devices are of use, and whether it fits, in the order in which
 * the run would refuse. The window shows it before a run, and the run makes it again before it prepares anything, by the same code. What
 * improves and verifies the result counts, too. An algorithm answers for itself by `estimate` (algorithm.ts); plan-request.ts has the parts.
 */

import { Failure, usageFailure } from '../base/failure.ts'
import { cpuFacts } from '../device/cpu-device.ts'
import { memoryOfGpus } from '../device/open-device.ts'
import { freeDiskBytes, machineBytes } from '../base/host-resources.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type {
  DeviceFacts,
  PlanArgs,
  PlanLane,
  PlanStep,
  PlannedOptions,
  ResourcePlan,
  RunArgs,
} from '../contract/jobs.ts'
import type { Algorithm } from './algorithm.ts'
import {
  type PlanEstimate,
  type GraphSize,
  deviceIds,
  sizeOfGraph,
  sizeOfRank,
  commonBudget,
  workersOf,
  planRefusal,
} from './plan-request.ts'
import { listOptions, listsRefusal, rootRefusal } from './run-lists.ts'
import { algorithmEntries, algorithmEntry } from '../contract/catalogue.ts'
import { searchQuality } from './quality/quality-option.ts'
import { searchBytes } from './quality/in-memory-graph.ts'
import { matchingPasses, paceFor } from '../verify/passes.ts'
import { edgeOrderOf } from '../graph/edge-order.ts'

/**
 * The plan that a run makes before it prepares anything. It holds for the plan that was shown as well.
 * @param devices of each worker; the leading one first
 * @throws Failure with the refusal of the plan
 */
export function requirePlanned(
  algorithm: Algorithm,
  args: RunArgs,
  devices: readonly DeviceFacts[],
  graph: GaloisGr,
  ranks = 1,
): void {
  const { folder, checksum } = args
  const options: PlanArgs = { ...args, target: { kind: 'dataset', folder, checksum } }
  const plan = planOn(algorithm, options, devices, sizeOfRank(sizeOfGraph(args, graph), ranks))
  if (plan.refusal !== null) throw new Failure(plan.refusal)
}

/** The plan on devices whose facts are known, by bounds where not all is prepared. @throws Failure as planWork does */
export function planOn(
  algorithm: Algorithm,
  args: PlanArgs,
  devices: readonly DeviceFacts[],
  size: GraphSize,
): ResourcePlan {
  requireOptions(algorithm, args)
  return planOf(algorithm, args, size, algorithm.plan({ options: args, size, devices }))
}

/** A GPU of a run that a processor leads. */
const UNKNOWN_GPU: Omit<DeviceFacts, 'id'> = {
  kind: 'gpu',
  name: 'GPU',
  driver: '',
  software: false,
  memoryBytes: null,
  maxBindingBytes: null,
  features: [],
}

/**
 * Facts of the workers of a run whose leader has its device open. Other GPUs are taken for such as this one, but for their memory, which
 * counts where no limit was given.
 */
export async function workerFacts(
  workers: readonly string[],
  lead: DeviceFacts,
  askedBytes: number | undefined,
): Promise<DeviceFacts[]> {
  const others = workers.filter((id) => id !== lead.id && !id.startsWith('cpu:'))
  const memory = askedBytes === undefined && others.length > 0 ? await memoryOfGpus() : undefined
  return workers.map((id) => {
    if (id === lead.id) return lead
    if (id.startsWith('cpu:')) return cpuFacts(id)
    return { ...(lead.kind === 'gpu' ? lead : UNKNOWN_GPU), id, ...memory?.get(id) }
  })
}

/** All that a run would refuse on its way to computing, in the order in which it would; with its own figures where all is prepared. */
export async function planInDetail(
  algorithm: Algorithm,
  args: PlanArgs,
  size: GraphSize,
  named: readonly DeviceFacts[],
): Promise<ResourcePlan> {
  const ids = workersOf({ device: deviceIds(named).join(','), partitions: args.partitions })
  const devices = ids.map((id) => named.find((facts) => facts.id === id)!)
  const request = { options: args, size, devices }
  const bounds = planOf(algorithm, args, size, algorithm.plan(request), named)
  if (bounds.refusal !== null) return bounds
  const refusal = (await listsRefusal(args, size)) ?? rootRefusal(args, size)
  if (refusal !== null) return { ...bounds, refusal }
  const prepared = algorithm.planExactly?.(request)
  return prepared === undefined ? bounds : planOf(algorithm, args, size, prepared, named)
}

/** @param named what the user, or `auto`, has chosen; absent: it does not matter which of them are used */
function planOf(
  algorithm: Algorithm,
  args: PlanArgs,
  size: GraphSize,
  found: PlanEstimate,
  named: readonly DeviceFacts[] = [],
): ResourcePlan {
  const { vertices, arcs, exact, basis } = size
  const { devices, lanes, batches } = found
  const ids = deviceIds(devices)
  const steps = [...size.steps, ...found.steps, ...stepsAfter(algorithm, args, size)]
  const processors = devices.filter(({ kind }) => kind === 'cpu').length
  const most = (figure: (step: PlanStep) => number): number => Math.max(...steps.map(figure))
  const needed = {
    // A processor's memory is the host's.
    hostBytes: most((step) => step.hostBytes + processors * step.deviceBytes),
    deviceBytes: most((step) => step.deviceBytes),
    scratchBytes: most((step) => step.scratchBytes),
    diskBytes: steps.reduce((sum, step) => sum + step.diskBytes, 0),
    peakDiskBytes: peakDisk(steps),
  }
  const available = {
    hostBytes: machineBytes(),
    deviceBytes: availableBytes(lanes, commonBudget(devices, args.memoryBytes)),
    diskBytes: freeDiskBytes(args.folder),
  }
  const certain = { ...needed, peakDiskBytes: needed.peakDiskBytes - (found.spareDiskBytes ?? 0) }
  const why = found.why ?? idleWords(named, ids)
  return {
    vertices,
    arcs,
    exact,
    basis: found.prepared ? `${basis} and its tiles` : basis,
    device: [...new Set(ids)].join(','),
    lanes,
    ...(why === undefined ? {} : { deviceAdvice: why }),
    batches,
    runIsExact: found.exact,
    steps,
    passes: steps.reduce((sum, step) => sum + step.passes, 0),
    needed,
    available,
    refusal: found.refusal ?? planRefusal(args, certain, available),
  }
}

/** What the device may use that needs most; the least where several do. @param budget where it is not known what each needs */
function availableBytes(lanes: readonly PlanLane[], budget: number): number | null {
  const most = Math.max(...lanes.map(({ deviceBytes }) => deviceBytes))
  const widest = lanes.filter(({ deviceBytes }) => deviceBytes === most)
  const least = widest.length === 0 ? budget : Math.min(...widest.map((lane) => lane.availableBytes ?? Infinity))
  return Number.isFinite(least) ? least : null
}

/** Why devices that were named have nothing to do; undefined where all have. */
function idleWords(named: readonly DeviceFacts[], used: readonly string[]): string | undefined {
  const idle = deviceIds(named).filter((id) => !used.includes(id))
  if (idle.length === 0) return undefined
  const workers = used.length === 1 ? 'one worker needs' : `${used.length} workers need`
  return `uses ${[...new Set(used)].join(', ')}: ${workers} no more; with more partitions ${idle.join(', ')} would be used too`
}

/** Most that lies on the disk at any time beyond what lies there now: what is finished stays, scratch goes. */
function peakDisk(steps: readonly PlanStep[]): number {
  let kept = 0
  let peak = 0
  for (const { scratchBytes, diskBytes } of steps) {
    kept += diskBytes
    peak = Math.max(peak, kept + scratchBytes)
  }
  return peak
}

/** The options by themselves, whatever the graph and the devices. @throws Failure (usage) for what the algorithm does not take */
export function requireOptions(algorithm: Algorithm, options: PlannedOptions): void {
  for (const list of listOptions) if (options[list] !== undefined) requireTaken(options.algorithm, list)
  algorithm.requireOptions?.(options)
  if (algorithm.severalGpus === 'impossible') requireOneDevice(options)
}

function requireOneDevice({ algorithm, device, partitions = 1 }: PlannedOptions): void {
  if (!device.includes(',') && partitions === 1) return
  const what = `${algorithmEntry(algorithm)!.title} runs on one device`
  throw usageFailure(undefined, what, 'Name one device, or use mg-mis for several.')
}

/** @throws Failure (usage) where one process computes alone */
export function requireAcross(algorithm: Algorithm, options: PlannedOptions): void {
  if (algorithm.worksAcross?.(options) === true) return
  throw usageFailure(
    '--across',
    `${options.algorithm} with these options computes in one process`,
    `Across machines these compute: ${ACROSS}.`,
  )
}

/** The words for what computes across machines: each algorithm says so itself. */
const ACROSS = 'every set in one pass, under both exchanges, and matchings by best neighbours'

function requireTaken(algorithm: string, list: (typeof listOptions)[number]): void {
  const taken = (name: string) => algorithmEntry(name)?.options.find((option) => option.name === list)
  if (taken(algorithm) !== undefined) return
  const others = algorithmEntries.map(({ name }) => name).filter((name) => taken(name) !== undefined)
  throw usageFailure(
    taken(others[0]!)?.flag,
    `${algorithm} takes no such list: its result would be another than the one that was asked for`,
    `Leave it out, or use ${others.join(' or ')}.`,
  )
}

/** Host memory that a streamed reading of the graph has at hand. */
const STREAM_BYTES = 8 << 20
/** Two words of waiting and a bit of membership (quality/improve-set.ts). */
const SWAP_BYTES = 9
/** Degrees, ranks, and sets of bits (verification). */
const VERIFY_SET_BYTES = 6
/** Mates, the heaviest edge and the mate's, degrees, and a dual solution (verification). */
const VERIFY_MATCHING_BYTES = 32
/** Host memory of each thread that verifies: two pieces of the graph, and what is noted of them. */
const VERIFY_THREAD_BYTES = { set: 8 << 20, matching: 20 << 20 }

function improvingBytes(algorithm: Algorithm, options: PlannedOptions, size: GraphSize): number {
  if (algorithm.improveBytes !== undefined) return algorithm.improveBytes(options, size)
  return searchQuality(options) === undefined ? SWAP_BYTES * size.vertices : searchBytes(size, options.memoryBytes)
}

/** What follows on the host once there is a result: making it better, and checking it. Each pass reads the whole graph. */
function stepsAfter(algorithm: Algorithm, options: PlannedOptions, size: GraphSize): PlanStep[] {
  const { vertices } = size
  const step = (name: PlanStep['name'], bytes: number, passes: number, rooms = STREAM_BYTES): PlanStep => ({
    name,
    hostBytes: rooms + bytes * vertices,
    deviceBytes: 0,
    scratchBytes: 0,
    diskBytes: 0,
    passes,
  })
  const isMatching = algorithmEntry(options.algorithm)?.kind === 'matching'
  const passes = algorithm.improvePasses?.(options, size) ?? 0
  const improving = step('improve', 0, passes, STREAM_BYTES + improvingBytes(algorithm, options, size))
  const improve = passes === 0 ? [] : [improving]
  if (options.verify !== true) return improve
  const own = algorithm.verifier?.plan(size, options)
  if (own !== undefined) return [...improve, { ...step('verify', 0, own.passes), hostBytes: own.hostBytes }]
  const [of, bytes] = isMatching ? (['matching', VERIFY_MATCHING_BYTES] as const) : (['set', VERIFY_SET_BYTES] as const)
  const rooms = VERIFY_THREAD_BYTES[of] * paceFor(of, size).threads
  const check = step('verify', bytes, isMatching ? matchingPasses(edgeOrderOf(options, size)) : 1, rooms)
  return [...improve, check]
}
