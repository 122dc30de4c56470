import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { VertexSet } from '../../graph/vertex-set.ts'
import type { JobContext } from '../../base/job.ts'
import { type SwapLimits, visitAll, SwapPass } from './swap-pass.ts'
import { Failure } from '../../base/failure.ts'
import type { PlannedOptions } from '../../contract/jobs.ts'
import type { SearchQuality } from './set-search.ts'

export interface Improvement {
  /** Passes of swaps that were made. */
  readonly passes: number
  /** Members more after each of them. */
  readonly gains: readonly number[]
  readonly elapsedMs: number
}

/** How far the passes of swaps have come; with the set, all that the next one follows from. */
export interface SwapsSoFar {
  readonly gains: readonly number[]
  /** Passes in a row that changed nothing, and whether the last one swapped. */
  readonly idle: number
  readonly swapped: boolean
  readonly elapsedMs: number
}

/** A pass that changes nothing says little of one the other way round; two in a row mean that the next would not either. */
const IDLE_PASSES = 2

/**
 * Makes a maximal independent set larger, in place: passes of one-for-two swaps over the streamed graph, forwards and
 * backwards in turn. The set never shrinks, and is maximal again at the end.
 * @param from where another attempt left the set
 * @param afterPass called with the set as it is then; for checkpoints
 */
export function improveSet(
  graph: GaloisGr,
  set: VertexSet,
  { passes: wanted, limitMs }: SetQuality,
  limits: SwapLimits,
  job: JobContext,
  from?: SwapsSoFar,
  afterPass: (soFar: SwapsSoFar) => void = () => {},
): Improvement {
  const startMs = performance.now() - (from?.elapsedMs ?? 0)
  const gains = [...(from?.gains ?? [])]
  if (wanted === 0) return { passes: 0, gains, elapsedMs: 0 }
  const pass = new SwapPass(set, limits)
  let { idle, swapped } = from ?? { idle: 0, swapped: false }
  while (
    gains.length < wanted &&
    job.signal.enough !== true &&
    idle < IDLE_PASSES &&
    performance.now() - startMs < limitMs
  ) {
    const { swaps, joined } = pass.run(graph, gains.length % 2 === 1, job)
    swapped = swaps > 0
    idle = swaps + joined === 0 ? idle + 1 : 0
    gains.push(swaps + joined)
    afterPass({ gains, idle, swapped, elapsedMs: performance.now() - startMs })
  }
  // A pass without swaps takes no member out, and lets in every free vertex; after swaps a vertex may have become free behind it.
  if (swapped) gains[gains.length - 1]! += fillUp(graph, set, limits, job)
  return { passes: gains.length, gains, elapsedMs: performance.now() - startMs }
}

/** Lets every vertex without a member among its neighbours join; returns how many. */
export function fillUp(graph: GaloisGr, set: VertexSet, { exclude }: SwapLimits, job: JobContext): number {
  let joined = 0
  visitAll(graph, false, 'fill up', job, (v, targets, from, to) => {
    if (set.has(v) || exclude?.has(v)) return
    for (let i = from; i < to; i++) if (set.has(targets[i]!)) return
    set.add(v)
    joined++
  })
  return joined
}

/** What is done to make a set larger once it is maximal. */
export interface SetQuality {
  /** Streamed passes of swaps; 0 for "fast". */
  readonly passes: number
  /** No pass is begun after this many milliseconds. */
  readonly limitMs: number
}

const isSearch = (text: string | undefined): boolean => text === 'better' || text === 'best'

const DEFAULT_SECONDS = 60

/** The search that "better" and "best" ask for; undefined for another quality. @throws Failure (usage) for a limit without a search */
export function searchQuality({ quality, searchSeconds, searchSteps }: PlannedOptions): SearchQuality | undefined {
  const limits = { '--time': searchSeconds, '--steps': searchSteps }
  for (const [flag, value] of Object.entries(limits))
    if (value !== undefined && quality !== 'best')
      throw new Failure({
        code: 'usage',
        where: flag,
        what: 'it limits a search, and this quality has none',
        remedy: 'Leave it out, or ask for the quality "best".',
      })
  if (!isSearch(quality)) return undefined
  if (quality === 'better') return { steps: undefined, limitMs: Infinity }
  const seconds = searchSeconds ?? (searchSteps === undefined ? DEFAULT_SECONDS : Infinity)
  return { steps: searchSteps ?? Infinity, limitMs: 1000 * seconds }
}

const DEFAULT_PASSES = 3
const MAX_PASSES = 1000

/**
 * Passes of swaps: reads "fast" (and "better", "best", which search in place of them), "swap", "swap:N" or "swap:N:Ts": N passes, none begun after T seconds. With a time limit the set depends on
 * the machine; the number of passes that were made stands in the run's counters, and "swap:" with it repeats the set.
 * @throws Failure (usage) for anything else
 */
export function parseSetQuality(text: string | undefined): SetQuality {
  if (text === undefined || text === 'fast' || isSearch(text)) return { passes: 0, limitMs: Infinity }
  const match = /^swap(?::(\d{1,4})(?::(\d{1,6})s)?)?$/.exec(text)
  const passes = Number(match?.[1] ?? DEFAULT_PASSES)
  if (match === null || passes < 1 || passes > MAX_PASSES)
    throw new Failure({
      code: 'usage',
      what: `"${text}" is no quality of a set`,
      remedy: `Use fast, better, best, swap:3 (1 to ${MAX_PASSES} passes), or swap:10:60s, which begins no pass after 60 seconds.`,
    })
  return { passes, limitMs: match[2] === undefined ? Infinity : 1000 * Number(match[2]) }
}
