import { inputFailure } from '../../base/failure.ts'
import { MAX_VERTICES } from '../graph-reader.ts'
import type { BinaryContext, BinaryReader } from './binary-reader.ts'
import { BitReader } from './bit-reader.ts'
import type { StoredFile } from './stored-file.ts'
import { readProperties, type WebGraphProperties } from './webgraph-properties.ts'

const PUMP_ARCS = 1 << 17

/**
 * WebGraph BV graphs: successor lists of a directed graph as a bit stream, each with parts copied from a list shortly before
 * it, intervals, and residuals (Boldi and Vigna, "The WebGraph Framework I: Compression Techniques", 2004). The lists are
 * read in order; as many as the window is wide stay in memory. The offsets file is not needed.
 */
export const readWebGraph: BinaryReader = async (file, context) => {
  const properties = readProperties(file.name)
  const { vertices, arcs, windowSize } = properties
  if (vertices > MAX_VERTICES)
    throw broken(file, `${vertices} vertices are past the ${MAX_VERTICES} that ids have room for`)
  // Every list takes at least the bit of its outdegree: larger counts are not believed, and nothing is allocated for them.
  if (vertices > 8 * file.bytes)
    throw broken(file, `the .properties file promises ${vertices} nodes, and ${file.bytes} bytes cannot hold so many`)
  const lists = new SuccessorLists(file, properties)
  const window: number[][] = Array.from({ length: windowSize + 1 }, () => [])
  let emitted = 0
  let pumped = 0
  context.output.next()
  for (let x = 0; x < vertices; x++) {
    const list = lists.next(x, (r) => window[(x - r) % window.length]!)
    window[x % window.length] = list
    emitted += list.length
    if (emitted > arcs) throw broken(file, `the .properties file promises ${arcs} arcs, and node ${x} goes past them`)
    emit(context, x, list)
    if (emitted - pumped < PUMP_ARCS) continue
    pumped = emitted
    await context.pump(lists.readBytes)
  }
  if (emitted !== arcs) throw broken(file, `the .properties file promises ${arcs} arcs, and the lists hold ${emitted}`)
  return { vertices: { kind: 'counted', vertices, base: 0 }, warnings: [] }
}

function emit({ output }: BinaryContext, x: number, list: readonly number[]): void {
  for (const successor of list) output.add(x, successor, 1)
}

class SuccessorLists {
  readonly #file: StoredFile
  readonly #properties: WebGraphProperties
  readonly #bits: BitReader

  constructor(file: StoredFile, properties: WebGraphProperties) {
    this.#file = file
    this.#properties = properties
    if (properties.zetaK < 1 || properties.zetaK > 16) throw broken(file, `zetak is ${properties.zetaK}, not 1 to 16`)
    if (properties.windowSize > 1 << 16) throw broken(file, `the window of ${properties.windowSize} is too large`)
    this.#bits = new BitReader(file, properties.zetaK)
  }

  get readBytes(): number {
    return this.#bits.readBytes
  }

  /** The successors of x, ascending. `before(r)` is the list of x - r. */
  next(x: number, before: (r: number) => readonly number[]): number[] {
    const { codes, windowSize, vertices } = this.#properties
    const degree = this.#bits.read(codes.outdegrees)
    if (degree === 0) return []
    if (degree > vertices)
      throw broken(this.#file, `node ${x} has ${degree} successors, and there are ${vertices} nodes`)
    const reference = windowSize > 0 ? this.#bits.read(codes.references) : 0
    if (reference > Math.min(windowSize, x))
      throw broken(this.#file, `node ${x} refers to the node ${reference} before it`)
    const copied = reference > 0 ? this.#copied(x, before(reference)) : []
    if (copied.length > degree) throw broken(this.#file, `node ${x} copies more successors than it has`)
    const intervals = copied.length < degree ? this.#intervals(x, degree - copied.length) : []
    const residuals = this.#residuals(x, degree - copied.length - intervals.length)
    const list = [...copied, ...intervals, ...residuals]
    if (intervals.length + residuals.length > 0 && copied.length + intervals.length > 0) list.sort((a, b) => a - b)
    if (list[0]! < 0 || list.at(-1)! >= vertices)
      throw broken(this.#file, `node ${x} has a successor outside of the ${vertices} nodes`)
    return list
  }

  /** Blocks of the list referred to are copied and skipped in turn; the rest is copied where their number is even. */
  #copied(x: number, list: readonly number[]): number[] {
    const { codes } = this.#properties
    const blocks = this.#bits.read(codes.blockCount)
    if (blocks > list.length + 1)
      throw broken(this.#file, `node ${x} has ${blocks} copy blocks for ${list.length} successors`)
    const copied: number[] = []
    let at = 0
    for (let i = 0; i < blocks; i++) {
      const length = this.#bits.read(codes.blocks) + (i === 0 ? 0 : 1)
      if (at + length > list.length) throw broken(this.#file, `a copy block of node ${x} runs past the list it copies`)
      if (i % 2 === 0) for (let j = at; j < at + length; j++) copied.push(list[j]!)
      at += length
    }
    if (blocks % 2 === 0) for (; at < list.length; at++) copied.push(list[at]!)
    return copied
  }

  #intervals(x: number, room: number): number[] {
    const { minIntervalLength } = this.#properties
    const successors: number[] = []
    const count = minIntervalLength === 0 ? 0 : this.#bits.gamma()
    let end = 0
    for (let i = 0; i < count; i++) {
      const left = i === 0 ? x + signed(this.#bits.gamma()) : end + 1 + this.#bits.gamma()
      const length = this.#bits.gamma() + minIntervalLength
      if (successors.length + length > room)
        throw broken(this.#file, `the intervals of node ${x} hold too many successors`)
      for (let v = left; v < left + length; v++) successors.push(v)
      end = left + length
    }
    return successors
  }

  #residuals(x: number, count: number): number[] {
    const { codes } = this.#properties
    const successors: number[] = []
    let before = 0
    for (let i = 0; i < count; i++) {
      const coded = this.#bits.read(codes.residuals)
      before = i === 0 ? x + signed(coded) : before + 1 + coded
      successors.push(before)
    }
    return successors
  }
}

/** Even numbers stand for 0, 1, 2, ..., odd ones for -1, -2, ... */
function signed(natural: number): number {
  return natural % 2 === 0 ? natural / 2 : -(natural + 1) / 2
}

function broken(file: StoredFile, what: string) {
  return inputFailure(file.name, what, 'Is the file complete, and the .properties file its own?')
}
