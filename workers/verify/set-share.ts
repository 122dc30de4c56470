import type { Member, Pass } from './pass.ts'
import { makePass, pause } from './pass.ts'
import { GreedyMatching, rankOf } from './greedy-matching.ts'
import { Turns } from './turns.ts'
import type { Piece } from './pieces.ts'

/** A set that threads check together, in memory that they share. */
export interface SetWork {
  readonly of: 'set'
  /** Bits by vertex, as in a VertexSet. */
  readonly members: Uint8Array
  /** Likewise, of vertices that need not be covered. */
  readonly excluded: Uint8Array | undefined
  /** Of the vertices; to be filled. */
  readonly degrees: Uint32Array
  /** Likewise; see GreedyMatching. */
  readonly ranks: Uint8Array
}

/** A law that is broken at v, the lowest such vertex of those that a thread looked at. */
export type SetWitness =
  | { readonly law: 'independent'; readonly v: number; readonly u: number }
  | { readonly law: 'maximal'; readonly v: number }

export interface SetFindings {
  readonly of: 'set'
  readonly witness: SetWitness | undefined
  /** Pairs that the thread added to the matching. */
  readonly pairs: number
}

/** Passes over the lists; behind their turns are those of gathering degrees, which comes first. */
export const SET_PASSES = 1
const VERTICES_PER_READ = 1 << 18

/** One thread's share of checking a set. */
export async function checkSetShare(work: SetWork, member: Member): Promise<SetFindings> {
  await gatherDegrees(work, member)
  await member.barrier.arrive()
  const pass = new SetPass(work)
  await makePass(member, pass, { number: 0, passes: SET_PASSES, withWeights: false })
  await member.barrier.arrive()
  return { of: 'set', witness: pass.witness, pairs: pass.pairs }
}

async function gatherDegrees({ degrees, ranks }: SetWork, member: Member): Promise<void> {
  const { graph } = member
  const turns = new Turns(member.control, SET_PASSES)
  for (let first; (first = turns.cursor) < graph.vertices;) {
    await pause(member)
    const end = Math.min(graph.vertices, first + VERTICES_PER_READ)
    if (!turns.claim(first, end)) continue
    const offsets = graph.readOffsets(first, end)
    for (let v = first; v < end; v++) {
      degrees[v] = offsets[v - first + 1]! - offsets[v - first]!
      ranks[v] = rankOf(degrees[v]!)
    }
  }
}

const hasBit = (bytes: Uint8Array, v: number): boolean => ((bytes[v >>> 3]! >>> (v & 7)) & 1) === 1

/** Independent: no arc joins two members. Maximal: every vertex outside has a member among its neighbours. */
class SetPass implements Pass {
  witness: SetWitness | undefined
  readonly #members: Uint8Array
  readonly #excluded: Uint8Array | undefined
  readonly #matching: GreedyMatching

  constructor({ members, excluded, ranks, degrees }: SetWork) {
    this.#members = members
    this.#excluded = excluded
    this.#matching = new GreedyMatching(ranks, degrees)
  }

  get pairs(): number {
    return this.#matching.pairs
  }

  scan(piece: Piece): void {
    const { first, end, starts } = piece
    for (let v = first; v < end; v++) {
      this.witness ??= this.#violationAt(v, piece.targets, starts[v - first]!, starts[v - first + 1]!)
    }
    this.#matching.scan(piece)
  }

  settle(piece: Piece): void {
    this.#matching.settle(piece)
  }

  #violationAt(v: number, targets: Uint32Array, start: number, end: number): SetWitness | undefined {
    const members = this.#members
    const inside = hasBit(members, v)
    for (let arc = start; arc < end; arc++) {
      const u = targets[arc]!
      if (((members[u >>> 3]! >>> (u & 7)) & 1) === 0) continue
      return inside ? { law: 'independent', v, u } : undefined
    }
    const isCovered = inside || (this.#excluded !== undefined && hasBit(this.#excluded, v))
    return isCovered ? undefined : { law: 'maximal', v }
  }
}
