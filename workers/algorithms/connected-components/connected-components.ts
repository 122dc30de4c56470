import type { JobContext } from '../../base/job.ts'
import { checkComponents } from '../../verify/verify-subgraphs.ts'
import type { Algorithm, Answer, Run } from '../algorithm.ts'
import { planRanges, rangeRecord, runRanges } from '../range-run.ts'
import { valuesAnswer, valuesVerifier } from '../values-answer.ts'
import { componentSpaceBytes, componentWorks, shareForests } from './compute-components.ts'

/** Connected components in one pass (ECL-CC, HPDC 2018). */
export const connectedComponents: Algorithm = {
  plan: (request) => {
    const { size, devices } = request
    const workers = devices.length
    return planRanges(request, () => componentSpaceBytes(size.vertices, workers), 4 * size.vertices * (workers + 1))
  },
  severalGpus: 'needless',
  kernels: () => componentWorks.kernels,
  compute,
  verifier: valuesVerifier(
    ({ vertices }) => ({ hostBytes: 12 * vertices + (64 << 20), passes: 1 }),
    (names, { graph }, job) => checkComponents(graph, names, job),
  ),
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { graph, devices } = run
  const forests = shareForests(graph.vertices, devices.length)
  const hostBytes = 4 * graph.vertices * (devices.length + 1)
  const found = await runRanges(run, job, forests, componentWorks)
  const values = forests[0]!
  const record = rangeRecord(run, found, { hostBytes })
  return valuesAnswer(run, { values, figures: componentFigures(values), workers: found.reports, record })
}

/** How many components there are, and their sizes in short. @param names of the component of every vertex: its least vertex */
function componentFigures(names: Uint32Array) {
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
