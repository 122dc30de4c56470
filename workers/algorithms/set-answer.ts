import { createHash } from 'node:crypto'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { VertexSet } from '../graph/vertex-set.ts'
import { IN, OUT, setState, stateWords } from '../graph/vertex-states.ts'
import type { JobContext } from '../base/job.ts'
import { Failure } from '../base/failure.ts'
import { type PlannedOptions, type Priority, priorities } from '../contract/jobs.ts'
import { verifyIndependentSet } from '../verify/verify-independent-set.ts'
import type { Answer, AnswerRecord, Run } from './algorithm.ts'
import type { Checkpoint } from './checkpoint.ts'
import {
  type Improvement,
  type SwapsSoFar,
  type SetQuality,
  improveSet,
  parseSetQuality,
} from './quality/improve-set.ts'
import type { SwapLimits } from './quality/swap-pass.ts'
import type { RunLists } from './run-lists.ts'

/** Checkpoints of a set: one part, the states; once the set is made, how far the swaps have come. */
export type SetCheckpoint = Checkpoint<SwapsSoFar | null>

/** A maximal set, before it is improved. */
interface FoundSet extends Pick<Answer, 'workers'> {
  readonly set: VertexSet
  readonly lists: RunLists
  readonly checkpoint: SetCheckpoint | undefined
  /** Called once the set is improved. */
  record(set: VertexSet): AnswerRecord
}

/** Improves a set as far as the run asks for, and tells how it is verified. */
export function setAnswer({ args, graph, labels }: Run, found: FoundSet, job: JobContext): Answer {
  const { set, lists, checkpoint, workers } = found
  const improvement = improveWithCheckpoints(graph, set, parseSetQuality(args.quality), lists, checkpoint, job)
  return {
    bytes: set.bytes,
    workers,
    record: () => withImprovement(found.record(set), args.quality, improvement),
    verify: () => verifyIndependentSet(graph, labels(), set, lists.exclude, job),
    checkpoint,
  }
}

/** What is said of a set. */
export function setResult(set: VertexSet): AnswerRecord['result'] {
  const { size, hash } = set.summary()
  return { kind: 'independent-set', size, fraction: set.vertices === 0 ? 0 : size / set.vertices, hash }
}

/** The options of every set in one pass. @throws Failure (usage) */
export function requireSetOptions({ priority, quality, columnFile }: PlannedOptions): void {
  parseSetQuality(quality)
  if (requirePriority(priority) === 'column' && columnFile === undefined)
    throw new Failure({
      code: 'usage',
      what: 'priority "column" needs a value for every vertex',
      remedy: 'Name a file of label,value lines.',
      fixes: [{ action: 'choose', option: 'columnFile' }],
    })
}

/** At most: as many as asked for, and one that fills up. */
export function swapPasses({ quality }: PlannedOptions): number {
  const { passes } = parseSetQuality(quality)
  return passes === 0 ? 0 : passes + 1
}

/** The priority of a set. @throws Failure (usage) for a heuristic of TC-MIS */
export function requirePriority(priority: PlannedOptions['priority']): Priority {
  const known = priorities.find((each) => each === priority)
  if (known !== undefined) return known
  throw new Failure({
    code: 'usage',
    what: `the order ${priority} belongs to tc-mis`,
    remedy: `Use one of ${priorities.join(', ')}.`,
  })
}

/** What tells lists of vertices from others, for the identity of a checkpoint; "" where there are none. */
export function listsName({ keep, exclude }: SwapLimits): string {
  if (keep === undefined && exclude === undefined) return ''
  const digest = createHash('sha256')
  for (const list of [keep, exclude])
    digest.update(list === undefined ? 'none' : 'list').update(list?.bytes ?? new Uint8Array(0))
  return `-lists-${digest.digest('hex').slice(0, 16)}`
}

/**
 * Improves a set, from where a checkpoint left it, and keeps checkpoints between passes. Their states are those of the improved set: a run
 * that resumes from them has nothing left to compute.
 */
function improveWithCheckpoints(
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

/** A record with what the passes of swaps did; as it is where none were asked for. */
function withImprovement(record: AnswerRecord, quality: string | undefined, improvement: Improvement): AnswerRecord {
  const { passes, gains, elapsedMs } = improvement
  if (quality === undefined) return record
  const gained = gains.reduce((sum, gain) => sum + gain, 0)
  return {
    ...record,
    options: { ...record.options, quality },
    counters: { ...record.counters, swapPasses: passes, swapGain: gained, swapMs: elapsedMs },
    series: [...record.series, { name: 'swapGain', unit: 'vertices', values: gains }],
  }
}
