import { join } from 'node:path'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import { readSealed, whereWritable, writeSealed } from '../base/output-file.ts'
import type { DegreeDistribution, GraphPlace } from '../contract/jobs.ts'
import { type GaloisGr, openGraph } from './galois-gr.ts'

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
  whereWritable(() => writeSealed(file, { graph: checksum, distribution }))
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

/** The least of the vertices with the most neighbours. */
export function largestVertex(graph: GaloisGr): number {
  let [best, most] = [0, -1]
  for (const { first, degrees } of degreeRuns(graph))
    for (let i = 0; i < degrees.length; i++)
      if (degrees[i]! > most) {
        best = first + i
        most = degrees[i]!
      }
  return best
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

/** Bytes of the host while a graph is peeled: its lists, degrees, levels and the vertices of a level. */
export const peelBytes = ({ vertices, arcs }: Pick<GaloisGr, 'vertices' | 'arcs'>): number => 4 * (arcs + 6 * vertices)

interface Peeling {
  /** The largest core number. */
  readonly degeneracy: number
  /** The round in which each vertex leaves, from 0 on. */
  readonly levels: Uint32Array
}

/**
 * Takes the vertices of degree at most k away, all at once, as long as there are some, for k = 0, 1, ... (Matula, Beck, Journal of the ACM 30(3), 1983).
 * A vertex has at most k neighbours that leave with it or after it: coloured from the last level to the first, degeneracy + 1 colours do.
 * @param pause called now and then; what it throws is thrown
 */
export function peel(graph: GaloisGr, pause: () => void): Peeling {
  const { vertices, arcs } = graph
  const starts = graph.readOffsets(0, vertices)
  const targets = readAll(graph, arcs, pause)
  const degrees = Uint32Array.from({ length: vertices }, (_, v) => starts[v + 1]! - starts[v]!)
  const levels = new Uint32Array(vertices).fill(LEFT)
  let [degeneracy, level] = [0, 0]
  /** Vertices that are left, of which those of small degree leave. */
  let left = Uint32Array.from({ length: vertices }, (_, v) => v)
  let leaving = new Uint32Array(vertices)
  let next = new Uint32Array(vertices)
  for (let k = 0; left.length > 0; k++) {
    let [count, kept, least] = [0, 0, Infinity]
    for (const v of left) {
      if (levels[v] !== LEFT) continue
      if (degrees[v]! <= k) leaving[count++] = v
      else left[kept++] = v
      if (degrees[v]! > k) least = Math.min(least, degrees[v]!)
    }
    left = left.subarray(0, kept)
    if (count > 0) degeneracy = k
    else if (kept > 0) k = least - 1
    while (count > 0) {
      pause()
      for (let i = 0; i < count; i++) levels[leaving[i]!] = level
      let found = 0
      for (let i = 0; i < count; i++) {
        const v = leaving[i]!
        for (let at = starts[v]!; at < starts[v + 1]!; at++) {
          const u = targets[at]!
          // On its way down it passes k once.
          if (levels[u] === LEFT && degrees[u]!-- === k + 1) next[found++] = u
        }
      }
      ;[leaving, next] = [next, leaving]
      count = found
      level++
    }
  }
  return { degeneracy, levels }
}

const LEFT = 0xffffffff
const ARCS_PER_READ = 1 << 22

function readAll(graph: GaloisGr, arcs: number, pause: () => void): Uint32Array {
  const targets = new Uint32Array(arcs)
  for (let first = 0; first < arcs; first += ARCS_PER_READ) {
    pause()
    const end = Math.min(arcs, first + ARCS_PER_READ)
    graph.readTargets(first, end, targets.subarray(first, end))
  }
  return targets
}
