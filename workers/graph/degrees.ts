import { join } from 'node:path'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import { readSealed, writeSealed } from '../base/sealed-json.ts'
import type { DegreeDistribution, GraphPlace } from '../contract/jobs.ts'
import type { GaloisGr } from './galois-gr.ts'
import { openGraph } from './open-graph.ts'

const DEGREES_FILE = 'degrees.json'
/** 8 MiB of offsets. */
const STEP = 1 << 20
const LOW_DEGREES = 4096

/** Kept beside the graph. @throws Failure (input) when the graph is damaged; (cancelled) */
export function degreeDistribution({ folder, checksum }: GraphPlace, job: JobContext): DegreeDistribution {
  const file = join(folder, DEGREES_FILE)
  const kept = readSealed(file) as { readonly graph: string; readonly distribution: DegreeDistribution } | undefined
  if (kept?.graph === checksum) return kept.distribution
  const distribution = count({ folder, checksum }, job)
  writeSealed(file, { graph: checksum, distribution })
  return distribution
}

/** The degrees of the vertices [low, high), a run of them at a time, which begins with vertex `first`. */
export function* degreeRuns(graph: GaloisGr, low = 0, high = graph.vertices) {
  for (let first = low; first < high; first += STEP) {
    const offsets = graph.readOffsets(first, Math.min(high, first + STEP))
    const degrees = new Uint32Array(offsets.length - 1)
    for (let i = 0; i < degrees.length; i++) degrees[i] = offsets[i + 1]! - offsets[i]!
    yield { first, degrees }
  }
}

export function degreesOf(graph: GaloisGr): Uint32Array {
  const all = new Uint32Array(graph.vertices)
  for (const { first, degrees } of degreeRuns(graph)) all.set(degrees, first)
  return all
}

function count({ folder, checksum }: GraphPlace, job: JobContext): DegreeDistribution {
  const graph = openGraph(folder, checksum, job)
  try {
    const { vertices } = graph
    const low = new Float64Array(LOW_DEGREES)
    const high = new Map<number, number>()
    for (const { first, degrees } of degreeRuns(graph)) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'degrees', done: first, total: vertices, unit: 'vertices' })
      for (const degree of degrees) {
        if (degree < LOW_DEGREES) low[degree]!++
        else high.set(degree, (high.get(degree) ?? 0) + 1)
      }
    }
    const all = [...low.entries(), ...[...high].sort(([a], [b]) => a - b)]
    return { vertices, degrees: all.flatMap(([degree, of]) => (of === 0 ? [] : [{ degree, vertices: of }])) }
  } finally {
    graph.close()
  }
}
