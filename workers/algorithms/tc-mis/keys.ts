import { eclPriority, rankVertices, vertexHash } from '../../graph/priority.ts'
import type { PriorityInput } from '../../graph/priority.ts'
import type { StopSignal } from '../../base/job.ts'
import { throwIfCancelled } from '../../base/job.ts'
import type { Heuristic } from '../../contract/jobs.ts'

/** What decides between neighbours: the greater key goes first. A word for each position and seed, seeds side by side. */
export interface Keys {
  readonly keys: Uint32Array
  /** Keys without ties, for what is left open where `keys` have ties; else undefined. */
  readonly settling: Uint32Array | undefined
}

/**
 * Keys of the heuristics of TC-MIS (arXiv 2605.29604, section 3.3).
 * - h1: a hash of the id; no two are alike. The set is that of priority `hash`.
 * - h2: the byte of ECL-MIS, so that neighbours may tie: then both are candidates, and both are put aside with their neighbours.
 * - h3: the byte of ECL-MIS, ties to the larger id: conflicts are resolved before anybody is put aside. The set is that of
 *   priority `ecl`.
 * @param signal looked at before each seed
 */
export function keysOf(
  heuristic: Heuristic,
  input: Omit<PriorityInput, 'column'>,
  seeds: number,
  signal: StopSignal,
): Keys {
  const { vertices } = input
  const spread = (keyOf: (seed: number) => ArrayLike<number> | ((v: number) => number)): Uint32Array => {
    const keys = new Uint32Array(vertices * seeds)
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
      return { keys: spread((seed) => (v: number) => vertexHash(v, seed)), settling: undefined }
    case 'h2':
      return { keys: spread((seed) => eclPriority({ ...input, seed })), settling: ranks() }
    case 'h3':
      return { keys: ranks(), settling: undefined }
  }
}
