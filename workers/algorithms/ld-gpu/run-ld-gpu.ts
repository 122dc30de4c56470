import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Device } from '../../device/device.ts'
import { openDevice } from '../../device/open-device.ts'
import { BatchStore } from '../../device/batch-store.ts'
import { Failure } from '../../failure.ts'
import { GaloisGr } from '../../graph/galois-gr.ts'
import { openLabels } from '../../graph/labels.ts'
import { Matching } from '../../graph/matching.ts'
import { matchingWeight } from '../../graph/matching-weight.ts'
import type { PreparedView } from '../../graph/prepare-view.ts'
import { writeAside } from '../../graph/view-file.ts'
import type { EdgeOrder } from '../../graph/views/edge-order.ts'
import { prepareWeightOrdered } from '../../graph/views/prepare-weight-ordered.ts'
import type { JobContext } from '../../job.ts'
import type { RunArgs, RunOutcome } from '../../jobs.ts'
import { Trace } from '../../trace.ts'
import { verifyMatching } from '../../verification/verify-matching.ts'
import { isTraced, writeTraces } from '../write-traces.ts'
import { HostedEntries, WholeEntries } from './entries.ts'
import type { Entries } from './entries.ts'
import { matchOrdered } from './ordered.ts'
import type { MatchPlan } from './plan-match.ts'
import { planMatch } from './plan-match.ts'
import type { MatchReport } from './match-outcome.ts'
import { matchOutcome } from './match-outcome.ts'

/** LD-GPU from a dataset to a verified matching: prepares the view, plans, computes, stores the mates, verifies. */
export async function runLdGpu(args: RunArgs, job: JobContext): Promise<RunOutcome> {
  const startMs = performance.now()
  const graph = GaloisGr.open(join(args.folder, 'graph.gr'))
  const workers = workersOf(args)
  const device = await openDevice(workers[0]!)
  let prepared: PreparedView | undefined
  try {
    const order = orderOf(args, graph)
    const labels = openLabels(args.folder, graph.vertices)
    const view = prepareWeightOrdered({ ...args, order }, job)
    prepared = view
    const planned = planMatch(args, graph, view, device)
    const { matching, reports } = await computeMatching(args, device, view, planned, job)
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

/** The device of each worker: the named ones in turn. */
function workersOf({ device, partitions }: RunArgs): string[] {
  const devices = device.split(',')
  const workers = Array.from({ length: partitions ?? devices.length }, (_, worker) => devices[worker % devices.length]!)
  if (workers.length === 1) return workers
  throw new Failure({
    code: 'usage',
    where: '--partitions',
    what: 'ld-gpu has one worker in this version',
    remedy: 'Name one device, and leave --partitions out.',
  })
}

/** The weights of the graph where it has any, else all alike, unless the run says otherwise. */
function orderOf({ weights, ties = 'hash', seed }: RunArgs, graph: GaloisGr): EdgeOrder {
  return { weights: weights ?? (graph.layout.weighted ? 'column' : 'unit'), ties, seed }
}

async function computeMatching(
  args: RunArgs,
  device: Device,
  view: PreparedView,
  planned: MatchPlan,
  job: JobContext,
): Promise<{ matching: Matching; reports: MatchReport[] }> {
  const { vertices } = view.view.header
  const batches = planned.shares[0]!
  const trace = new Trace(isTraced(args))
  const entries = entriesOf(device, view, planned, trace)
  const timed = args.traceFile !== undefined
  const part = { device, entries, batches, vertices, exchange: undefined, trace, timed }
  let matching = new Matching(new Uint32Array(0))
  const rounds = await matchOrdered(part, job, (pointers) => (matching = Matching.ofPointers(pointers))).finally(() =>
    entries.release(),
  )
  const { toDevice, fromDevice } = device.copied
  const report: MatchReport = {
    ...rounds,
    device: device.facts,
    readMs: entries.readMs,
    waitMs: 0,
    exchangeMs: 0,
    bytesRead: view.view.bytesRead,
    toDevice,
    fromDevice,
    exchanged: [],
    spans: trace.spans,
  }
  return { matching, reports: [report] }
}

function entriesOf(device: Device, { view, tailOffsets }: PreparedView, planned: MatchPlan, trace: Trace): Entries {
  const own = planned.shares[0]!
  const first = own[0]?.first ?? 0
  const count = own.reduce((sum, batch) => sum + batch.count, 0)
  return planned.residence === 'whole'
    ? new WholeEntries(new BatchStore(device, view, tailOffsets, Infinity, trace))
    : new HostedEntries(device, view, tailOffsets, { first, count }, planned.residence === 'heads', trace)
}
