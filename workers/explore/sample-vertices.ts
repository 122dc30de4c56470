import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { Adjacency } from './adjacency.ts'

/** Where fires begin, as many as look alike on graphs of one component; more are lit where they go out. */
const FIRES = 8
/** Neighbours that each vertex sets on fire. */
const BURNT = 3
/** Of a longer list, so many are looked at. */
const MOST_READ = 1 << 12

/**
 * A connected-looking sample of a graph that is too large to be read for a drawing: J. Leskovec, C. Faloutsos, "Sampling from large
 * graphs" (2006), forest fire. Which neighbours burn is decided by a hash, so that it is the same sample every time.
 * @returns at most `count` vertices, ascending
 */
export function sampleVertices(graph: Adjacency, count: number, job: JobContext): Uint32Array {
  const { vertices } = graph
  const taken = new Set<number>()
  const front: number[] = []
  const light = (v: number): void => {
    if (taken.has(v) || taken.size >= count) return
    taken.add(v)
    front.push(v)
  }
  for (let fire = 0; taken.size < Math.min(count, vertices) && fire < 4 * count; fire++) {
    const start = mix(fire) % vertices
    if (fire < FIRES || graph.degree(start) > 0) light(start)
    // The first fires burn beside each other; each later one until it goes out.
    if (fire + 1 < FIRES) continue
    for (let at = 0; at < front.length && taken.size < count; at++) {
      throwIfCancelled(job.signal)
      const v = front[at]!
      const burning = [...graph.neighbours(v, MOST_READ)].map((u) => ({ u, rank: mix(u ^ Math.imul(v, 0x9e3779b1)) }))
      burning.sort((a, b) => a.rank - b.rank || a.u - b.u)
      for (const { u } of burning.slice(0, BURNT)) light(u)
    }
    front.length = 0
  }
  return Uint32Array.from(taken).sort()
}

/** A hash of 32 bits. */
export function mix(value: number): number {
  let x = (value + 0x9e3779b9) | 0
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b)
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b)
  return (x ^ (x >>> 16)) >>> 0
}
