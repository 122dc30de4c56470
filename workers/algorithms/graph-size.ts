import { GaloisGr } from '../graph/galois-gr.ts'
import { openGraph } from '../graph/open-graph.ts'
import { preparingBytes } from '../base/host-memory.ts'
import { quietJob } from '../base/job.ts'
import type { PlanArgs, RunArgs } from '../contract/jobs.ts'
import { importStep, sampleGraphFile } from '../import/estimate.ts'
import type { GraphSize } from './estimate.ts'

/** @throws Failure (input) for a file that is no graph */
export function sizeOfTarget({ target, hostBytes }: Pick<PlanArgs, 'target' | 'hostBytes'>): GraphSize {
  const hostBudget = hostBytes ?? preparingBytes()
  if (target.kind === 'file') {
    const file = sampleGraphFile(target.source, target.format)
    const { vertices, arcs, weighted, exact } = file
    const basis = `${file.format}, ${file.basis}`
    const steps = [importStep(file, hostBudget)]
    return { vertices, arcs, weighted, exact, basis, dataset: undefined, steps, hostBudget }
  }
  const { folder, checksum } = target
  const { vertices, arcs, weighted } = withGraph({ folder, checksum }, (graph) => graph)
  const known = { vertices, arcs, weighted, exact: true, basis: 'the dataset' }
  return { ...known, dataset: { folder, checksum }, steps: [], hostBudget }
}

/** That of a run whose graph is open. */
export function sizeOfGraph({ folder, checksum, unchecked }: RunArgs, graph: GaloisGr): GraphSize {
  const { vertices, arcs, weighted } = graph
  const dataset = unchecked === undefined ? { folder, checksum } : undefined
  const hostBudget = preparingBytes()
  return { vertices, arcs, weighted, exact: true, basis: 'the dataset', dataset, steps: [], hostBudget }
}

/** Looks into the graph of a dataset. */
export function withGraph<T>(
  { folder, checksum }: { readonly folder: string; readonly checksum: string },
  look: (graph: GaloisGr) => T,
): T {
  const graph = openGraph(folder, checksum, quietJob)
  try {
    return look(graph)
  } finally {
    graph.close()
  }
}
