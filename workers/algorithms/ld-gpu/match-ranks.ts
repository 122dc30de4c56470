import { keptWords } from '../../../kernels/matching/match-state.ts'
import type { Trace } from '../../base/trace.ts'
import { type Exchange, broadcast, joined, waitFor } from '../../exchange/exchange.ts'
import type { GraphPieces, Range } from '../../graph/graph-pieces.ts'
import { type GraphSlice, slicesOf } from '../../graph/graph-slice.ts'
import type { CollectedOnDevice } from './device-collect.ts'
import type { DeviceMatching } from './device-matching.ts'
import type { MatchSetup } from './match-setup.ts'

/** What all ranks do next: a pass over their slices, or nothing, or they resume on processors. */
export type RankTask =
  | { readonly kind: 'scan'; readonly allFree: boolean }
  | { readonly kind: 'collect'; readonly count: number; readonly words: number }
  | { readonly kind: 'over' }
  | { readonly kind: 'resume' }

const kinds = ['over', 'resume', 'scan', 'scan all free', 'collect'] as const

/** Kind, how many vertices wait, and words for their lists. Bits of matched vertices follow, then those of waiting ones. */
const TASK_WORDS = 3
/** From each rank at a time; even, as entries of lists are pairs. */
const STEP_WORDS = 1 << 22

/** The last vertices are those of the first rank: where hubs come first, half of the arcs are those of a tenth of the vertices. */
export const slicesOfRanks = (pieces: GraphPieces, ranks: number, candidates: number): GraphSlice[] =>
  slicesOf(pieces, ranks, 4 * keptWords(candidates)).reverse()

/** What it takes over. */
type Lead = Pick<DeviceMatching, 'fillCandidates' | 'makeRoom' | 'fillLists' | 'enterLists'>

interface RankSetup extends Pick<MatchSetup, 'candidates'> {
  readonly memory: Pick<MatchSetup['memory'], 'kept' | 'matched'>
}

/** What ranks send each other where the first one's GPU does the rounds for all. */
export class MatchRanks {
  readonly #exchange: Exchange
  readonly #slices: readonly GraphSlice[]
  readonly #setup: RankSetup
  readonly #waiting: Uint32Array
  readonly #trace: Trace

  /** @param waiting a bit for each vertex that waits */
  constructor(exchange: Exchange, slices: readonly GraphSlice[], setup: RankSetup, waiting: Uint32Array, trace: Trace) {
    this.#exchange = exchange
    this.#slices = slices
    this.#setup = setup
    this.#waiting = waiting
    this.#trace = trace
  }

