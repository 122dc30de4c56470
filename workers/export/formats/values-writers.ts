import type { JobContext } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Labels } from '../../graph/labels.ts'
import { listsOf } from '../../graph/scan-lists.ts'
import { classesOf, NO_VALUE } from '../../graph/result-file.ts'

/** A line for each value that occurs, ascending. */
export function* classLines(values: Uint32Array, labels: Labels): Generator<string> {
  const { starts, order } = classesOf(values)
  for (let value = 0; value + 1 < starts.length; value++) {
    const [first, end] = [starts[value]!, starts[value + 1]!]
    for (let at = first; at < end; at++) yield `${labels.of(order[at]!)}${at + 1 < end ? ' ' : '\n'}`
  }
}

/** Columns of the matrix, and aggregated vertices. */
function sizeOf(aggregates: Uint32Array): { readonly columns: number; readonly entries: number } {
  let [columns, entries] = [0, 0]
  for (const aggregate of aggregates) {
    if (aggregate === NO_VALUE) continue
    entries++
    columns = Math.max(columns, aggregate + 1)
  }
  return { columns, entries }
}

/** As Matrix Market. */
export function* prolongation(aggregates: Uint32Array): Generator<string> {
  const { columns, entries } = sizeOf(aggregates)
  yield '%%MatrixMarket matrix coordinate integer general\n'
  yield `${aggregates.length} ${columns} ${entries}\n`
  for (let v = 0; v < aggregates.length; v++) if (aggregates[v] !== NO_VALUE) yield `${v + 1} ${aggregates[v]! + 1} 1\n`
}

/** The graph of aggregates as Matrix Market; of parallel edges, whose weights are to be added, a line each. */
export function* quotient(aggregates: Uint32Array, graph: GaloisGr, job: JobContext): Generator<string> {
  const { columns } = sizeOf(aggregates)
  let count = 0
  for (const _ of edgesBetween(aggregates, graph, job, 'count')) count++
  yield '%%MatrixMarket matrix coordinate real symmetric\n'
  yield `${columns} ${columns} ${count}\n`
  for (const [a, b, weight] of edgesBetween(aggregates, graph, job, 'write'))
    yield `${Math.max(a, b) + 1} ${Math.min(a, b) + 1} ${weight}\n`
}

function* edgesBetween(aggregates: Uint32Array, graph: GaloisGr, job: JobContext, phase: string) {
  for (const { first, offsets, targets, firstArc } of listsOf(graph, job, phase)) {
    const weights = graph.weighted ? graph.readWeights(firstArc, firstArc + targets.length) : undefined
    for (let row = 0; row + 1 < offsets.length; row++)
      for (let at = offsets[row]!; at < offsets[row + 1]! && targets[at]! < first + row; at++) {
        const [a, b] = [aggregates[first + row]!, aggregates[targets[at]!]!]
        if (a !== b && a !== NO_VALUE && b !== NO_VALUE) yield [a, b, weights?.[at] ?? 1] as const
      }
  }
}
