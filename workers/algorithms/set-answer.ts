import { createHash } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import { type PlannedOptions, type Priority, type RunArgs, priorities } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import { orderName } from '../graph/vertex-ranking.ts'
import type { VertexSet } from '../graph/vertex-set.ts'
import { IN, OUT, setState, stateWords } from '../graph/vertex-states.ts'
import { verifyIndependentSet } from '../verify/verify-independent-set.ts'
import type { Answer, AnswerRecord, Run } from './algorithm.ts'
import { Checkpoint, type Checkpointer } from './checkpoint.ts'
import { type Improvement, type SwapsSoFar, improveSet, parseSetQuality } from './quality/improve-set.ts'
import { type RunLists, initialStates } from './run-lists.ts'

/** The states; once the set is maximal, also the state of the swaps. */
export type SetCheckpoint = Checkpoint<SwapsSoFar | null>

/** A maximal set, before it is improved. */
interface FoundSet extends Pick<Answer, 'workers'> {
  readonly set: VertexSet
  readonly lists: RunLists
  readonly checkpoint: SetCheckpoint | undefined
  /** Called once the set is improved. */
  record(set: VertexSet): AnswerRecord
}

/** Improves a set as the run asks. */
export function setAnswer({ args, graph, labels }: Run, found: FoundSet, job: JobContext): Answer {
  const { set, lists, checkpoint, workers } = found
  const quality = parseSetQuality(args.quality)
  // The states of the improved set: a run that resumes from them computes nothing.
  const improvement = improveSet(graph, set, quality, lists, job, checkpoint?.kept?.notes ?? undefined, (soFar) => {
    if (checkpoint?.isDue(true) === true) checkpoint.write([statesOf(set)], soFar)
  })
  return {
    bytes: set.bytes,
    workers,
    record: () => withImprovement(found.record(set), args.quality, improvement),
    verify: () => verifyIndependentSet(graph, labels(), set, lists.exclude, job),
    checkpoint,
  }
}

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

/** At most: those asked for, and one that fills up. */
export function swapPasses({ quality }: PlannedOptions): number {
  const { passes } = parseSetQuality(quality)
  return passes === 0 ? 0 : passes + 1
}

/** @throws Failure (usage) for a heuristic of TC-MIS */
export function requirePriority(priority: PlannedOptions['priority']): Priority {
  const known = priorities.find((each) => each === priority)
  if (known !== undefined) return known
  throw new Failure({
    code: 'usage',
    what: `the order ${priority} belongs to tc-mis`,
    remedy: `Use one of ${priorities.join(', ')}.`,
  })
}

/** @param protocol that the states depend on */
export function setCheckpoint(
  args: RunArgs,
  { vertices }: GaloisGr,
  lists: RunLists,
  protocol = '',
): SetCheckpoint | undefined {
  const priority = requirePriority(args.priority)
  const order = protocol + orderName({ priority, seed: args.seed, column: lists.column }) + listsName(lists)
  return Checkpoint.of(args, { graph: args.checksum, order, tiles: '', vertices })
}

/** @param passEnds whether it is asked between passes. Where only swaps are left, their checkpoint says more. */
export function setCheckpointer(checkpoint: SetCheckpoint, passEnds: boolean): Checkpointer<Uint32Array> {
  return {
    isDue: () => checkpoint.isDue(passEnds) && !checkpoint.kept?.notes,
    keep: (states) => checkpoint.write([states], null),
  }
}

/** The states of the last checkpoint, else of the lists, two bits a vertex; undefined: every vertex is undecided. */
export function startingStates(
  graph: GaloisGr,
  labels: () => Labels,
  { keep, exclude }: RunLists,
  checkpoint: SetCheckpoint | undefined,
): Uint32Array | undefined {
  const kept = checkpoint?.start()
  if (kept !== undefined) return kept.parts[0]
  if (keep === undefined && exclude === undefined) return undefined
  return initialStates(graph, labels(), keep, exclude)
}

/** Of the lists in a checkpoint's identity. */
function listsName({ keep, exclude }: RunLists): string {
  if (keep === undefined && exclude === undefined) return ''
  const digest = createHash('sha256')
  for (const list of [keep, exclude])
    digest.update(list === undefined ? 'none' : 'list').update(list?.bytes ?? new Uint8Array(0))
  return `-lists-${digest.digest('hex').slice(0, 16)}`
}

function statesOf(set: VertexSet): Uint32Array {
  const states = new Uint32Array(stateWords(set.vertices))
  for (let v = 0; v < set.vertices; v++) setState(states, v, set.has(v) ? IN : OUT)
  return states
}

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
