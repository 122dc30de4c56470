import { type StopSignal, throwIfCancelled } from '../../base/job.ts'
import type { RunArgs } from '../../contract/jobs.ts'
import { degreesOf } from '../../graph/degrees.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { eclPriority, rankVertices, type SetOrder, setOrder, vertexHash } from '../../graph/set-order.ts'
import { tcChoiceOf } from './plan-tiles.ts'

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
export function keysOf(graph: GaloisGr, args: RunArgs, signal: StopSignal): Uint32Array[] {
  const { vertices, arcs } = graph
  const { heuristic, seeds } = tcChoiceOf(args)
  const input = { vertices, arcs, degrees: degreesOf(graph) }
  const spread = (keysOfSeed: (seed: number) => ArrayLike<number>): Uint32Array => {
    const keys = new Uint32Array(Math.max(1, vertices * seeds))
    for (let s = 0; s < seeds; s++) {
      throwIfCancelled(signal)
      const own = keysOfSeed((args.seed + s) >>> 0)
      for (let v = 0; v < vertices; v++) keys[v * seeds + s] = own[v]!
    }
    return keys
  }
  const hashes = (): Uint32Array =>
    spread((seed) => Uint32Array.from({ length: vertices }, (_, v) => vertexHash(v, seed)))
  const bytes = (): Uint32Array => spread((seed) => eclPriority({ ...input, seed }))
  const ranks = (): Uint32Array => spread((seed) => rankVertices('ecl', { ...input, seed }).rank)
  return { h1: () => [hashes()], h2: () => [bytes(), ranks()], h3: () => [ranks()] }[heuristic]()
}

/** The orders of the seeds without ties: those of the last table. */
export function ordersOf({ vertices, arcs }: GaloisGr, args: RunArgs): SetOrder[] {
  const { heuristic, seeds } = tcChoiceOf(args)
  const priority = heuristic === 'h1' ? 'hash' : 'ecl'
  return Array.from({ length: seeds }, (_, s) =>
    setOrder({ priority, seed: (args.seed + s) >>> 0, vertices, arcs }, new Uint32Array(0)),
  )
}
