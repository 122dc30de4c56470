import type { Device } from '../../device/device.ts'
import { readFully } from '../../base/file-bytes.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import { setOrder } from '../../graph/set-order.ts'
import { stateWords } from '../../graph/vertex-states.ts'
import type { JobContext } from '../../base/job.ts'
import type { Priority } from '../../contract/jobs.ts'
import { runInThread, allDone } from '../../threads/thread-pool.ts'
import type { WorkerReport } from '../worker-report.ts'
import { type DeviceReport, type DeviceTask, type SharedStates, scanOnDevice, statesOf } from './device-task.ts'
import { finishSet } from './finish-set.ts'
import { type HostStates, PackedStates } from './host-states.ts'
import { type HostReport, Processors, processorReport } from './processors.ts'
import type { SetPlan, WorkerPlan } from './plan-set.ts'
import type { Residual } from './host-kernels.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import type { ScanSetup } from './scan-setup.ts'

/** A set to be computed, planned and with its graph open. */
export interface SetRequest {
  readonly graph: GaloisGr
  readonly priority: Priority
  readonly seed: number
  readonly column?: Float64Array | undefined
  readonly plan: SetPlan
  /** The first worker's device, open; of a processor it is not used. */
  readonly lead: Device
  /** States to start from, two bits a vertex; undefined: all undecided. */
  readonly initial: Uint32Array | undefined
  readonly traced: boolean
  readonly checkpointer: StateCheckpointer | undefined
}

/** Keeps the states of a run now and then, so that another attempt goes on from there. */
export interface StateCheckpointer {
  isDue(): boolean
  keep(states: Uint32Array): void
}

export interface ComputedSet {
  readonly states: HostStates
  /** In the order of the plan. */
  readonly workers: readonly WorkerReport[]
  readonly passes: number
  readonly sweeps: number
  /** Vertices that the host decided when the lists had passed by. */
  readonly finished: number
  readonly prepareMs: number
  readonly computeMs: number
}

/** With so many vertices left over their lists are read again in a pass; fewer are read one by one. */
const MANY_LEFT = 1 << 14
/** A pass that leaves more than this share of what it was to decide is not repeated. */
const WORTHWHILE = 3 / 4

/**
 * A maximal independent set in one pass over the canonical file (docs/sets.md, "Sets in one pass"): every list is read once, in
 * file order, by whichever worker takes it; what stays undecided keeps its undecided neighbours of higher priority, and the host
 * decides the last of them in one walk. The set is that of the serial loop, whatever the workers, the batches and the timing.
 */
export async function computeSet(request: SetRequest, job: JobContext): Promise<ComputedSet> {
  const startMs = performance.now()
  const { graph, plan } = request
  const pieces = new GraphPieces(graph.file, graph.checked.file, plan.unitsAPiece)
  const board = new ScanBoard()
  const { crcs } = graph.checked.handle
  const order = setOrder({ ...request, ...graph.file }, pieces.sampleDegrees())
  const { unitsAPiece } = plan
  const unitBytes = PIECE_BYTES / unitsAPiece
  const setup = { graph: graph.file, crcs, order, board: board.words, unitsAPiece, traced: request.traced }
  const tell = (): void => {
    const done = Math.min(pieces.units, board.taken)
    job.progress({ phase: 'scan', done: done * unitBytes, total: pieces.units * unitBytes, unit: 'bytes' })
  }
  const first = await firstPass(request, setup, tell, job)
  let pass: Pass = first
  let passes = 1
  for (let before = Infinity; pass.left > MANY_LEFT && pass.left < WORTHWHILE * before; passes++) {
    before = pass.left
    pass = await passOnProcessors(request, setup, pass.states.packed(), tell, job)
  }
  const readTargets = (begin: number, end: number): Uint32Array => {
    const targets = new Uint32Array(end - begin)
    readFully(graph.checked.file, new Uint8Array(targets.buffer), graph.file.targetsAt + 4 * begin, graph.path)
    return targets
  }
  const finished = finishSet(pass.states, pass.residuals, pass.left, order, pieces, readTargets, job)
  const sweeps = Math.max(0, ...first.workers.map((worker) => worker.sweeps))
  const { prepareMs } = first
  const computeMs = performance.now() - startMs - prepareMs
  return { states: pass.states, workers: first.workers, passes, sweeps, finished, prepareMs, computeMs }
}

