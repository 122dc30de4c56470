import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { preparingBytes } from '../../../base/host-resources.ts'
import { placeOf } from '../../../base/ranges.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { peel, peelBytes } from '../../../graph/degrees.ts'
import {
  type Batch,
  checkTask,
  makePass,
  paceFor,
  shared,
  type VerifyPace,
  verifyTogether,
  type VerifyWorker,
} from '../../../verify/passes.ts'
import { type Checked, classSizes, witnessAt } from '../../../verify/witness.ts'

/** More arcs take longer to peel than all else that a verification does. */
const MOST_PEELED = 1 << 27
const CLIQUE_STARTS = 16
/** Candidates beyond these are left out. */
const MOST_CANDIDATES = 1 << 12

/**
 * Checks that no edge has one colour at both ends, in one pass, and bounds the number of colours from both sides: no fewer than `clique` do, and
 * `bound`, the degeneracy + 1, always do; it is absent where the graph does not fit the memory of the host.
 */
export async function verifyColouring(
  graph: GaloisGr,
  colours: Uint32Array,
  job: JobContext,
  pace: Partial<VerifyPace> = {},
): Promise<Checked> {
  const chosen = paceFor('colours', graph, pace)
  const check = { name: 'colours', check: checkColouring } as const
  const work = { colours: shared(colours, chosen) }
  const { findings, own } = await verifyTogether(graph, check, work, chosen, job, () => classSizes(colours))
  const [edge] = findings.filter((found) => found !== undefined).sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const isPeeled = graph.arcs <= MOST_PEELED && peelBytes(graph) <= preparingBytes()
  let clique = edge === undefined ? findClique(graph, colours, job) : 0
  let bound = graph.vertices === 0 ? 0 : undefined
  if (edge === undefined && isPeeled && graph.vertices > 0) {
    const { degeneracy, levels } = peel(graph, () => throwIfCancelled(job.signal))
    bound = degeneracy + 1
    clique = Math.max(clique, findClique(graph, levels, job))
  }
  const { classes, unused, smallest, largest } = own
  const figures = { colours: classes, smallest, largest, clique, ...(bound === undefined ? {} : { bound }) }
  if (edge !== undefined)
    return {
      figures,
      witness: witnessAt(edge, (u, v) => `not proper: vertices ${u} and ${v} are neighbours and have one colour`),
    }
  const words = (): string => `no vertex has colour ${unused}, and there are larger ones`
  return { figures, witness: unused === undefined ? undefined : witnessAt([], words) }
}

type OneColour = readonly [number, number] | undefined

/** One worker's part: the first edge of one colour that it sees. @param colours shared */
async function checkColouring(
  { colours }: { readonly colours: Uint32Array },
  worker: VerifyWorker,
): Promise<OneColour> {
  worker.beside?.()
  let edge: OneColour
  const scan = ({ first, end, starts, targets }: Batch): void => {
    for (let v = first; v < end && edge === undefined; v++) {
      const own = colours[v]!
      for (let at = starts[v - first]!; at < starts[v - first + 1]!; at++)
        if (colours[targets[at]!] === own) edge ??= [v, targets[at]!]
    }
  }
  await makePass(worker, { scan }, { number: 0, passes: 1, withWeights: false })
  await worker.barrier.arrive()
  return edge
}

export const coloursTask = checkTask(checkColouring)

/**
 * A clique is grown from some vertices of the highest ranks: the neighbour of the highest rank joins. Vertices of the last colours have neighbours of all
 * colours before, unless classes were balanced; those that are peeled last are in the densest core.
 */
function findClique(graph: GaloisGr, ranks: Uint32Array, job: JobContext): number {
  if (graph.vertices === 0) return 0
  let best = 1
  for (const start of highestRanked(ranks)) {
    throwIfCancelled(job.signal)
    let size = 1
    for (let candidates = candidatesOf(graph, start, ranks); candidates.length > 0; size++) {
      const [next, ...others] = candidates
      const { first, end } = graph.arcsOf(next!)
      const beside = graph.readTargets(first, end)
      candidates = others.filter((v) => placeOf(beside, 0, beside.length, v) >= 0)
      if (size + candidates.length < best) break
    }
    best = Math.max(best, size)
  }
  return best
}

/** Vertices of the highest ranks, a few. */
function highestRanked(ranks: Uint32Array): readonly number[] {
  const found: number[] = []
  for (const [v, rank] of ranks.entries()) {
    if (found.length === CLIQUE_STARTS && rank <= ranks[found.at(-1)!]!) continue
    found.push(v)
    found.sort((a, b) => ranks[b]! - ranks[a]! || a - b)
    found.length = Math.min(found.length, CLIQUE_STARTS)
  }
  return found
}

/** Neighbours, those of high ranks first. */
function candidatesOf(graph: GaloisGr, v: number, ranks: Uint32Array): readonly number[] {
  const { first, end } = graph.arcsOf(v)
  return Array.from(graph.readTargets(first, end))
    .sort((a, b) => ranks[b]! - ranks[a]! || a - b)
    .slice(0, MOST_CANDIDATES)
}
