import type { JobContext } from '../../base/job.ts'
import { checkComponents } from '../../verify/verify-components.ts'
import type { Algorithm, Answer, ResultVerifier, Run } from '../algorithm.ts'
import { planRanges, rangeRecord, rangeTasks, rangesOf } from '../range-run.ts'
import { onRangeWorkers } from '../range-task.ts'
import { valuesAnswer, valuesOf, valuesVerdict } from '../values-answer.ts'
import { componentKernels, componentSpaceBytes, componentWorks, shareForests } from './compute-components.ts'

/** Connected components in one pass (ECL-CC, HPDC 2018). */
export const connectedComponents: Algorithm = {
  requireOptions: () => {},
  plan: (request) => {
    const { size, devices } = request
    const workers = devices.length
    return planRanges(request, () => componentSpaceBytes(size.vertices, workers), 4 * size.vertices * (workers + 1))
  },
  improvePasses: () => 0,
  severalGpus: 'needless',
  kernels: () => componentKernels,
  compute,
  verifier: { plan: ({ vertices }) => ({ hostBytes: 12 * vertices + (64 << 20), passes: 1 }), verify },
}

function verify(stored: Parameters<ResultVerifier['verify']>[0], job: JobContext) {
  const startMs = performance.now()
  const { witness, figures } = checkComponents(stored.graph, valuesOf(stored), job)
  return Promise.resolve(valuesVerdict(stored, witness, figures, startMs))
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { graph, device, devices } = run
  const { vertices } = graph
  const startMs = performance.now()
  const shared = shareForests(vertices, devices.length)
  const tasks = rangeTasks(run, rangesOf(run), shared)
  const { reports } = await onRangeWorkers(tasks, 'follow-components', device, job, componentWorks)
  await run.checked()
  const values = shared.forests[0]!
  const timing = { startMs, hostBytes: 4 * vertices * (devices.length + 1) }
  return valuesAnswer(
    run,
    {
      ...{ values, figures: componentFigures(values), workers: reports, checkpoint: undefined },
      record: (result) => rangeRecord(run, reports, result, timing),
    },
    connectedComponents.verifier!,
    job,
  )
}

/** How many components there are, and their sizes in short. @param names of the component of every vertex: its least vertex */
export function componentFigures(names: Uint32Array) {
  const sizes = new Uint32Array(names.length)
  for (const name of names) sizes[name]!++
  let [components, largest, isolated] = [0, 0, 0]
  for (const size of sizes) {
    if (size > 0) components++
    if (size === 1) isolated++
    largest = Math.max(largest, size)
  }
  return { components, largest, isolated }
}
