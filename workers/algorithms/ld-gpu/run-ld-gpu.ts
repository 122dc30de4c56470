import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Device } from '../../device/device.ts'
import { openDevice } from '../../device/open-device.ts'
import { GaloisGr } from '../../graph/galois-gr.ts'
import { openLabels } from '../../graph/labels.ts'
import { matchingWeight } from '../../graph/matching-weight.ts'
import type { PreparedView } from '../../graph/prepare-view.ts'
import { writeAside } from '../../graph/view-file.ts'
import type { EdgeOrder } from '../../graph/views/edge-order.ts'
import { prepareWeightOrdered } from '../../graph/views/prepare-weight-ordered.ts'
import type { JobContext } from '../../job.ts'
import type { RunArgs, RunOutcome } from '../../jobs.ts'
import { verifyMatching } from '../../verification/verify-matching.ts'
import { isTraced, writeTraces } from '../write-traces.ts'
import { planMatch } from './plan-match.ts'
import { matchOutcome } from './match-outcome.ts'
import { computeMatching } from './match-workers.ts'

/** LD-GPU from a dataset to a verified matching: prepares the view, plans, computes, stores the mates, verifies. */
export async function runLdGpu(args: RunArgs, job: JobContext): Promise<RunOutcome> {
  const startMs = performance.now()
  const graph = GaloisGr.open(join(args.folder, 'graph.gr'))
  const device = await openDevice(args.device.split(',')[0]!)
  let prepared: PreparedView | undefined
  try {
    const order = orderOf(args, graph)
    const labels = openLabels(args.folder, graph.vertices)
    const view = prepareWeightOrdered({ ...args, order }, job)
    prepared = view
    const workers = workersOf(args, view, device, job)
    const planned = planMatch(args, graph, view, device, workers)
    const traced = { traced: isTraced(args), timed: args.traceFile !== undefined }
    const { matching, reports } = await computeMatching({ device, workers, view, ...planned, ...traced }, job)
    const weight = matchingWeight(graph, matching, order, job)
    writeAside(args.resultFile, [new Uint8Array(matching.mates.buffer)])
    writeTraces(args, reports)
    const totalMs = performance.now() - startMs
    const claim = { matching, order, threshold: 0, dominant: true }
    const verification = args.verify ? verifyMatching(graph, labels, claim, job) : null
    const made = { ...planned, order, matching, weight, reports }
    return { ...matchOutcome(args, made, view.buildMs, totalMs), verification }
  } catch (error) {
    rmSync(args.resultFile, { force: true })
    throw error
  } finally {
    prepared?.view.close()
    device.close()
    graph.close()
  }
}

/**
 * The device of each worker: the named ones in turn. Several devices with a worker each are asked for more memory: where one holds
 * everything, one computes, as each round between several costs more than it saves (LD-GPU, SC 2024, Figure 5).
 */
function workersOf(args: RunArgs, view: PreparedView, device: Device, job: JobContext): readonly string[] {
  const devices = args.device.split(',')
  const { vertices } = view.view.header
  if (args.partitions === undefined && devices.length > 1) {
    const alone = devices.slice(0, 1)
    const { residence } = planMatch(args, { vertices, arcs: 0 }, view, device, alone)
    if (residence !== 'whole') return devices
    job.log(`${alone[0]} holds the whole view: it computes alone. Give --partitions to share the work all the same.`)
    return alone
  }
  return Array.from({ length: args.partitions ?? devices.length }, (_, worker) => devices[worker % devices.length]!)
}

/** The weights of the graph where it has any, else all alike, unless the run says otherwise. */
function orderOf({ weights, ties = 'hash', seed }: RunArgs, graph: GaloisGr): EdgeOrder {
  return { weights: weights ?? (graph.layout.weighted ? 'column' : 'unit'), ties, seed }
}
