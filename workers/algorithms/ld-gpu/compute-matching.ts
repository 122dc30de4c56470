import type { JobContext } from '../../base/job.ts'
import { MatchingOnHosts } from './match-on-hosts.ts'
import type { ComputedMatching, MatchRequest } from './match-request.ts'
import { planOnHost } from './plan-match.ts'
import { closeSync } from 'node:fs'
import { NONE } from '../../../kernels/matching/match-state.ts'
import { Matching } from '../../graph/matching.ts'
import { openToRead } from '../../base/file-bytes.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { Trace } from '../../base/trace.ts'
import { DeviceMatching } from './device-matching.ts'
import { orderParams } from './match-setup.ts'

/**
 * A locally dominant matching in one or two passes over the canonical file (docs/matching.md): one
 * scan keeps the best neighbours of every vertex, rounds of pointing and matching go on with these, and only vertices whose neighbours
 * that they keep are all taken look again at those that are free. The matching is that of the serial loop over the edges in their order.
 */
export async function computeMatching(request: MatchRequest, job: JobContext): Promise<ComputedMatching> {
  const { plan, graph, order } = request
  if (plan.workers[0]!.gpu !== 'rounds') return new MatchingOnHosts(request, job).run()
  const size = { ...graph.file, readsWeights: order.weights === 'column' }
  const resume = (rest: MatchRequest): Promise<ComputedMatching> =>
    new MatchingOnHosts({ ...rest, plan: planOnHost(size) }, job).run()
  return matchOnDevice(request, resume, job)
}

/** Rounds after which the host goes on, if they still change little: it follows chains one by one. */
const MOST_ROUNDS = 64

/**
 * A matching on one device that holds the graph.
 * @param resume finishes what the device leaves, from where it stood
 */
export async function matchOnDevice(
  request: MatchRequest,
  resume: (request: MatchRequest) => Promise<ComputedMatching>,
  job: JobContext,
): Promise<ComputedMatching> {
  const { graph, lead: device, start, checkpointer } = request
  const file = openToRead(graph.path)
  const trace = new Trace(request.traced)
  let match: DeviceMatching | undefined
  try {
    match = await DeviceMatching.open(device, setupOf(request), file, trace, job.signal)
    const { open, arcs, reader } = match
    await device.takeKernelMs()
    const startMs = performance.now()
    const pointers = new Uint32Array(new SharedArrayBuffer(4 * graph.vertices))
    await match.index()
    const prepareMs = performance.now() - startMs
    if (start !== undefined) await match.restore(start.pointers, start.open, start.arcs)
    const afterBatch = (done: number, total: number): void => {
      job.progress({ phase: 'scan', done, total, unit: 'bytes' })
      // Memory that is touched for the first time costs more than what is copied there: better while lists are on their way.
      pointers.fill(NONE, Math.floor((touched / total) * pointers.length), Math.floor((done / total) * pointers.length))
      touched = done
    }
    let touched = 0
    await match.scan(start === undefined, afterBatch)
    const afterRounds = async (): Promise<void> => {
      const { vertices } = graph
      const done = vertices - open.at(-1)!
      job.progress({ phase: 'match', done, total: vertices, unit: 'vertices', round: open.length, decided: done })
      if (checkpointer?.isDue() !== true) return
      await match!.pointers(pointers)
      checkpointer.keep({ pointers, open, arcs })
    }
    // A graph without edges has no lists to look at.
    const isOver = graph.arcs === 0 || (await match.rounds(MOST_ROUNDS, afterRounds))
    await match.pointers(pointers)
    const matching = isOver ? new Matching(graph.arcs === 0 ? pointers.fill(NONE) : pointers) : undefined
    await match.verify()
    const { bytesRead, readMs } = reader
    const kernelMs = await device.takeKernelMs()
    const times = { readMs, kernelMs, waitMs: 0, exchanged: 0, sweeps: 0, spans: trace.spans }
    const worker = { device: device.facts, bytesRead, ...times, ...device.copied }
    const computeMs = (): number => performance.now() - startMs - prepareMs
    if (matching !== undefined)
      return { matching, workers: [worker], passes: 1, open, arcs, prepareMs, computeMs: computeMs() }
    const rest = await resume({ ...request, start: { pointers, open, arcs } })
    return { ...rest, workers: [worker], passes: 1 + rest.passes, prepareMs, computeMs: computeMs() }
  } finally {
    match?.release()
    closeSync(file)
  }
}

const setupOf = ({ graph, order, plan, traced }: MatchRequest) => ({
  graph: graph.file,
  crcs: graph.checked.handle.crcs,
  order: orderParams(order, graph.file),
  candidates: plan.candidates,
  unitsAPiece: 1,
  board: new ScanBoard().words,
  traced,
})
