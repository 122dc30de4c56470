import { totalmem } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { cpuFacts } from '../device/cpu-device.ts'
import { listDevices } from '../device/open-device.ts'
import { GaloisGr } from '../graph/galois-gr.ts'
import { defaultBudgetBytes, viewPath } from '../graph/prepare-view.ts'
import { ViewFile } from '../graph/view-file.ts'
import { edgeOrderName } from '../graph/views/edge-order.ts'
import { freeDiskBytes } from '../graph/views/disk-space.ts'
import { tailsAreSpared } from '../partition/out-of-core.ts'
import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { DeviceFacts, DevicesOutcome, PlanArgs, PlanStep, ResourcePlan } from '../jobs.ts'
import { estimateMatching, matchingRunStep, matchingViewStep } from './ld-gpu/plan-matching.ts'
import { planRefusal } from './plan-refusal.ts'
import { autoCandidates, chooseDevices } from './choose-devices.ts'
import { planLanes } from './plan-lanes.ts'
import { deviceBudget, estimateDevice, launchLimit, sharersOf } from './plan-run.ts'
import type { DeviceEstimate } from './plan-run.ts'
import { sampleGraphFile } from './plan-sample.ts'
import { importStep, runStep, viewStep } from './plan-steps.ts'

/** The size of a graph as far as it is known, and the steps that come before its run. */
interface Subject {
  readonly vertices: number
  readonly arcs: number
  /** Entries of the view past its heads: an upper bound unless the view is there. */
  readonly tailEntries: number
  /** Whether heads decide nearly everything; undefined while there is no view to tell by. */
  readonly tailsAreSpared: boolean | undefined
  readonly exact: boolean
  readonly basis: string
  readonly steps: readonly PlanStep[]
}

/** Job `plan`: what importing, preparing and computing would take, and whether it fits. Nothing is written. */
export async function planWork(args: PlanArgs, job: JobContext): Promise<ResourcePlan> {
  const named = args.device === 'auto' ? undefined : args.device.split(',')
  const offered = named?.every((id) => /^cpu:\d+$/.test(id)) ? undefined : await listDevices()
  throwIfCancelled(job.signal)
  const subject = subjectOf(args)
  if (named !== undefined) {
    const devices = named.map((id) => deviceFacts(id, offered))
    return planOf(args, subject, devices)
  }
  const candidates = autoCandidates(offered!.devices)
  const chosen = chooseDevices(args.algorithm, candidates, (devices) => planLanes(args, subject, devices))
  return { ...planOf(args, subject, chosen.devices), deviceAdvice: chosen.why }
}

/** The plan on a device whose facts are known. @throws Failure (input) for a file that is no graph */
export function planOn(args: PlanArgs, device: DeviceFacts): ResourcePlan {
  return planOf(args, subjectOf(args), [device])
}

function subjectOf(args: PlanArgs): Subject {
  const hostBudget = args.hostBytes ?? defaultBudgetBytes()
  const { target } = args
  return target.kind === 'file' ? fileSubject(args, target, hostBudget) : datasetSubject(args, target, hostBudget)
}

