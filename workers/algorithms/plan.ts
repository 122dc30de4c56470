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
import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { DeviceFacts, PlanArgs, PlanStep, ResourcePlan } from '../jobs.ts'
import { estimateMatching, matchingRunStep, matchingViewStep } from './ld-gpu/plan-matching.ts'
import { planRefusal } from './plan-refusal.ts'
import { deviceBudget, estimateDevice, launchLimit } from './plan-run.ts'
import type { DeviceEstimate } from './plan-run.ts'
import { sampleGraphFile } from './plan-sample.ts'
import { importStep, runStep, viewStep } from './plan-steps.ts'

/** The size of a graph as far as it is known, and the steps that come before its run. */
interface Subject {
  readonly vertices: number
  readonly arcs: number
  /** Entries of the view past its heads: an upper bound unless the view is there. */
  readonly tailEntries: number
  readonly exact: boolean
  readonly basis: string
  readonly steps: readonly PlanStep[]
}

/** Job `plan`: what importing, preparing and computing would take, and whether it fits. Nothing is written. */
export async function planWork(args: PlanArgs, job: JobContext): Promise<ResourcePlan> {
  const device = await deviceFacts(args.device)
  throwIfCancelled(job.signal)
  const plan = planOn(args, device)
  const gpus =
    device.kind === 'gpu'
      ? (await listDevices()).devices.filter(({ kind, software }) => kind === 'gpu' && !software)
      : []
  return gpus.length < 2 ? plan : { ...plan, deviceAdvice: deviceAdvice(plan, gpus.length) }
}

/**
 * Where one GPU holds all that the run needs, one is best: several wait for each other once a pass, and save nothing. Beyond that,
 * each further GPU holds a share of the slabs that one would have to stream.
 */
export function deviceAdvice({ needed, available }: ResourcePlan, gpus: number): string {
  const room = available.deviceBytes
  if (room === null || needed.deviceBytes < room)
    return `one GPU of ${gpus} holds it all, so one is fastest: several would wait for each other`
  return `one GPU of ${gpus} has to stream it; name several with --devices, and each holds a share`
}

/** The plan on a device whose facts are known. @throws Failure (input) for a file that is no graph */
export function planOn(args: PlanArgs, device: DeviceFacts): ResourcePlan {
  const hostBudget = args.hostBytes ?? defaultBudgetBytes()
  const { target } = args
  const subject =
    target.kind === 'file' ? fileSubject(args, target, hostBudget) : datasetSubject(args, target, hostBudget)
  const { vertices, arcs, exact, basis } = subject
  const budgetBytes = deviceBudget(device, args.memoryBytes)
  const found = runEstimate(args, subject, budgetBytes, launchLimit([device.id]))
  const steps = [...subject.steps, found.step]
  const isProcessor = device.kind === 'cpu'
  const most = (figure: (step: PlanStep) => number): number => Math.max(...steps.map(figure))
  const finalBytes = steps.reduce((sum, step) => sum + step.diskBytes, 0)
  const needed = {
    // On the processor a device's memory is the host's.
    hostBytes: most((step) => step.hostBytes + (isProcessor ? step.deviceBytes : 0)),
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
    device: device.id,
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
  launchBytes: number,
): { step: PlanStep; estimate: DeviceEstimate; refusal: ResourcePlan['refusal'] } {
  if (algorithm === 'ld-gpu') {
    const found = estimateMatching(vertices, tailEntries, batches, budgetBytes)
    return { ...found, step: matchingRunStep(vertices, found.estimate) }
  }
  const found = estimateOrRefusal(vertices, tailEntries, batches, budgetBytes, launchBytes)
  return { ...found, step: runStep(vertices, found.estimate, found.estimate.deviceBytes < budgetBytes) }
}

function estimateOrRefusal(
  vertices: number,
  tailEntries: number,
  batches: number | undefined,
  budgetBytes: number,
  launchBytes: number,
): { estimate: DeviceEstimate; refusal: ResourcePlan['refusal'] } {
  try {
    return { estimate: estimateDevice(vertices, tailEntries, batches, budgetBytes, launchBytes), refusal: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { estimate: estimateDevice(vertices, tailEntries, batches, Infinity, launchBytes), refusal: error.toValue() }
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
  const common = { vertices, arcs, exact: true }
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
  const common = { vertices, arcs, exact: true }
  if (view === undefined)
    return { ...common, tailEntries: arcs, basis: 'the dataset', steps: [matchingViewStep(vertices, arcs, budget)] }
  const { tailEntries } = view.header
  view.close()
  return { ...common, tailEntries, basis: 'the dataset and its prepared view', steps: [] }
}

/** A device as it is listed, without opening it. @throws Failure (device) when there is none of this id. */
async function deviceFacts(wanted: string): Promise<DeviceFacts> {
  if (/^cpu:\d+$/.test(wanted)) return cpuFacts(wanted)
  const { devices, noGpu } = await listDevices()
  const found =
    wanted === 'auto'
      ? (devices.find(({ kind, software }) => kind === 'gpu' && !software) ?? devices[0])
      : devices.find(({ id }) => id === wanted)
  if (found !== undefined) return found
  throw new Failure({
    code: 'device',
    where: wanted,
    what: noGpu === null ? 'there is no device of this name' : `there is no device of this name: ${noGpu}`,
    remedy: 'See "anticlique devices".',
  })
}
