import { existsSync, readFileSync, statSync } from 'node:fs'
import { asFailure, inputFailure } from '../../base/failure.ts'
import { MAX_VERTICES } from '../graph-reader.ts'
import type { WholeFormat } from './graph-format.ts'
import { type BitCode, BitReader } from './bit-reader.ts'
import type { StoredFile } from './stored-file.ts'

const MAX_PROPERTIES_BYTES = 1 << 20

/** Of the .properties file. */
interface WebGraphProperties {
  readonly vertices: number
  readonly arcs: number
  readonly windowSize: number
  /** Shortest run stored as an interval; 0: there are none. */
  readonly minIntervalLength: number
  readonly zetaK: number
  readonly codes: typeof usualCodes
}

/** By the parts of a list, as flags of compression call them. */
const usualCodes = {
  OUTDEGREES: 'GAMMA' as BitCode,
  REFERENCES: 'UNARY' as BitCode,
  BLOCK_COUNT: 'GAMMA' as BitCode,
  BLOCKS: 'GAMMA' as BitCode,
  RESIDUALS: 'ZETA' as BitCode,
}
const FLAG = /^(OUTDEGREES|REFERENCES|BLOCK_COUNT|BLOCKS|RESIDUALS)_(GAMMA|DELTA|ZETA|UNARY)$/

function propertiesPath(path: string): string {
  return `${path.replace(/\.graph$/i, '')}.properties`
}

function hasProperties(path: string): boolean {
  const beside = propertiesPath(path)
  if (beside === path || !existsSync(beside) || statSync(beside).size > MAX_PROPERTIES_BYTES) return false
  return /^\s*graphclass\s*[=:].*BVGraph/m.test(readFileSync(beside, 'latin1'))
}

/** @throws Failure (input) at file:line */
function readProperties(path: string): WebGraphProperties {
  const beside = propertiesPath(path)
  const entries = parse(beside)
  const value = (key: string) => entries.get(key)?.value
  const fail = (key: string, what: string) =>
    inputFailure(
      entries.has(key) ? `${beside}:${entries.get(key)!.line}` : `${beside}:1`,
      what,
      'WebGraph writes this file with the graph; is it the right one?',
    )
  const whole = (key: string, fallback?: number): number => {
    const text = value(key) ?? (fallback === undefined ? undefined : String(fallback))
    if (text === undefined || !/^\d{1,15}$/.test(text))
      throw fail(key, `${key} is "${text ?? 'missing'}", no whole number`)
    return Number(text)
  }
  const graphClass = value('graphclass') ?? ''
  if (!graphClass.endsWith('BVGraph'))
    throw fail('graphclass', `the graph class is "${graphClass}", and only BVGraph is read`)
  const codes = { ...usualCodes }
  for (const flag of (value('compressionflags') ?? '').split('|').map((word) => word.trim())) {
    if (flag === '' || flag.startsWith('OFFSETS_')) continue
    const [, part, code] = FLAG.exec(flag) ?? []
    if (part === undefined)
      throw fail('compressionflags', `the compression flag "${flag}" is not one that is read here`)
    codes[part as keyof typeof codes] = code as BitCode
  }
  return {
    vertices: whole('nodes'),
    arcs: whole('arcs'),
    windowSize: whole('windowsize', 7),
    minIntervalLength: whole('minintervallength', 4),
    zetaK: whole('zetak', 3),
    codes,
  }
}

function parse(path: string): Map<string, { value: string; line: number }> {
  const entries = new Map<string, { value: string; line: number }>()
  let text: string
  try {
    if (statSync(path).size > MAX_PROPERTIES_BYTES)
      throw inputFailure(path, 'the .properties file is over 1 MiB', 'Is it the right one?')
    text = readFileSync(path, 'latin1')
  } catch (error) {
    throw asFailure(error, path)
  }
  text.split(/\r?\n/).forEach((line, index) => {
    const [, key, value] = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? []
    if (key !== undefined) entries.set(key.toLowerCase(), { value: value ?? '', line: index + 1 })
  })
  return entries
}

const PUMP_ARCS = 1 << 17

/**
 * WebGraph BV graphs: successor lists as a bit stream, each with parts copied from a list shortly before it, intervals, and
 * residuals (Boldi and
 * Vigna, "The WebGraph Framework I: Compression Techniques", 2004). As many lists as the window is wide stay in memory.
 */
const read: WholeFormat['read'] = async (file, context) => {
  const properties = readProperties(file.name)
  const { vertices, arcs, windowSize } = properties
  if (vertices > MAX_VERTICES)
    throw broken(file, `${vertices} vertices are past the ${MAX_VERTICES} that ids have room for`)
  // Every list takes at least one bit: nothing is allocated for larger counts.
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
    for (const successor of list) context.output.add(x, successor, 1)
    if (emitted - pumped < PUMP_ARCS) continue
    pumped = emitted
    await context.pump(lists.readBytes)
  }
  if (emitted !== arcs) throw broken(file, `the .properties file promises ${arcs} arcs, and the lists hold ${emitted}`)
  return { vertices: { kind: 'counted', vertices, base: 0 }, warnings: [] }
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

  /** Ascending. @param before the list of x - r */
  next(x: number, before: (r: number) => readonly number[]): number[] {
    const { codes, windowSize, vertices } = this.#properties
    const degree = this.#bits.read(codes.OUTDEGREES)
    if (degree === 0) return []
    if (degree > vertices)
      throw broken(this.#file, `node ${x} has ${degree} successors, and there are ${vertices} nodes`)
    const reference = windowSize > 0 ? this.#bits.read(codes.REFERENCES) : 0
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

  /** Blocks are copied and skipped in turn; the rest is copied where their number is even. */
  #copied(x: number, list: readonly number[]): number[] {
    const { codes } = this.#properties
    const blocks = this.#bits.read(codes.BLOCK_COUNT)
    if (blocks > list.length + 1)
      throw broken(this.#file, `node ${x} has ${blocks} copy blocks for ${list.length} successors`)
    const copied: number[] = []
    let at = 0
    for (let i = 0; i < blocks; i++) {
      const length = this.#bits.read(codes.BLOCKS) + (i === 0 ? 0 : 1)
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
      const coded = this.#bits.read(codes.RESIDUALS)
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

export const webgraph: WholeFormat = {
  kind: 'whole',
  name: 'webgraph',
  recognise: ({ path, name }) =>
    /\.graph(?:\.gz|\.bgz)?$/i.test(name) && hasProperties(path)
      ? 'a .properties file of a BVGraph is beside it'
      : null,
  read,
}
