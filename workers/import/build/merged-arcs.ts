/**
 * Arcs of adjacency lists from sorted records, with the weights of an edge that is given several times merged by the user's rule: first by
 * direction, then the larger of both. Counts of loops, duplicates and reverse arcs add up to the report's balance. Weights are written in the
 * form that the file has. Both ways of an import use it: list-maker.ts and bucket-builder.ts.
 */

import { ExactSum } from '../../base/exact-sum.ts'
import { Failure } from '../../base/failure.ts'
import { addsDirections } from '../../contract/graph-formats.ts'
import type { ImportReport, MergeRule } from '../../contract/jobs.ts'
import { GR_HEADER_BYTES } from '../../graph/graph-file.ts'
import type { ScratchFiles } from './scratch-file.ts'
import { type WeightForm, weightIn } from '../../graph/weight-values.ts'
import { bytesOf } from '../../base/words.ts'
import type { SumsBuilder } from '../../base/sums.ts'

/** Counts of adjacency lists, which were made of a record for each direction of an entry. */
export interface ArcCounts {
  /** Without those of loops. */
  records: number
  loops: number
  arcs: number
  /** Arcs that were read in this direction. */
  given: number
  maxDegree: number
  isolated: number
  /** Arcs that were given several times, and not always with one weight. */
  differing: number
  smallestWeight: number
  largestWeight: number
}

export const noArcs = (): ArcCounts => ({
  ...{ records: 0, loops: 0, arcs: 0, given: 0, maxDegree: 0, isolated: 0, differing: 0 },
  smallestWeight: Infinity,
  largestWeight: 0,
})

/** The largest and smallest of these, and sums of the others. */
export function addCounts<C extends object>(sum: C, more: C): void {
  const all = sum as Record<string, number>
  for (const [name, count] of Object.entries(more) as [string, number][])
    if (name === 'smallestWeight') all[name] = Math.min(all[name]!, count)
    else if (name === 'maxDegree' || name === 'largestWeight') all[name] = Math.max(all[name]!, count)
    else all[name]! += count
}

/** Known when the graph is built. */
export interface CountedGraph extends Pick<
  ImportReport,
  'vertices' | 'arcs' | 'loopsRemoved' | 'duplicatesMerged' | 'reverseArcsAdded' | 'isolatedVertices' | 'labels'
> {
  /** null without weights. */
  readonly weights: { readonly smallest: number; readonly largest: number } | null
  /** Edges that were given several times, and not always with one weight. Absent: none was given twice. */
  readonly differing?: number
}

interface GraphOfArcs extends Pick<CountedGraph, 'vertices' | 'labels'> {
  readonly entries: number
  /** What weights are to the floats of the arcs; null without weights. */
  readonly form: WeightForm | null
}

/** @throws Error where entries were lost */
export function countedGraph(counts: ArcCounts, { entries, form, ...graph }: GraphOfArcs): CountedGraph {
  const { records, loops, arcs, given, isolated, differing, smallestWeight, largestWeight } = counts
  if (records !== 2 * (entries - loops))
    throw new Error(`records were lost: ${records} of ${entries} entries with ${loops} loops`)
  const range = { smallest: smallestWeight, largest: largestWeight }
  return {
    ...graph,
    arcs,
    loopsRemoved: loops,
    duplicatesMerged: entries - loops - given,
    reverseArcsAdded: arcs - given,
    isolatedVertices: isolated,
    differing: differing / 2,
    weights: form && (arcs === 0 ? { smallest: 0, largest: 0 } : inForm(form, range)),
  }
}

const inForm = (form: WeightForm, { smallest, largest }: { smallest: number; largest: number }) => {
  return { smallest: weightIn(form, smallest), largest: weightIn(form, largest) }
}

/** How the weights of an edge given several times become one. Each is first taken as scale * w + offset. */
export interface WeightMerge {
  readonly rule: MergeRule
  readonly scale: number
  readonly offset: number
}

/**
 * Merges the weights of one edge: first by direction, then the larger of both (`min`: the smaller; `first`: that
 * from the smaller id). Sums are of one direction, as many files list both, but under `total` and
 * `count`.
 */
