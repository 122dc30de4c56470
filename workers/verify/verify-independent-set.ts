import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import type { VertexSet } from '../graph/vertex-set.ts'
import type { JobContext } from '../base/job.ts'
import type { Verdict } from '../contract/jobs.ts'
import type { SetWitness } from './set-share.ts'
import type { VerifyPace } from './verify-together.ts'
import { paceFor, roomFor, verifyTogether } from './verify-together.ts'

/**
 * Checks a set against the canonical graph in one pass over its arcs, in code of its own: it knows no view, no state and no
 * kernel. Independent: no arc joins two members. Maximal: every vertex outside has a member among its neighbours, but for
 * excluded vertices, which need not be covered. On the way it grows a maximal matching M; no independent set has
 * more than n - |M| vertices, as it holds at most one end of every matched edge.
 */
export async function verifyIndependentSet(
  graph: GaloisGr,
  labels: Labels,
  set: VertexSet,
  exclude: VertexSet | undefined,
  job: JobContext,
  pace: Partial<VerifyPace> = {},
): Promise<Verdict> {
  const startMs = performance.now()
  const { vertices } = graph
  const chosen = paceFor('set', graph, pace)
  const bits = ({ bytes }: VertexSet): Uint8Array => {
    const room = new Uint8Array(roomFor(chosen, bytes.length))
    room.set(bytes)
    return room
  }
  const work = {
    of: 'set' as const,
    members: bits(set),
    excluded: exclude && bits(exclude),
    degrees: new Uint32Array(roomFor(chosen, 4 * vertices)),
    ranks: new Uint8Array(roomFor(chosen, vertices)),
  }
  const { findings, besides } = await verifyTogether(graph, work, chosen, job, (pause) => set.summary(pause))
  const pairs = findings.reduce((sum, found) => sum + found.pairs, 0)
  const [witness] = findings.flatMap((found) => found.witness ?? []).sort((a, b) => a.v - b.v)
  const common = { ...besides, upperBound: vertices - pairs, elapsedMs: performance.now() - startMs }
  return witness === undefined
    ? { ...common, verified: true }
    : { ...common, verified: false, ...describe(witness, labels) }
}

function describe(witness: SetWitness, labels: Labels) {
  const vertex = labels.of(witness.v)
  if (witness.law === 'maximal')
    return {
      law: 'maximal' as const,
      vertex,
      sentence: `not maximal: vertex ${vertex} and all its neighbours are outside the set`,
    }
  const other = labels.of(witness.u)
  return {
    law: 'independent' as const,
    edge: [vertex, other] as const,
    sentence: `not independent: vertices ${vertex} and ${other} are neighbours and both in the set`,
  }
}