/** What a pass over the lists leaves. */
interface Pass {
  readonly states: HostStates
  readonly residuals: readonly Residual[]
  /** Vertices that wait without a record. */
  readonly left: number
}

/** The pass of the workers that the run was given. */
async function firstPass(
  { graph, plan: { workers }, lead, initial, checkpointer }: SetRequest,
  setup: ScanSetup,
  tell: () => void,
  job: JobContext,
): Promise<Pass & { readonly workers: readonly WorkerReport[]; readonly prepareMs: number }> {
  const { vertices } = graph
  const board = new ScanBoard(setup.board)
  const isHost = ({ layout }: WorkerPlan): boolean => layout === undefined
  const leads = isHost(workers[0]!)
  const hosts = workers.filter(isHost)
  const processors = hosts.length === 0 ? undefined : new Processors(setup, hosts, leads, job)
  board.begin(workers.length - hosts.length + (processors?.threads ?? 0))
  const shared = workers.length === 1 || workers.length === hosts.length ? undefined : shareStates(vertices, processors)
  const known = shared && statesOf(vertices, shared)

  const onDevice = async (plan: WorkerPlan, worker: number): Promise<DevicePart> => {
    const task: DeviceTask = { setup, device: plan.device, layout: plan.layout!, initial, shared }
    if (worker > 0) return { report: await runInThread('scan-set-on-device', task, plan.device), states: undefined }
    return scanOnDevice(task, lead, {
      signal: job.signal,
      afterBatch: async (scan) => {
        tell()
        const isKnown = known !== undefined && (processors === undefined || board.isIndexed)
        if (checkpointer?.isDue() === true) checkpointer.keep(isKnown ? known.packed() : await scan.packed())
      },
    })
  }
  const devices = new Map(workers.flatMap((plan, i) => (isHost(plan) ? [] : [[plan, onDevice(plan, i)] as const])))
  const host = processors && scanHosts(processors, initial, tell, checkpointer)
  await allDone<unknown>([...devices.values(), ...(host === undefined ? [] : [host])], board)

  const scanned = await host
  const parts = await Promise.all(devices.values())
  const residuals = [...parts.map(({ report }) => report), ...(scanned?.flat() ?? [])]
  const states = known ?? processors?.states ?? new PackedStates(vertices, parts[0]!.states!)
  const reports = await Promise.all(
    workers.map(async (plan): Promise<WorkerReport> => {
      const part = await devices.get(plan)
      return part?.report ?? processorReport(plan.device, scanned![hosts.indexOf(plan)]!)
    }),
  )
  return {
    states,
    residuals: residuals.map(({ residual }) => residual),
    left: residuals.reduce((sum, { left }) => sum + left, 0),
    workers: reports,
    prepareMs: scanned?.[0]?.[0]?.prepareMs ?? parts[0]!.report.prepareMs,
  }
}

interface DevicePart {
  readonly report: DeviceReport
  /** Two bits a vertex; of the leading device alone. */
  readonly states: Uint32Array | undefined
}

/** @returns what each thread of each worker did */
function scanHosts(
  processors: Processors,
  initial: Uint32Array | undefined,
  tell: () => void,
  checkpointer: StateCheckpointer | undefined,
): Promise<HostReport[][]> {
  return processors.scan(initial, () => {
    tell()
    if (checkpointer?.isDue() === true) checkpointer.keep(processors.states.packed())
  })
}

/** Another pass, over the pieces that still hold undecided vertices. */
async function passOnProcessors(
  { checkpointer, plan }: SetRequest,
  setup: ScanSetup,
  initial: Uint32Array,
  tell: () => void,
  job: JobContext,
): Promise<Pass> {
  const processors = new Processors(setup, [plan.again], true, job)
  const board = new ScanBoard(setup.board)
  board.begin(processors.threads)
  const all = (await scanHosts(processors, initial, tell, checkpointer)).flat()
  return {
    states: processors.states,
    residuals: all.map(({ residual }) => residual),
    left: all.reduce((sum, { left }) => sum + left, 0),
  }
}

/** What all workers know: of processors their own states, else two bits a vertex. */
function shareStates(vertices: number, processors: Processors | undefined): SharedStates {
  if (processors !== undefined) return { kind: 'bytes', words: processors.memory.states }
  return { kind: 'packed', words: new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, stateWords(vertices)))) }
}