export class MergedWeight {
  readonly #merge: WeightMerge
  readonly #sums = [new ExactSum(), new ExactSum()] as const
  readonly #values = new Float64Array(2)
  readonly #given = [false, false]
  #entries = 0
  #only = 0
  #onlyDirection: 0 | 1 = 0
  /** Weights as they were given are not all the same. */
  differ = false

  constructor(merge: WeightMerge) {
    this.#merge = merge
  }

  start(): void {
    this.#entries = 0
    this.differ = false
  }

  /** @param direction 1 for the reverse */
  add(weight: number, direction: 0 | 1): void {
    this.#entries++
    if (this.#entries === 1) {
      this.#only = weight
      this.#onlyDirection = direction
      return
    }
    if (weight !== this.#only) this.differ = true
    if (this.#entries === 2) {
      this.#given[0] = this.#given[1] = false
      this.#merged(this.#only, this.#together ? 0 : this.#onlyDirection)
    }
    this.#merged(weight, this.#together ? 0 : direction)
  }

  /** Both directions are one. */
  get #together(): boolean {
    return addsDirections(this.#merge.rule)
  }

  get #adds(): boolean {
    return this.#merge.rule === 'sum' || this.#together
  }

  #mapped(weight: number): number {
    const { scale, offset } = this.#merge
    return scale === 1 && offset === 0 ? weight : Math.fround(scale * weight + offset)
  }

  #merged(weight: number, direction: 0 | 1): void {
    const { rule } = this.#merge
    const value = this.#mapped(weight)
    const values = this.#values
    const isFirst = !this.#given[direction]
    this.#given[direction] = true
    if (this.#adds) {
      if (isFirst) this.#sums[direction].start(value)
      else this.#sums[direction].add(value)
    } else if (
      isFirst ||
      (rule === 'max' && value > values[direction]!) ||
      (rule === 'min' && value < values[direction]!)
    )
      values[direction] = value
  }

  /** For the arc from `source` to `target`. @throws Failure (input) for a sum past the range of f32 */
  value(source: number, target: number): number {
    const here = this.#entries === 1 ? this.#mapped(this.#only) : this.#ofAll(source < target)
    if (Number.isFinite(here)) return here
    throw new Failure({
      code: 'input',
      what: 'the weights of an edge that is given several times add up to more than a 32-bit float holds',
      remedy: 'Merge them another way, or divide the weights first.',
    })
  }

  #ofAll(ascends: boolean): number {
    if (!this.#given[1]) return this.#of(0)
    if (!this.#given[0]) return this.#of(1)
    const [forward, backward] = [this.#of(0), this.#of(1)]
    const { rule } = this.#merge
    if (rule === 'first') return ascends ? forward : backward
    return rule === 'min' ? Math.min(forward, backward) : Math.max(forward, backward)
  }

  #of(direction: 0 | 1): number {
    return Math.fround(this.#adds ? this.#sums[direction].value : this.#values[direction]!)
  }
}

const BUFFER_ARCS = 1 << 15
const BUFFER_ENDS = 1 << 13

export interface ArcOutputPlan {
  /** End offsets and targets are written in place. */
  readonly graphPath: string
  /** Moved behind the targets when all arcs are counted; null without weights. */
  readonly weightsPath: string | null
  readonly vertices: number
  readonly merge: WeightMerge
}

export class ArcOutput {
  readonly #plan: ArcOutputPlan
  readonly #files: ScratchFiles
  readonly #isWeighted: boolean
  readonly #targets = new Uint32Array(BUFFER_ARCS)
  readonly #weights = new Float32Array(BUFFER_ARCS)
  readonly #ends = new Uint32Array(2 * BUFFER_ENDS)
  readonly #weight: MergedWeight
  readonly #sums: SumsBuilder
  #counts = noArcs()
  #vertex = 0
  #last = 0
  #position = 0
  #listStart = 0
  #buffered = 0
  #endsBuffered = 0
  #target = -1
  #source = -1
  /** Records of the arc, one at least. */
  #given = 0

  /** @param sums of graph.gr @param files hold it, and the weights */
  constructor(plan: ArcOutputPlan, sums: SumsBuilder, files: ScratchFiles) {
    this.#files = files
    this.#sums = sums
    this.#plan = plan
    this.#isWeighted = plan.weightsPath !== null
    this.#weight = new MergedWeight(plan.merge)
  }

  /** @param position of the first arc of vertex `first` */
  begin(first: number, last: number, position: number): void {
    this.#counts = noArcs()
    this.#vertex = first
    this.#last = last
    this.#position = this.#listStart = position
    this.#source = this.#target = -1
  }

  /** @param first the vertex from which sources count */
  take(records: Uint32Array, recordWords: 2 | 3, first: number): void {
    const floats = new Float32Array(records.buffer, records.byteOffset, records.length)
    this.#counts.records += records.length / recordWords
    let [source, target, given] = [this.#source, this.#target, this.#given]
    for (let i = 0; i < records.length; i += recordWords) {
      const word = records[i]!
      const isRepeated = records[i + 1] === target && first + (word >>> 1) === source
      if (!isRepeated) {
        if (source >= 0) this.#endArc(source, target, given)
        source = first + (word >>> 1)
        target = records[i + 1]!
        given = 0
        if (recordWords === 3) this.#weight.start()
      }
      given |= 1 - (word & 1)
      if (recordWords === 3) this.#weight.add(floats[i + 2]!, (word & 1) as 0 | 1)
    }
    this.#source = source
    this.#target = target
    this.#given = given
  }

  finish(): ArcCounts {
    if (this.#source >= 0) this.#endArc(this.#source, this.#target, this.#given)
    this.#source = this.#target = -1
    while (this.#vertex < this.#last) this.#endList()
    this.#flushArcs()
    this.#flushEnds()
    return this.#counts
  }

  #endArc(source: number, target: number, given: number): void {
    while (this.#vertex < source) this.#endList()
    if (this.#buffered === BUFFER_ARCS) this.#flushArcs()
    this.#targets[this.#buffered] = target
    if (this.#isWeighted) {
      this.#keepWeight(this.#weight.value(source, target))
      if (this.#weight.differ) this.#counts.differing++
    }
    this.#buffered++
    this.#counts.arcs++
    this.#counts.given += given
  }

  #keepWeight(weight: number): void {
    this.#weights[this.#buffered] = weight
    if (weight < this.#counts.smallestWeight) this.#counts.smallestWeight = weight
    if (weight > this.#counts.largestWeight) this.#counts.largestWeight = weight
  }

  #endList(): void {
    const end = this.#position + this.#buffered
    const degree = end - this.#listStart
    if (degree > this.#counts.maxDegree) this.#counts.maxDegree = degree
    if (degree === 0) this.#counts.isolated++
    this.#listStart = end
    if (this.#endsBuffered === BUFFER_ENDS) this.#flushEnds()
    this.#ends[2 * this.#endsBuffered] = end
    this.#ends[2 * this.#endsBuffered++ + 1] = end / 2 ** 32
    this.#vertex++
  }

  #flushArcs(): void {
    const { weightsPath, vertices } = this.#plan
    const at = 4 * this.#position
    this.#write(bytesOf(this.#targets.subarray(0, this.#buffered)), GR_HEADER_BYTES + 8 * vertices + at)
    if (weightsPath !== null) this.#files.write(weightsPath, bytesOf(this.#weights.subarray(0, this.#buffered)), at)
    this.#position += this.#buffered
    this.#buffered = 0
  }

  #flushEnds(): void {
    const at = GR_HEADER_BYTES + 8 * (this.#vertex - this.#endsBuffered)
    this.#write(bytesOf(this.#ends.subarray(0, 2 * this.#endsBuffered)), at)
    this.#endsBuffered = 0
  }

  #write(bytes: Uint8Array, at: number): void {
    this.#files.write(this.#plan.graphPath, bytes, at)
    this.#sums.add(at, bytes)
  }
}