  /** On the first rank. */
  async publish(task: RankTask): Promise<void> {
    const { matched } = this.#setup.memory
    const name = task.kind === 'scan' && task.allFree ? 'scan all free' : task.kind
    const needs = task.kind === 'collect' ? [task.count, task.words] : [0, 0]
    const header = Uint32Array.of(kinds.indexOf(name), ...needs)
    const bits = name === 'scan' ? [matched] : name === 'collect' ? [matched, this.#waiting] : []
    await broadcast(this.#exchange, joined([header, ...bits]))
  }

  /** On all others. */
  async next(): Promise<RankTask> {
    const { matched } = this.#setup.memory
    const none = new Uint32Array(0)
    const all = await waitFor(this.#exchange, this.#exchange.gather(none), this.#trace)
    const words = all[0]!
    const [kind, count, lists] = [kinds[words[0]!]!, words[1]!, words[2]!]
    if (words.length > TASK_WORDS) matched.set(words.subarray(TASK_WORDS, TASK_WORDS + matched.length))
    if (kind === 'collect') this.#waiting.set(words.subarray(TASK_WORDS + matched.length))
    this.#exchange.release(all)
    if (kind === 'collect') return { kind, count, words: lists }
    return kind === 'over' || kind === 'resume' ? { kind } : { kind: 'scan', allFree: kind !== 'scan' }
  }

  /** Candidates of the others. @param lead on the first rank */
  async bringCandidates(lead: Lead | undefined): Promise<void> {
    const { memory, candidates } = this.#setup
    const each = keptWords(candidates)
    const rangeOf = ({ vertices }: GraphSlice, step: number) => {
      const end = each * vertices.end
      const first = Math.min(end, each * vertices.first + STEP_WORDS * step)
      return { first, end: Math.min(end, first + STEP_WORDS) }
    }
    const others = this.#slices.slice(1)
    for (let step = 0; others.some((slice) => rangeOf(slice, step).first < rangeOf(slice, step).end); step++) {
      const { first, end } = rangeOf(this.#slices[this.#exchange.rank]!, step)
      const sent = this.#exchange.words(lead === undefined ? end - first : 0)
      sent.set(memory.kept.subarray(first, first + sent.length))
      const received = await this.#toFirst(sent)
      for (const [rank, slice] of this.#slices.entries())
        if (rank > 0) await lead?.fillCandidates(received[rank]!, rangeOf(slice, step).first)
      this.#exchange.release(received)
    }
  }

  /** Lists of the others. @returns on the first rank: how many found no room */
  async bringLists(lead: Lead | undefined, own: readonly CollectedOnDevice[]): Promise<number> {
    const figures = own.flatMap(({ words, entries, lacking }) => [words.length, entries.length, lacking])
    const found = await waitFor(this.#exchange, this.#exchange.gather(Uint32Array.from(figures)), this.#trace)
    const { parts, lengths, lacking } = layOut(found)
    const rooms = (await lead?.makeRoom(lengths)) ?? []
    const arrays = own.flatMap(({ words, entries }) => [words, entries])
    const end = Math.max(0, ...parts.map((each) => each.at(-1)?.end ?? 0))
    for (let first = 0; first < end; first += STEP_WORDS) {
      const received = await this.#toFirst(this.#cut(arrays, parts[this.#exchange.rank]!, first))
      for (const [rank, words] of received.entries())
        for (const { kind, list, ...part } of parts[rank]!) {
          const [from, to] = [Math.max(first, part.first), Math.min(first + words.length, part.end)]
          const some = words.subarray(from - first, Math.max(from, to) - first)
          if (kind === 'words') await lead?.fillLists(rooms[list]!, some, from - part.first)
          else await lead?.enterLists(rooms[list]!, some)
        }
      this.#exchange.release(received)
    }
    return lacking
  }

  /** A step of what this rank sends. */
  #cut(arrays: readonly Uint32Array[], parts: readonly Part[], first: number): Uint32Array {
    const end = Math.min(first + STEP_WORDS, parts.at(-1)?.end ?? 0)
    const cut = this.#exchange.words(Math.max(0, end - first))
    for (const [i, part] of parts.entries()) {
      const from = Math.max(first, part.first)
      const some = arrays[i]!.subarray(from - part.first, Math.max(from, Math.min(end, part.end)) - part.first)
      if (some.length > 0) cut.set(some, from - first)
    }
    return cut
  }

  /** MPI has what is sent in its hands: memory that is not shared. */
  async #toFirst(own: Uint32Array): Promise<readonly Uint32Array[]> {
    const none = new Uint32Array(0)
    const sent = this.#slices.map((_, to) => (to === 0 ? own : none))
    const received = await waitFor(this.#exchange, this.#exchange.distribute(sent), this.#trace)
    this.#exchange.release([own])
    return received
  }
}

/** Of what a rank sends, one behind another: the words of lists, or the entries that say where each of them begins. */
interface Part extends Range {
  readonly kind: 'words' | 'entries'
  /** Among those of all ranks. */
  readonly list: number
}

/** @param found of each rank: words, entries, and vertices that found no room, of each of its lists */
function layOut(found: readonly Uint32Array[]) {
  const lengths: number[] = []
  let lacking = 0
  const parts = found.map((figures) => {
    const own: Part[] = []
    let at = 0
    for (let i = 0; i < figures.length; i += 3) {
      const list = lengths.push(figures[i]!) - 1
      const entriesAt = at + 2 * Math.ceil(figures[i]! / 2)
      own.push({ kind: 'words', list, first: at, end: at + figures[i]! })
      at = entriesAt + figures[i + 1]!
      own.push({ kind: 'entries', list, first: entriesAt, end: at })
      lacking += figures[i + 2]!
    }
    return own
  })
  return { parts, lengths, lacking }
}
