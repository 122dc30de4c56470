import { join } from 'node:path'
import { GaloisGr } from '../../graph/galois-gr.ts'
import { defaultBudgetBytes } from '../../graph/prepare-view.ts'
import type { PlanArgs } from '../../jobs.ts'
import { sampleGraphFile } from '../plan-sample.ts'
import { importStep } from '../plan-steps.ts'
import type { Subject } from './forecast.ts'

/** @throws Failure (input) for a file that is no graph */
export function subjectOf({ target, hostBytes }: Pick<PlanArgs, 'target' | 'hostBytes'>): Subject {
  const hostBudget = hostBytes ?? defaultBudgetBytes()
  if (target.kind === 'file') {
    const file = sampleGraphFile(target.source, target.format)
    const { vertices, arcs, weighted, exact } = file
    const basis = `${file.format}, ${file.basis}`
    const steps = [importStep(file, hostBudget)]
    return { vertices, arcs, weighted, exact, basis, dataset: undefined, steps, hostBudget }
  }
  const { folder, checksum } = target
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  const { vertices, arcs, layout } = graph
  graph.close()
  const known = { vertices, arcs, weighted: layout.weighted, exact: true, basis: 'the dataset' }
  return { ...known, dataset: { folder, checksum }, steps: [], hostBudget }
}

/** Looks into the graph of a dataset. */
export function withGraph<T>({ folder }: { readonly folder: string }, look: (graph: GaloisGr) => T): T {
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  try {
    return look(graph)
  } finally {
    graph.close()
  }
}
