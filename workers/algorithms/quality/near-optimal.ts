/**
 * A search for a large or heavy set of a graph, from a set that there is to one that is no smaller: it is started (search-start.ts), proven a largest
 * one where that is soon done (exact-set.ts), searched epoch by epoch (set-search.ts, weighted-searches.ts) until its steps or its time are over, and
 * made maximal (free-vertices.ts). set-answer.ts calls it for `--quality better` and `best`.
 */

import { type JobContext, cancelled, throwIfCancelled } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Checkpointer } from '../checkpoint.ts'
import { packMembers, unpackMembers } from './annealing.ts'
import { Proofs } from './exact-set.ts'
import { joinAllFree } from './free-vertices.ts'
import { type SearchInput, type SearchSoFar, startWeightedSearch, startSearch, stepsOf } from './search-start.ts'

export interface SearchOutcome extends SearchSoFar {
  /** Members more than before. */
  readonly gain: number
  /** No set has more members, by reductions and peeling; undefined where vertices were decided without proof, or there was no time. */
  readonly bound: number | undefined
  /** Whether all that is not in the reduced graph was decided with proof. */
  readonly exact: boolean
  /** Whether no vertex may join the set. */
  readonly isMaximal: boolean
  readonly kernelVertices: number
  readonly kernelEdges: number
}

/**
 * A large set by exact reductions, minimum degrees, peeling and annealing of what the reductions leave. It is never smaller than the one that it
 * begins from.
 * @param checkpointer asked after each epoch; the set is what it is then. Of a search that ends by time it also keeps what a cancel finds
 */
export async function searchLargeSet(
  graph: GaloisGr,
  input: SearchInput,
  job: JobContext,
  checkpointer?: Checkpointer<SearchSoFar>,
): Promise<SearchOutcome> {
  const { set, quality, seed, from, weights } = input
  const startMs = performance.now() - (from?.elapsedMs ?? 0)
  const elapsedMs = () => performance.now() - startMs
  const pause = (): void => throwIfCancelled(job.signal)
  const beginning =
    weights === undefined
      ? await startSearch(graph, input, job, elapsedMs)
      : startWeightedSearch(graph, input, weights, job)
  const { adjacency, search, members, fixed, least, exact, isWhole } = beginning
  let bound = lowest(beginning.bound, from?.bound)
  const { vertices, targets } = adjacency
  const before = from?.before ?? beginning.before
  const sizes = [...(from?.sizes ?? [])]
  const wanted = stepsOf(quality, vertices)
  let steps = from?.steps ?? 0
  let best = Math.max(least, fixed + beginning.valueOf(members))
  // A search of so many steps is the same however often it is interrupted: it resumes from the end of an epoch.
  const searchEnd = Number.isFinite(quality.limitMs) ? quality.limitMs : undefined
  const isKept = checkpointer !== undefined && wanted === Infinity
  let isCancelled = false
  const stop = (): boolean => {
    isCancelled ||= isKept && job.signal.aborted
    if (isCancelled) return true
    pause()
    const size = Math.max(best, fixed + search.best)
    const sizes = { decided: size, best: size, ...(bound !== undefined && { bound }) }
    job.progress({ phase: 'search', done: elapsedMs(), total: searchEnd, unit: 'ms', ...sizes })
    return elapsedMs() >= quality.limitMs || job.signal.enough === true
  }
  let isProven = false
  const proofs = exact && weights === undefined ? new Proofs(adjacency, stop) : undefined
  const prove = (): void => {
    isProven = best !== bound && proofs?.prove(members) === true
    if (isProven) best = bound = fixed + beginning.valueOf(members)
  }
  /** Makes the members the best ones. @returns whether the set that follows from them is to replace the one that there is */
  const write = (): boolean => {
    if (!isProven) search.writeBest?.(members)
    return fixed + Math.max(search.best, beginning.valueOf(members)) >= least
  }
  const keep = async (): Promise<void> => {
    if (write()) beginning.expand(members)
    const kept = await search.kept?.()
    const cooling = kept && { ...kept, best: packMembers(members) }
    checkpointer!.keep({ before, steps, sizes, elapsedMs: elapsedMs(), bound, cooling })
  }
  // An attempt that is resumed has made this one.
  if (from === undefined) prove()
  try {
    while (sizes.length === 0 || (steps < wanted && best !== bound)) {
      const epoch = best === bound ? 0 : Math.min(search.epochSteps, wanted - steps)
      const limits = { steps: epoch, pause: stop, isCancelled: () => isCancelled }
      const made = await search.run(members, seed + sizes.length, limits)
      steps += made
      best = Math.max(least, fixed + search.best)
      sizes.push(best)
      if (isCancelled) {
        await keep()
        throw cancelled()
      }
      if (checkpointer?.isDue() === true) await keep()
      if (made < epoch) break
      if (wanted === Infinity && best !== bound && proofs?.isDue(elapsedMs()) === true) {
        search.writeBest?.(members)
        prove()
        if (isProven) sizes.push(best)
      }
    }
  } finally {
    search.end?.()
  }
  const isTaken = write()
  // By steps the answer is that of a pass over the graph: what it adds to a reduced graph depends on the order of both.
  const isFilled = isWhole || wanted === Infinity
  const filled = packMembers(members)
  const added = joinAllFree(adjacency, filled)
  if (isTaken) beginning.expand(isFilled ? unpackMembers(filled, vertices) : members)
  const isMaximal = exact && (isFilled || !isTaken || added === 0)
  const reduced = { exact, isMaximal, kernelVertices: vertices, kernelEdges: targets.length / 2 }
  // Sums of weights are rounded: no bound is below what the set weighs.
  const most = bound === undefined || weights === undefined ? bound : Math.max(bound, set.weight(weights))
  const more = isTaken && isFilled && weights === undefined ? added : 0
  return { before, steps, sizes, elapsedMs: elapsedMs(), gain: sizes.at(-1)! - before + more, bound: most, ...reduced }
}

const lowest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