/** @param devices with a worker on each; the leading one first */
function planOf(args: PlanArgs, subject: Subject, devices: readonly DeviceFacts[]): ResourcePlan {
  const { vertices, arcs, exact, basis } = subject
  const ids = devices.map(({ id }) => id)
  const [device] = devices as readonly [DeviceFacts]
  const budgetBytes = deviceBudget(device, args.memoryBytes, sharersOf(ids, args.memoryBytes))
  const found = runEstimate(args, subject, budgetBytes, ids)
  const steps = [...subject.steps, found.step]
  const processors = devices.filter(({ kind }) => kind === 'cpu').length
  const most = (figure: (step: PlanStep) => number): number => Math.max(...steps.map(figure))
  const finalBytes = steps.reduce((sum, step) => sum + step.diskBytes, 0)
  const needed = {
    // A processor's memory is the host's.
    hostBytes: most((step) => step.hostBytes + processors * step.deviceBytes),
    deviceBytes: most((step) => step.deviceBytes),
    scratchBytes: most((step) => step.scratchBytes),
    diskBytes: finalBytes,
    peakDiskBytes: peakDisk(steps),
  }
  const available = {
    hostBytes: totalmem(),
    deviceBytes: Number.isFinite(budgetBytes) ? budgetBytes : null,
    diskBytes: freeDiskBytes(args.folder),
  }
  const refusal = found.refusal ?? planRefusal(args, needed, available)
  return {
    vertices,
    arcs,
    exact,
    basis,
    device: ids.join(','),
    lanes: planLanes(args, subject, devices),
    batches: found.estimate.batches,
    steps,
    passes: steps.reduce((sum, step) => sum + step.passes, 0),
    needed,
    available,
    refusal,
  }
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

/** The step that computes, with what it needs on the device. */
function runEstimate(
  { algorithm, batches }: PlanArgs,
  { vertices, tailEntries }: Subject,
  budgetBytes: number,
  workers: readonly string[],
): { step: PlanStep; estimate: DeviceEstimate; refusal: ResourcePlan['refusal'] } {
  if (algorithm === 'ld-gpu') {
    const found = estimateMatching(vertices, tailEntries, batches, budgetBytes, workers.length)
    return { ...found, step: matchingRunStep(vertices, found.estimate) }
  }
  const found = estimateOrRefusal(vertices, tailEntries, batches, budgetBytes, workers)
  const resident = found.estimate.deviceBytes < budgetBytes
  return { ...found, step: runStep(vertices, found.estimate, resident, workers.length) }
}

function estimateOrRefusal(
  vertices: number,
  tailEntries: number,
  batches: number | undefined,
  budgetBytes: number,
  workers: readonly string[],
): { estimate: DeviceEstimate; refusal: ResourcePlan['refusal'] } {
  const within = (bytes: number): DeviceEstimate =>
    estimateDevice(vertices, tailEntries, batches, bytes, launchLimit(workers), workers.length)
  try {
    return { estimate: within(budgetBytes), refusal: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { estimate: within(Infinity), refusal: error.toValue() }
  }
}

function fileSubject(
  { algorithm }: PlanArgs,
  target: Extract<PlanArgs['target'], { kind: 'file' }>,
  budget: number,
): Subject {
  const file = sampleGraphFile(target.source, target.format)
  const { vertices, arcs, exact } = file
  const isMatching = algorithm === 'ld-gpu'
  const view = (isMatching ? matchingViewStep : viewStep)(vertices, arcs, budget)
  const steps = [importStep(file, budget), view]
  return {
    vertices,
    arcs,
    tailEntries: isMatching ? arcs : arcs / 2,
    tailsAreSpared: undefined,
    exact,
    basis: `${file.format}, ${file.basis}`,
    steps,
  }
}

function datasetSubject(
  args: PlanArgs,
  { folder, checksum }: Extract<PlanArgs['target'], { kind: 'dataset' }>,
  budget: number,
): Subject {
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  const { vertices, arcs } = graph
  const { weighted } = graph.layout
  graph.close()
  if (args.algorithm === 'ld-gpu') return matchingSubject(folder, checksum, { vertices, arcs, weighted }, budget)
  const order = `${args.priority}-${args.seed}`
  const view = ViewFile.openIfValid(viewPath(folder, 'oriented', order), checksum, order)
  const common = { vertices, arcs, exact: true, tailsAreSpared: view && tailsAreSpared(view.header) }
  if (view === undefined)
    return { ...common, tailEntries: arcs / 2, basis: 'the dataset', steps: [viewStep(vertices, arcs, budget)] }
  const { tailEntries } = view.header
  view.close()
  return { ...common, tailEntries, basis: 'the dataset and its prepared view', steps: [] }
}

/** The view of the standard options; another one takes as much. */
function matchingSubject(
  folder: string,
  checksum: string,
  { vertices, arcs, weighted }: { readonly vertices: number; readonly arcs: number; readonly weighted: boolean },
  budget: number,
): Subject {
  const order = edgeOrderName({ weights: weighted ? 'column' : 'unit', ties: 'hash', seed: 0 })
  const view = ViewFile.openIfValid(viewPath(folder, 'weight-ordered', order), checksum, order, 'weight-ordered')
  const common = { vertices, arcs, exact: true, tailsAreSpared: undefined }
  if (view === undefined)
    return { ...common, tailEntries: arcs, basis: 'the dataset', steps: [matchingViewStep(vertices, arcs, budget)] }
  const { tailEntries } = view.header
  view.close()
  return { ...common, tailEntries, basis: 'the dataset and its prepared view', steps: [] }
}

/** A device as it is listed, without opening it. @throws Failure (device) when there is none of this id. */
function deviceFacts(wanted: string, offered: DevicesOutcome | undefined): DeviceFacts {
  if (/^cpu:\d+$/.test(wanted)) return cpuFacts(wanted)
  const { devices = [], noGpu = null } = offered ?? {}
  const found = devices.find(({ id }) => id === wanted)
  if (found !== undefined) return found
  throw new Failure({
    code: 'device',
    where: wanted,
    what: noGpu === null ? 'there is no device of this name' : `there is no device of this name: ${noGpu}`,
    remedy: 'See "anticlique devices".',
  })
}
