/**
 * What an import would make of the entries of a sample, which all fit in memory: the balance of those, and the vertices. It takes a map of all
 * ends, so it is for samples only; an import counts while it sorts (merged-arcs.ts). preview-file.ts shows the balance before an import, the
 * report of an import the same afterwards.
 */

import type { ImportBalance } from '../../contract/jobs.ts'
import type { EntryBlock } from '../../graph/entries.ts'
import type { VertexRow } from '../reading/vertex-file.ts'
import type { ReadOutcome } from '../reader/graph-reader.ts'
import type { LabelTable } from '../reader/input-ids.ts'
import { checkedTally, type LineTally } from '../reader/line-tally.ts'
import { wholeOfDecimal } from '../reader/numbers.ts'
import type { RowPolicy, WeightPolicy } from '../reader/policies.ts'

/** An edge and the weight that it was given first. */
interface SeenEdge {
  directions: number
  readonly weight: number
  differs: boolean
}

/** The entries of a sample. */
export class SampleEntries {
  readonly #labels: LabelTable | number
  readonly #refused: (weight: number) => boolean
  /** Loops that only declare a vertex: their weight is NaN where there are weights. */
  readonly #declared: number
  #notANumber = 0
  /** Numbers of ends by their ids. */
  readonly #ends = new Map<string, number>()
  readonly #inEdges = new Set<number>()
  readonly #edges = new Map<number, SeenEdge>()
  weighted = false
  /** Entries that are no declarations of a vertex alone. */
  total = 0
  #loops = 0
  #same = 0
  #both = 0
  #smallest = Infinity
  #refusedWeights = 0

  /** @param labels the table that entries point into, or what is added to internal ids */
  constructor(labels: LabelTable | number, weights: WeightPolicy, declared: number) {
    this.#declared = declared
    this.#labels = labels
    this.#refused = (weight) => weights.wouldRefuse(weight)
  }

  accept({ count, from, to, fromHigh, toHigh, weights }: EntryBlock): void {
    this.weighted ||= weights !== null
    for (let i = 0; i < count; i++) {
      const weight = weights?.[i] ?? 1
      const isLoop = from[i] === to[i] && fromHigh?.[i] === toHigh?.[i]
      if (Number.isNaN(weight) && isLoop) {
        this.#end(from[i]!, fromHigh?.[i] ?? 0)
        this.#notANumber++
      } else if (weights !== null && this.#refused(weight)) this.#refusedWeights++
      else this.#add(this.#end(from[i]!, fromHigh?.[i] ?? 0), this.#end(to[i]!, toHigh?.[i] ?? 0), weight)
    }
  }

  /** Entries that an import stops at, by their weight. */
  get refused(): number {
    return this.#refusedWeights + Math.max(0, this.#notANumber - this.#declared)
  }

  #end(low: number, high: number): number {
    const id = idOf(low, high, this.#labels)
    const known = this.#ends.get(id) ?? this.#ends.size
    this.#ends.set(id, known)
    return known
  }

  #add(u: number, v: number, weight: number): void {
    this.total++
    this.#smallest = Math.min(this.#smallest, weight)
    if (u === v) {
      this.#loops++
      return
    }
    this.#inEdges.add(u).add(v)
    const key = Math.min(u, v) * 2 ** 26 + Math.max(u, v)
    const direction = u < v ? 1 : 2
    const edge = this.#edges.get(key)
    if (edge === undefined) {
      this.#edges.set(key, { directions: direction, weight, differs: false })
      return
    }
    edge.differs ||= edge.weight !== weight
    if ((edge.directions & direction) !== 0) this.#same++
    else this.#both++
    edge.directions |= direction
  }

  /** The balance of the file alone. @param tally where a line is an entry, without these; null where it has no lines */
  balance(tally: LineTally | null, linesAreEntries: boolean, policy: WeightPolicy, rows: RowPolicy): ImportBalance {
    const declared = Math.max(0, this.#declared - this.#notANumber)
    const [total, loops] = [this.total - declared, this.#loops - declared]
    const [sameDirection, bothDirections] = [this.#same, this.#both]
    const edges = this.#edges.size
    const differing = [...this.#edges.values()].filter(({ differs }) => differs).length
    const isWeighted = this.weighted
    const lines = tally && {
      ...tally,
      ...(linesAreEntries ? { entries: total, refused: tally.refused + this.refused } : {}),
    }
    const shifted = policy.rule === 'shift' && this.#smallest <= 0 ? total : 0
    const { absolute, dropped, tiny } = policy
    return {
      lines: lines && checkedTally(lines),
      entries: { total, loops, sameDirection, bothDirections, edges, differing: isWeighted ? differing : null },
      vertices: null,
      weights: isWeighted ? { absolute, dropped, shifted, inverted: 0, ones: rows.ones, tiny, rounded: 0 } : null,
    }
  }

  /** @param space that the reader found @returns the table, and ids of rows that match no end */
  vertexTable(
    source: string,
    rows: readonly Pick<VertexRow, 'id'>[],
    refused: number,
    space: ReadOutcome['vertices'],
  ): { readonly table: NonNullable<ImportBalance['vertices']>; readonly added: string[]; readonly unknown: string[] } {
    const seen = new Set<string>()
    const [added, unknown]: [string[], string[]] = [[], []]
    let [matched, repeated] = [0, 0]
    for (const row of rows) {
      const id = space.kind === 'text' ? row.id : asNumber(row.id)
      const isVertex = space.kind !== 'counted' || isCounted(id, space.vertices, space.base)
      const end = this.#ends.get(id)
      if (!isVertex) unknown.push(id)
      else if (seen.has(id)) repeated++
      else if (end !== undefined && this.#inEdges.has(end)) matched++
      else added.push(id)
      if (isVertex) seen.add(id)
    }
    const strangers = [...seen].filter((id) => !this.#ends.has(id)).length
    const vertices = space.kind === 'counted' ? space.vertices : this.#ends.size + strangers
    const withoutRow = vertices - seen.size
    const counts = { rows: rows.length + refused, matched, added: added.length, repeated, unknown: unknown.length }
    return { table: { source, ...counts, refused, withoutRow }, added, unknown }
  }

  get vertices(): number {
    return this.#ends.size
  }

  get edges(): number {
    return this.#edges.size
  }
}

/** What the vertex is called where ids are whole numbers. */
const asNumber = (id: string): string => (/^\+?\d+$/.test(id) ? String(BigInt(id)) : String(wholeOfDecimal(id) ?? id))

const isCounted = (id: string, vertices: number, base: number): boolean =>
  /^\d{1,15}$/.test(id) && Number(id) >= base && Number(id) < vertices + base

/** As it is written in the file. */
export function idOf(low: number, high: number, labels: LabelTable | number): string {
  if (typeof labels !== 'number') return Buffer.from(labels.bytes(low)).toString('utf8')
  return String((BigInt(high) << 32n) + BigInt(low) + BigInt(labels))
}
