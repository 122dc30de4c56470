import { GR_HEADER_BYTES } from '../../graph/graph-file.ts'
import type { ScratchFiles } from './scratch-file.ts'
import { bytesOf } from '../../base/words.ts'
import type { SumsBuilder } from '../../base/sums.ts'
import { type ArcCounts, MergedWeight, noArcs, type WeightMerge } from '../merged-arcs.ts'

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
  /** Of the arc, at least one record. */
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
    if (this.#isWeighted) this.#keepWeight(this.#weight.value(source, target))
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
