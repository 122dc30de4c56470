import { closeSync } from 'node:fs'
import { NONE } from '../../../kernels/matching/match-state.ts'
import { openFile } from '../../base/file-bytes.ts'
import type { JobContext } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import { sliceOf } from '../../graph/graph-slice.ts'
import { Matching } from '../../graph/matching.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { reportRound } from '../worker-report.ts'
import { DeviceMatching } from './device-matching.ts'
import { MatchingAcross } from './match-across.ts'
import { matchBesideFirst } from './match-beside.ts'
import { MatchingInPasses } from './match-in-passes.ts'
import { MatchingOnHosts } from './match-on-hosts.ts'
import type { ComputedMatching, MatchRequest } from './match-request.ts'
import { orderParams } from './match-setup.ts'
import { resumeOnHosts } from './resume-on-hosts.ts'

/**
 * A locally dominant matching (LD-GPU, SC 2024) in one or two passes over the file (docs/matching.md): a scan keeps the best neighbours of
 * every vertex, rounds point and match with these, and a vertex whose candidates are all matched scans its free neighbours again. The
 * matching is that of the serial loop over the edges in their order.
 */
export function computeMatching(request: MatchRequest, job: JobContext): Promise<ComputedMatching> {
  const { plan, exchange } = request
  if (plan.workers[0]!.gpu === 'rounds') {
    if (exchange !== undefined && exchange.rank > 0) return matchBesideFirst(request, exchange, job)
    return plan.keepsLists ? matchOnDevice(request, job) : new MatchingInPasses(request, job).run()
  }
  if (exchange !== undefined) return new MatchingAcross(request, exchange, job).run()
  return new MatchingOnHosts(request, job).run()
}

/** On one device that holds the graph. */
async function matchOnDevice(request: MatchRequest, job: JobContext): Promise<ComputedMatching> {
  const { graph, lead: device, start, checkpointer } = request
  const file = openFile(graph.path, 'r')
  const trace = new Trace(request.traced)
  let match: DeviceMatching | undefined
  try {
    match = await DeviceMatching.open(device, setupOf(request), file, trace, job.signal)
    const { rounds, reader } = match
    const { open, arcs } = rounds
    await device.takeKernelMs()
    const startMs = performance.now()
    const pointers = new Uint32Array(new SharedArrayBuffer(4 * graph.vertices))
    await match.index() //                                                     ends of the lists
    const prepareMs = performance.now() - startMs
    if (start !== undefined) await rounds.restore(start.pointers, start.open, start.arcs)
    const afterBatch = (done: number, total: number): void => {
      job.progress({ phase: 'scan', done, total, unit: 'bytes' })
      // The first touch of memory costs more than the copy: it is hidden behind the lists.
      pointers.fill(NONE, Math.floor((touched / total) * pointers.length), Math.floor((done / total) * pointers.length))
      touched = done
    }
    let touched = 0
    await match.scan(start === undefined, afterBatch) //                       Algorithm 3: candidates
    const afterRounds = async (): Promise<void> => {
      reportRound(job, 'match', graph.vertices, open.at(-1)!, open.length)
      if (checkpointer?.isDue() !== true) return
      await rounds.pointers(pointers)
      checkpointer.keep({ pointers, open, arcs })
    }
    const isOver = graph.arcs === 0 || (await match.match(afterRounds)) // Algorithm 1, lines 3-10
    await rounds.pointers(pointers)
    const matching = isOver ? new Matching(graph.arcs === 0 ? pointers.fill(NONE) : pointers) : undefined
    await match.verify()
    const { bytesRead, readMs } = reader
    const kernelMs = await device.takeKernelMs()
    const times = { readMs, kernelMs, waitMs: 0, exchanged: 0, sweeps: 0, spans: trace.spans }
    const worker = { device: device.facts, bytesRead, ...times, ...device.copied }
    const computeMs = (): number => performance.now() - startMs - prepareMs
    if (matching !== undefined)
      return { matching, workers: [worker], passes: 1, open, arcs, prepareMs, computeMs: computeMs() }
    const rest = await resumeOnHosts(request, { pointers, open, arcs }, job)
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
  own: sliceOf(new GraphPieces(graph.file, graph.checked.file), undefined),
  board: new ScanBoard().words,
  traced,
})
