import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { BatchStore } from '../device/batch-store.ts'
import type { Device } from '../device/device.ts'
import { openDevice } from '../device/open-device.ts'
import type { Batch } from '../graph/batches.ts'
import { batchBytes, planBatches } from '../graph/batches.ts'
import { GaloisGr } from '../graph/galois-gr.ts'
import { openLabels } from '../graph/labels.ts'
import type { PreparedView } from '../graph/prepare-view.ts'
import { prepareView, readPositions, readWholeView } from '../graph/prepare-view.ts'
import { readVertexColumn, readVertexList } from '../graph/vertex-lists.ts'
import { viewBytes, writeAside } from '../graph/view-file.ts'
import type { JobContext } from '../job.ts'
import type { RunArgs, RunOutcome, RunPlan } from '../jobs.ts'
import { verifyIndependentSet } from '../verification/verify-independent-set.ts'
import { eclMis, workspaceBytes } from './ecl-mis.ts'
import { initialStates } from './initial-states.ts'

/** Job `run`: prepares the view, plans, computes, stores the set, verifies. */
export async function runAlgorithm(args: RunArgs, job: JobContext): Promise<RunOutcome> {
  const startMs = performance.now()
  const graph = GaloisGr.open(join(args.folder, 'graph.gr'))
  const device = await openDevice(args.device)
  let prepared: PreparedView | undefined
  try {
    const labels = openLabels(args.folder, graph.vertices)
    const list = (file: string | undefined) =>
      file === undefined ? undefined : readVertexList(file, labels, graph.vertices)
    const keep = list(args.keepFile)
    const exclude = list(args.excludeFile)
    const column = args.columnFile === undefined ? undefined : readVertexColumn(args.columnFile, labels, graph.vertices)
    if (args.priority === 'column' && column === undefined)
      throw new Failure({
        code: 'usage',
        what: 'priority "column" needs a value for every vertex',
        remedy: 'Name a file of label,value lines with --column.',
      })

    prepared = prepareView({ ...args, column: args.priority === 'column' ? column : undefined }, job)
    const view = prepared
    const initial =
      keep === undefined && exclude === undefined
        ? undefined
        : initialStates(graph, labels, keep, exclude, readPositions(view.view))
    const { batches, plan } = planRun(args, graph, view, device)
    const store = new BatchStore(
      device,
      view.view,
      view.tailOffsets,
      plan.deviceBytes - workspaceBytes(batches, graph.vertices),
    )
    const found = await eclMis(device, store, batches, graph.vertices, initial, () => readWholeView(view), job)
    const { set } = found
    writeAside(args.resultFile, [set.bytes])
    const { size, hash } = set.summary()
    const computedMs = performance.now() - startMs
    const verification = args.verify ? verifyIndependentSet(graph, labels, set, exclude, job) : null
    return {
      algorithm: 'ecl-mis',
      devices: [device.facts],
      options: {
        priority: args.priority,
        seed: args.seed,
        batches: batches.length,
        memoryBytes: args.memoryBytes ?? null,
      },
      result: { kind: 'independent-set', size, fraction: graph.vertices === 0 ? 0 : size / graph.vertices, hash },
      rounds: found.rounds,
      roundCounts: found.roundCounts,
      time: {
        prepareMs: view.buildMs,
        computeMs: found.computeMs,
        kernelMs: found.kernelMs,
        exchangeMs: 0,
        readMs: store.readMs,
        totalMs: computedMs,
      },
      bytes: {
        read: view.view.bytesRead,
        toDevice: device.copied.toDevice,
        fromDevice: device.copied.fromDevice,
        exchanged: 0,
      },
      passes: found.passes,
      plan,
      verification,
    }
  } catch (error) {
    rmSync(args.resultFile, { force: true })
    throw error
  } finally {
    prepared?.view.close()
    device.close()
    graph.close()
  }
}

/** Cuts the batches so that two of them and the vertex states fit the budget, or one where two cannot. */
function planRun(
  args: RunArgs,
  graph: GaloisGr,
  prepared: PreparedView,
  device: Device,
): { batches: Batch[]; plan: RunPlan } {
  const { vertices, arcs } = graph
  const whole = planBatches(prepared.tailOffsets, {
    batches: args.batches,
    maxBufferBytes: device.maxBufferBytes,
    maxBatchBytes: Infinity,
  })
  const needed = (batches: readonly Batch[]): number =>
    batches.reduce((sum, batch) => sum + batchBytes(batch), workspaceBytes(batches, vertices))
  const budget = args.memoryBytes ?? Infinity
  let batches = whole
  if (needed(whole) > budget) {
    // Room for two batches, and for lists and positions as large again.
    const maxBatchBytes = Math.floor((budget - workspaceBytes([], vertices)) / 4)
    batches = planBatches(prepared.tailOffsets, {
      batches: args.batches,
      maxBufferBytes: device.maxBufferBytes,
      maxBatchBytes,
    })
  }
  const plan: RunPlan = {
    vertices,
    arcs,
    batches: batches.length,
    hostBytes: 4 * (vertices + 1) + Math.ceil(vertices / 4) * 2,
    deviceBytes: Math.min(needed(batches), budget),
    viewBytes: viewBytes(vertices, prepared.tailOffsets[vertices]!),
  }
  return { batches, plan }
}
