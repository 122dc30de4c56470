import { join } from 'node:path'
import { readSealed, writeSealed } from '../base/sealed-json.ts'
import { throwIfCancelled } from '../job.ts'
import type { JobContext } from '../job.ts'
import type { DegreeDistribution, DegreesArgs } from '../jobs.ts'
import { openGraph } from './open-graph.ts'

const DEGREES_FILE = 'degrees.json'
/** Offsets read at a time: 8 MiB. */
const STEP = 1 << 20
/** Degrees up to this one are counted one by one. */
const EXACT = 64

/**
 * Counts the vertices of every degree by one walk over the offsets; kept beside the graph for the next time.
 * @throws Failure (input) when the graph is damaged; (cancelled)
 */
export function degreeDistribution({ folder, checksum }: DegreesArgs, job: JobContext): DegreeDistribution {
  const file = join(folder, DEGREES_FILE)
  const kept = keptDistribution(file, checksum)
  if (kept !== null) return kept
  const distribution = count({ folder, checksum }, job)
  writeSealed(file, { graph: checksum, distribution })
  return distribution
}

/** null where there is none, or one of another graph. */
function keptDistribution(file: string, checksum: string): DegreeDistribution | null {
  const kept = readSealed(file) as { readonly graph: string; readonly distribution: DegreeDistribution } | undefined
  return kept?.graph === checksum ? kept.distribution : null
}

function count({ folder, checksum }: DegreesArgs, job: JobContext): DegreeDistribution {
  const graph = openGraph(folder, checksum, job)
  try {
    const { vertices } = graph
    const starts = binStarts(graph.arcs)
    const exact = new Float64Array(EXACT + 1)
    const bins = new Float64Array(starts.length)
    for (let first = 0; first < vertices; first += STEP) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'degrees', done: first, total: vertices, unit: 'vertices' })
      const offsets = graph.readOffsets(first, Math.min(vertices, first + STEP))
      for (let i = 0; i + 1 < offsets.length; i++) {
        const degree = offsets[i + 1]! - offsets[i]!
        if (degree <= EXACT) exact[degree]!++
        if (degree > 0) bins[binOf(starts, degree)]!++
      }
    }
    return {
      vertices,
      bins: starts.flatMap((from, i) => {
        const to = (starts[i + 1] ?? Infinity) - 1
        return bins[i] === 0 ? [] : [{ from, to, vertices: bins[i]! }]
      }),
      exact: Array.from(exact, (vertices, degree) => ({ degree, vertices })).filter(({ vertices }) => vertices > 0),
    }
  } finally {
    graph.close()
  }
}

/** 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20 ...: four bins an octave where whole numbers allow, up past the largest degree. */
export function binStarts(largest: number): number[] {
  const starts: number[] = []
  for (let octave = 1; octave <= 2 * Math.max(1, largest); octave *= 2)
    for (let quarter = 0; quarter < 4; quarter++) {
      const start = octave + (octave * quarter) / 4
      if (Number.isInteger(start)) starts.push(start)
    }
  return starts
}

/** The last bin that starts at or below a degree. */
function binOf(starts: readonly number[], degree: number): number {
  let low = 0
  let high = starts.length
  while (low + 1 < high) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= degree) low = middle
    else high = middle
  }
  return low
}
