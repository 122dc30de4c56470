import type { tieRules } from '../../../kernels/tc-candidates-lanes.ts'
import { eclPriority, rankVertices, vertexHash } from '../../graph/priority.ts'
import type { PriorityInput } from '../../graph/priority.ts'
import type { StopSignal } from '../../base/job.ts'
import { throwIfCancelled } from '../../base/job.ts'
import type { Heuristic } from '../../contract/jobs.ts'
import { lanesOf } from './lanes.ts'

/** What decides between neighbours: the greater key goes first. A word for each position and seed, seeds side by side. */
export interface Keys {
  readonly keys: Uint32Array
  /** Keys without ties, for what is left open where `keys` have ties; else undefined. */
  readonly settling: Uint32Array | undefined
  /** For several seeds: a byte of each key, and which of two with equal bytes is above. */
  readonly lanes: { readonly words: Uint32Array; readonly ties: TieRule; readonly settlingTies: TieRule } | undefined
}

type TieRule = keyof typeof tieRules

/**
 * Keys of the heuristics of TC-MIS (arXiv 2605.29604, section 3.3). All are of the graph's own ids and degrees, so that they do
 * not depend on the order of the tiles.
 * - h1: a hash of the id; no two are alike. The set is that of priority `hash`.
 * - h2: the byte of ECL-MIS, so that neighbours may tie: then both are candidates, and both are put aside with their neighbours.
 * - h3: the byte of ECL-MIS, ties to the larger id: conflicts are resolved before anybody is put aside. The set is that of
 *   priority `ecl`.
 * @param vertexAt the vertex at each position; undefined: the graph's own order
 * @param signal looked at before each seed
 */
export function keysOf(
  heuristic: Heuristic,
  input: Omit<PriorityInput, 'column'>,
  seeds: number,
  vertexAt: Uint32Array | undefined,
  signal: StopSignal,
): Keys {
  const { vertices } = input
  const spread = (keyOf: (seed: number) => ArrayLike<number> | ((v: number) => number)): Uint32Array => {
    const keys = new Uint32Array(vertices * seeds)
    for (let s = 0; s < seeds; s++) {
      throwIfCancelled(signal)
      const key = keyOf((input.seed + s) >>> 0)
      for (let p = 0; p < vertices; p++) {
        const v = vertexAt === undefined ? p : vertexAt[p]!
        keys[p * seeds + s] = typeof key === 'function' ? key(v) : key[v]!
      }
    }
    return keys
  }
  const ranks = (): Uint32Array => spread((seed) => rankVertices('ecl', { ...input, seed }).rank)
  const lanes = (byteOf: (seed: number) => (v: number) => number, ties: TieRule, settlingTies: TieRule) => {
    if (seeds === 1) return undefined
    const words = lanesOf(vertices, seeds, (s) => {
      throwIfCancelled(signal)
      const byte = byteOf((input.seed + s) >>> 0)
      return vertexAt === undefined ? byte : (p) => byte(vertexAt[p]!)
    })
    return { words, ties, settlingTies }
  }
  const eclByte = (seed: number) => {
    const bytes = eclPriority({ ...input, seed })
    return (v: number): number => (bytes[v]! >>> 1) + 1
  }
  // Equal bytes of ECL-MIS go to the larger id.
  const byId = vertexAt === undefined ? 'position' : 'key'
  switch (heuristic) {
    case 'h1':
      return {
        keys: spread((seed) => (v: number) => vertexHash(v, seed)),
        settling: undefined,
        lanes: lanes((seed) => (v) => vertexHash(v, seed) >>> 25, 'key', 'key'),
      }
    case 'h2':
      return {
        keys: spread((seed) => eclPriority({ ...input, seed })),
        settling: ranks(),
        lanes: lanes(eclByte, 'neither', byId),
      }
    case 'h3':
      return { keys: ranks(), settling: undefined, lanes: lanes(eclByte, byId, byId) }
  }
}
