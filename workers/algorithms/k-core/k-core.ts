import type { JobContext } from '../../base/job.ts'
import { checkCores } from '../../verify/verify-cores.ts'
import type { Algorithm, Answer, ResultVerifier, Run } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import { planRanges, rangeRecord, rangeTasks, rangesOf } from '../range-run.ts'
import { onRangeWorkers } from '../range-task.ts'
import { valuesAnswer, valuesOf, valuesVerdict } from '../values-answer.ts'
import { type CoreSweeps, coreWorks, coreKernels, coreSpaceBytes, degreeBounds, shareCores } from './compute-cores.ts'

/** Core numbers by falling bounds (Lu et al., Nature Communications 2016). */
export const kCore: Algorithm = {
  requireOptions: () => {},
  plan: (request) => {
    const { size, devices } = request
    return planRanges(request, (own) => coreSpaceBytes(size.vertices, own), hostBytesFor(size.vertices, devices.length))
  },
  improvePasses: () => 0,
  severalGpus: 'useful',
  kernels: () => coreKernels,
  compute,
  verifier: { plan: ({ vertices }) => ({ hostBytes: 16 * vertices + (512 << 20), passes: 3 }), verify },
}

/** Bounds, what fell of them, and the bits of every worker. */
const hostBytesFor = (vertices: number, workers: number): number => 8 * vertices + (workers * vertices) / 8

function verify(stored: Parameters<ResultVerifier['verify']>[0], job: JobContext) {
  const startMs = performance.now()
  const { witness, figures } = checkCores(stored.graph, valuesOf(stored), job)
  return Promise.resolve(valuesVerdict(stored, witness, figures, startMs))
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, device, devices } = run
  const { vertices } = graph
  const startMs = performance.now()
  const bounds = rangesOf(run)
  const shared = shareCores(vertices, bounds)
  const identity = { graph: args.checksum, order: 'core-bounds', tiles: '', vertices }
  const checkpoint = Checkpoint.of<CoreSweeps>(args, identity)
  const kept = checkpoint?.start()
  if (kept === undefined) degreeBounds(graph, shared.cores)
  else shared.cores.set(kept.parts[0]!)
  const checkpointer = checkpoint && {
    isDue: () => checkpoint.isDue(true),
    keep: (sweeps: CoreSweeps) => checkpoint.write([shared.cores], sweeps),
  }
  const works = coreWorks(kept?.notes, checkpointer)
  const tasks = rangeTasks(run, bounds, shared)
  const { outcome: sweeps, reports } = await onRangeWorkers(tasks, 'follow-cores', device, job, works)
  await run.checked()
  const timing = { startMs, hostBytes: hostBytesFor(vertices, devices.length) }
  return valuesAnswer(
    run,
    {
      ...{ values: shared.cores, figures: coreFigures(shared.cores), workers: reports, checkpoint },
      record: (result) => {
        const record = rangeRecord(run, reports, result, timing)
        return {
          ...record,
          rounds: sweeps.length,
          passes: sweeps.length,
          counters: { fallen: sweeps.reduce((sum, fell) => sum + fell, 0) },
          series: [{ name: 'fell', unit: 'vertices', values: sweeps }, ...record.series],
        }
      },
    },
    kCore.verifier!,
    job,
  )
}

/** The largest core number, and how many have it. */
export function coreFigures(cores: Uint32Array) {
  let [degeneracy, inmost] = [0, 0]
  for (const core of cores) degeneracy = Math.max(degeneracy, core)
  for (const core of cores) if (core === degeneracy) inmost++
  return { degeneracy, inmost }
}
