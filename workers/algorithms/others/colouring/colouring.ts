/**
 * Colouring by Jones and Plassmann (SIAM Journal on Scientific Computing 14, 1993) as an Algorithm: a vertex takes the least colour that no
 * neighbour before it in the order has, so the colours are those of the greedy loop, on any devices. Orders are by hash, degree, smallest last,
 * or a column; colours may be balanced afterwards (Lu and others, IPDPS 2015). Rounds over batches cost the lists of waiting vertices.
 * colour-batches.ts and colour-on-processors.ts have the two ways.
 */

import { usageFailure } from '../../../base/failure.ts'
import { preparingBytes } from '../../../base/host-resources.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import type { RunArgs } from '../../../contract/jobs.ts'
import { type GaloisGr, idleRound } from '../../../graph/galois-gr.ts'
import { degreesOf, peel, peelBytes } from '../../../graph/degrees.ts'
import { sizesOf } from '../../../graph/result-file.ts'
import { orderName, rankVertices } from '../../../graph/set-order.ts'
import { verifyColouring } from './check-colouring.ts'
import { type Algorithm, type Answer, type Run, sizeFigures, valuesAnswer, valuesVerifier } from '../../algorithm.ts'
import { type PlanEstimate, type PlanRequest, attempt } from '../../plan-request.ts'
import { resumeStates } from '../../checkpoint.ts'
import { onThreads, planRanges, roundsRecord, runRanges } from '../../range-run.ts'
import { MirroredWords, type RangeWork, type RangeWorks } from '../../range-task.ts'
import { readLists } from '../../run-lists.ts'
import { requireColumn } from '../../set-answer.ts'
import { reportRound } from '../../worker-report.ts'
import {
  type Lefts,
  type SharedColouring,
  shareColouring,
  shareLists,
  type ColouringWorker,
  ColourBatches,
  batchSpaceBytes,
} from './colour-batches.ts'
import { scanLists } from '../../../graph/scan-lists.ts'
import { colourPredecessors } from '../../../../kernels/colouring/colour-predecessors.ts'
import { colourVisit } from '../../../../kernels/colouring/colour-visit.ts'
import { colourOnProcessors } from './colour-on-processors.ts'

const verifier = valuesVerifier(
  ({ vertices }) => ({ hostBytes: 12 * vertices + (64 << 20), passes: 1 }),
  (values, { graph }, job) => verifyColouring(graph, values, job),
)

/** The most passes over the file. */
const BALANCE_PASSES = 8

/** Colouring by Jones and Plassmann (1993): the colours of the greedy loop in order of priority, on any devices. */
export const colouring: Algorithm = {
  requireOptions: (options) => requireColumn(options.priority, options),
  plan,
  improvePasses: ({ balance }) => (balance === true ? BALANCE_PASSES : 0),
  severalGpus: 'useful',
  kernels: () => colouringWorks.kernels,
  compute,
  verifier,
}

function plan(request: PlanRequest): PlanEstimate {
  const { size, options } = request
  const { vertices } = size
  const space = (own: number): number => colouringSpaceBytes(vertices, own)
  const found = planRanges(request, space, hostBytesOf(options.priority, size))
  const { refusal } = attempt(() => requirePeelable(options.priority, size))
  return { ...found, refusal: found.refusal ?? refusal }
}

/** Keys and colours, the result, and what orders the vertices. */
const hostBytesOf = (priority: RunArgs['priority'], size: Pick<GaloisGr, 'vertices' | 'arcs'>): number =>
  16 * size.vertices + (priority === 'smallest-last' ? peelBytes(size) : 0)

/** @throws Failure (usage) where the lists do not fit the host's memory */
function requirePeelable(priority: RunArgs['priority'], size: Pick<GaloisGr, 'vertices' | 'arcs'>): void {
  if (priority !== 'smallest-last' || peelBytes(size) <= preparingBytes()) return
  throw usageFailure(
    undefined,
    'the order smallest-last needs the whole graph in memory, and it does not fit',
    'Use largest-first, which streams what does not fit.',
    [{ action: 'choose', option: 'priority' }],
  )
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const fromMs = performance.now()
  // Places in the lists are words.
  const isWide = graph.arcs >= 2 ** 32
  const space = (own: number): number => colouringSpaceBytes(graph.vertices, own)
  const threaded = isWide ? { ...run, each: 1, holdsLists: false } : onThreads(run, space)
  const keyed = shareColouring(graph.vertices, Math.imul(args.seed, 0x9e3779b9) >>> 0)
  const column = args.priority === 'column' ? await columnOf(run) : undefined
  keyed.keys.set(keysOf(args, graph, column, job))
  const order = `colouring-${args.priority}${orderName({ priority: 'column', seed: args.seed, column })}`
  const { vertices, arcs } = graph
  const { checkpoint, ...kept } = resumeStates<Lefts>(args, { order, vertices }, false, [keyed.colours])
  const lists = threaded.holdsLists ? shareLists(keyed, arcs, threaded.devices.length) : undefined
  const shared = { ...keyed, lists }
  const found = await runRanges(threaded, job, shared, colouringWorks, kept)
  const colours = shared.colours.slice()
  const balanceStartMs = performance.now()
  const moves = args.balance === true ? balanceColours(graph, colours, job) : []
  const balanceMs = performance.now() - balanceStartMs
  const sizes = sizesOf(colours)
  const figures = { colours: sizes.length, ...sizeFigures(sizes) }
  const record = roundsRecord(run, found, { hostBytes: hostBytesOf(args.priority, graph), fromMs })
  const balanced = { moved: moves.reduce((sum, each) => sum + each, 0), balanceMs }
  return valuesAnswer(run, {
    ...{ values: colours, figures, workers: found.reports, checkpoint },
    record: {
      ...record,
      options: { priority: args.priority ?? 'largest-first', ...record.options, balance: args.balance ?? null },
      counters: { ...record.counters, ...(args.balance === true ? balanced : {}) },
      series: [...record.series, { name: 'classSizes', of: 'value', unit: 'vertices', values: [...sizes] }],
    },
  })
}

