import { type PriorityInput, eclPriority, rankVertices, vertexHash } from '../../graph/vertex-ranking.ts'
import { type StopSignal, throwIfCancelled } from '../../base/job.ts'
import type { Heuristic } from '../../contract/jobs.ts'

/**
 * Keys of the heuristics of TC-MIS (arXiv 2605.29604, section 3.3).
 * - h1: a hash of the id; no two are alike. The set is that of priority `hash`.
 * - h2: the byte of ECL-MIS, so that neighbours may tie: then both are candidates, and both are out with their neighbours. A second
 *   table without ties is for the vertices that have no member beside them afterwards.
 * - h3: the byte of ECL-MIS, ties to the larger id: conflicts are resolved before any vertex is out. The set is that of
 *   priority `ecl`.
 * The greater key goes first.
 * @param signal looked at before each seed
 * @returns tables to compare one after another: a word for each vertex and seed, seeds side by side
 */
export function keysOf(
  heuristic: Heuristic,
  input: Omit<PriorityInput, 'column'>,
  seeds: number,
  signal: StopSignal,
): Uint32Array[] {
  const { vertices } = input
  const spread = (keyOf: (seed: number) => ArrayLike<number> | ((v: number) => number)): Uint32Array => {
    const keys = new Uint32Array(Math.max(1, vertices * seeds))
    for (let s = 0; s < seeds; s++) {
      throwIfCancelled(signal)
      const key = keyOf((input.seed + s) >>> 0)
      for (let v = 0; v < vertices; v++) keys[v * seeds + s] = typeof key === 'function' ? key(v) : key[v]!
    }
    return keys
  }
  const ranks = (): Uint32Array => spread((seed) => rankVertices('ecl', { ...input, seed }).rank)
  switch (heuristic) {
    case 'h1':
      return [spread((seed) => (v: number) => vertexHash(v, seed))]
    case 'h2':
      return [spread((seed) => eclPriority({ ...input, seed })), ranks()]
    case 'h3':
      return [ranks()]
  }
}
