import { totalmem } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { cpuFacts } from '../device/cpu-device.ts'
import { listDevices } from '../device/open-device.ts'
import { GaloisGr } from '../graph/galois-gr.ts'
import { defaultBudgetBytes, viewPath } from '../graph/prepare-view.ts'
import { ViewFile } from '../graph/view-file.ts'
import { freeDiskBytes } from '../graph/views/disk-space.ts'
import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { DeviceFacts, PlanArgs, PlanStep, ResourcePlan } from '../jobs.ts'
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
  return planOn(args, device)
}

/** The plan on a device whose facts are known. @throws Failure (input) for a file that is no graph */
export function planOn(args: PlanArgs, device: DeviceFacts): ResourcePlan {
  const hostBudget = args.hostBytes ?? defaultBudgetBytes()
  const { target } = args
  const subject = target.kind === 'file' ? fileSubject(target, hostBudget) : datasetSubject(args, target, hostBudget)
  const { vertices, arcs, tailEntries, exact, basis } = subject
  const budgetBytes = deviceBudget(device, args.memoryBytes)
  const found = estimateOrRefusal(vertices, tailEntries, args.batches, budgetBytes, launchLimit([device.id]))
  const steps = [...subject.steps, runStep(vertices, found.estimate, found.estimate.deviceBytes < budgetBytes)]
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

function fileSubject(target: Extract<PlanArgs['target'], { kind: 'file' }>, budget: number): Subject {
  const file = sampleGraphFile(target.source, target.format)
  const { vertices, arcs, exact } = file
  const steps = [importStep(file, budget), viewStep(vertices, arcs, budget)]
  return { vertices, arcs, tailEntries: arcs / 2, exact, basis: `${file.format}, ${file.basis}`, steps }
}

function datasetSubject(
  args: PlanArgs,
  { folder, checksum }: Extract<PlanArgs['target'], { kind: 'dataset' }>,
  budget: number,
): Subject {
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  const { vertices, arcs } = graph
  graph.close()
  const order = `${args.priority}-${args.seed}`
  const view = ViewFile.openIfValid(viewPath(folder, 'oriented', order), checksum, order)
  const common = { vertices, arcs, exact: true }
  if (view === undefined)
    return { ...common, tailEntries: arcs / 2, basis: 'the dataset', steps: [viewStep(vertices, arcs, budget)] }
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
