import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { BatchStore } from '../device/batch-store.ts'
import { openDevice } from '../device/open-device.ts'
import { noExchange } from '../exchange/exchange.ts'
import { GaloisGr } from '../graph/galois-gr.ts'
import { openLabels } from '../graph/labels.ts'
import type { PreparedView } from '../graph/prepare-view.ts'
import { prepareView, readPositions, readWholeView } from '../graph/prepare-view.ts'
import { readVertexColumn, readVertexList } from '../graph/vertex-lists.ts'
import { writeAside } from '../graph/view-file.ts'
import type { JobContext } from '../job.ts'
import type { RunArgs, RunOutcome } from '../jobs.ts'
import { verifyIndependentSet } from '../verification/verify-independent-set.ts'
import { eclMis } from './ecl-mis.ts'
import { initialStates } from './initial-states.ts'
import { planOn } from './plan.ts'
import { workspaceBytes } from './mis-workspace.ts'
import { planRun } from './plan-run.ts'

/** Job `run`: prepares the view, plans, computes, stores the set, verifies. */
export async function runAlgorithm(args: RunArgs, job: JobContext): Promise<RunOutcome> {
  const startMs = performance.now()
  const graph = GaloisGr.open(join(args.folder, 'graph.gr'))
  const device = await openDevice(args.device)
  let prepared: PreparedView | undefined
  try {
    const target = { kind: 'dataset', folder: args.folder, checksum: args.checksum } as const
    const { refusal } = planOn({ ...args, target }, device.facts)
    if (refusal !== null) throw new Failure(refusal)
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
    const part = { device, store, batches, vertices: graph.vertices, exchange: noExchange, states: initial }
    const found = await eclMis(part, () => readWholeView(view), job)
    store.release()
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
