import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { JobContext } from '../../base/job.ts'
import { throwIfCancelled } from '../../base/job.ts'

const LOOK_EVERY = 1 << 12

/**
 * Decides what is left, seed by seed, in one walk by descending key: where neighbours wait for one another in long chains, a
 * round decides a few of them only. `members` is changed in place; words of 32 vertices, those of the seeds side by side.
 */
export function finishSerially(
  graph: GaloisGr,
  { open, members, keys }: Readonly<Record<'open' | 'members' | 'keys', Uint32Array>>,
  seeds: number,
  job: JobContext,
): void {
  for (let seed = 0; seed < seeds; seed++) {
    const left = openVertices(open, seed, seeds)
    left.sort((a, b) => keys[b * seeds + seed]! - keys[a * seeds + seed]!)
    left.forEach((v, i) => {
      if (i % LOOK_EVERY === 0) {
        throwIfCancelled(job.signal)
        job.progress({ phase: 'finish', done: i, total: left.length, unit: 'vertices' })
      }
      const isMember = (u: number): boolean => ((members[(u >>> 5) * seeds + seed]! >>> (u & 31)) & 1) === 1
      const { first, end } = graph.arcsOf(v)
      if (!graph.readTargets(first, end).some(isMember)) members[(v >>> 5) * seeds + seed]! |= 1 << (v & 31)
    })
  }
}

function openVertices(open: Uint32Array, seed: number, seeds: number): Uint32Array {
  const found: number[] = []
  for (let at = seed, segment = 0; at < open.length; at += seeds, segment++)
    for (let word = open[at]!; word !== 0; word &= word - 1) found.push(32 * segment + 31 - Math.clz32(word & -word))
  return Uint32Array.from(found)
}
