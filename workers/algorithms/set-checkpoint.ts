import { createHash } from 'node:crypto'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { VertexSet } from '../graph/vertex-set.ts'
import { IN, OUT, setState, stateWords } from '../graph/vertex-states.ts'
import type { JobContext } from '../base/job.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Improvement, SwapsSoFar } from './quality/improve-set.ts'
import { improveSet } from './quality/improve-set.ts'
import type { SetQuality } from './quality/quality-option.ts'
import type { SwapLimits } from './quality/swap-pass.ts'

/** Checkpoints of a set: one part, the states; once the set is made, how far the swaps have come. */
export type SetCheckpoint = Checkpoint<SwapsSoFar | null>

/** What tells lists of vertices from others, for the identity of a checkpoint; "" where there are none. */
export function listsName({ keep, exclude }: SwapLimits): string {
  if (keep === undefined && exclude === undefined) return ''
  const digest = createHash('sha256')
  for (const list of [keep, exclude])
    digest.update(list === undefined ? 'none' : 'list').update(list?.bytes ?? new Uint8Array(0))
  return `-lists-${digest.digest('hex').slice(0, 16)}`
}

/**
 * Improves a set, from where a checkpoint left it, and keeps checkpoints between passes. Their states are those of the improved set: whoever
 * goes on from them has nothing left to compute.
 */
export function improveWithCheckpoints(
  graph: GaloisGr,
  set: VertexSet,
  quality: SetQuality,
  limits: SwapLimits,
  checkpoint: SetCheckpoint | undefined,
  job: JobContext,
): Improvement {
  return improveSet(graph, set, quality, limits, job, checkpoint?.kept?.notes ?? undefined, (soFar) => {
    if (checkpoint?.isDue(true) === true) checkpoint.write([statesOf(set)], soFar)
  })
}

function statesOf(set: VertexSet): Uint32Array {
  const states = new Uint32Array(stateWords(set.vertices))
  for (let v = 0; v < set.vertices; v++) setState(states, v, set.has(v) ? IN : OUT)
  return states
}