async function columnOf({ args, graph, labels }: Run): Promise<Float64Array | undefined> {
  const { columnFile, columnName, folder } = args
  const place = { folder, vertices: graph.vertices, labels: labels() }
  return (await readLists({ columnFile, columnName }, place)).column
}

/** The larger first: see {@link SharedColouring}. */
function keysOf(
  { priority, seed }: RunArgs,
  graph: GaloisGr,
  column: Float64Array | undefined,
  job: JobContext,
): SharedColouring['keys'] {
  const { vertices, arcs } = graph
  if (priority === 'hash') return new Uint32Array(vertices)
  if (priority === 'smallest-last') return peel(graph, () => throwIfCancelled(job.signal)).levels
  const degrees = degreesOf(graph)
  if (priority !== 'column') return degrees
  return rankVertices('column', { vertices, arcs, degrees, seed, column }).rank
}

/**
 * Moves vertices of classes that are larger than the mean to the smallest class that has none of their neighbours and is below it (Lu, Halappanavar,
 * Chavarria-Miranda, Gebremedhin, Kalyanaraman, IPDPS 2015, vertex-based scheduled balancing), in passes over the file in its order. No colour
 * is added.
 * @returns vertices that moved in each pass
 */
function balanceColours(graph: GaloisGr, colours: Uint32Array, job: JobContext): number[] {
  const sizes = sizesOf(colours)
  const classes = sizes.length
  const mean = Math.ceil(colours.length / Math.max(1, classes))
  /** The last vertex beside which a colour was seen, of this pass. */
  const seen = new Float64Array(classes)
  const moves: number[] = []
  for (let pass = 0; pass < BALANCE_PASSES && sizes.some((size) => size > mean); pass++) {
    let moved = 0
    seen.fill(-1)
    scanLists(graph, job, 'balance', ({ first, offsets, targets }) => {
      for (let row = 0; row + 1 < offsets.length; row++) {
        const v = first + row
        if (sizes[colours[v]!]! <= mean) continue
        for (let at = offsets[row]!; at < offsets[row + 1]!; at++) seen[colours[targets[at]!]!] = v
        let best = -1
        for (let colour = 0; colour < classes; colour++)
          if (seen[colour] !== v && sizes[colour]! < (best < 0 ? mean : sizes[best]!)) best = colour
        if (best < 0) continue
        sizes[colours[v]!]!--
        sizes[best]!++
        colours[v] = best
        moved++
      }
    })
    moves.push(moved)
    if (moved === 0) break
  }
  return moves
}

/** Bytes on a device: keys and colours, and what its own vertices take. */
const colouringSpaceBytes = (vertices: number, own: number): number => 8 * vertices + batchSpaceBytes(own)

/**
 * Colours by Jones and Plassmann (1993) in rounds over the batches of every worker. A batch is visited until it waits for others, so that one that is
 * read from the file again has its vertices coloured as far as they can be.
 */
async function computeColouring(worker: ColouringWorker): Promise<RangeWork<Lefts>> {
  const { task, device, graph, trace, job, plan, workers } = worker
  const { shared, before = [] } = task
  const keys = await device.share('keys', shared.keys)
  const colours = await MirroredWords.open(worker, 'colours', shared.colours)
  const batches = await ColourBatches.open(worker, { keys, colours: colours.buffer })
  await worker.ready()
  const lefts = [...before]
  const pause = async (): Promise<void> => {
    throwIfCancelled(job.signal)
    if (workers > 1) return
    reportRound(job, 'round', graph.vertices, batches.left, lefts.length + 1)
    // A resumed run has the rounds of one that was not interrupted.
    if (plan.batches.length > 1 || worker.isDue() === 0) return
    await colours.publish()
    worker.keep(lefts)
  }
  for (let left = before.at(-1) ?? graph.vertices; left > 0;) {
    await batches.round(pause)
    await trace.span('exchange', 'publish colours', () => colours.publish())
    const [total = 0, keeps = 0] = await worker.sum('for colours', [batches.left, worker.isDue()])
    if (workers > 1) await trace.span('exchange', 'take colours', () => colours.take())
    if (total >= left) throw idleRound(graph.path, lefts.length + 1)
    left = total
    lefts.push(left)
    reportRound(job, 'round', graph.vertices, left, lefts.length)
    // Until it is written, no worker changes its colours.
    if (keeps > 0) worker.keep(lefts)
    await worker.arrive('for other workers')
  }
  batches.release()
  device.release(keys)
  colours.release()
  return { outcome: lefts, exchanged: colours.exchanged }
}

export const colouringWorks: RangeWorks<SharedColouring, Lefts, Lefts> = {
  follow: 'colour-range',
  kernels: [colourPredecessors, colourVisit],
  needs: ({ bounds, worker }, { vertices }) => ({
    spaceBytes: colouringSpaceBytes(vertices, bounds[worker + 1]! - bounds[worker]!),
    sharedBytes: 8 * vertices,
  }),
  compute: (worker) => {
    const { lists } = worker.task.shared
    return lists === undefined ? computeColouring(worker) : colourOnProcessors(worker, lists)
  },
}
