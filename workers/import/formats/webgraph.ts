/**
 * WebGraph BV graphs (Boldi, Vigna, The WebGraph Framework I: Compression Techniques, 2004): successor lists as a bit stream, each with parts
 * copied from a list shortly before it, intervals, and residuals, in instantaneous codes. As many lists as the window is wide stay in memory;
 * time is linear in the arcs. Codes are those of the properties file beside the graph; damage is refused with the vertex whose list it is in.
 */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { asFailure, inputFailure } from '../../base/failure.ts'
import { requireIds } from '../reader/graph-reader.ts'
import type { WholeFormat } from './graph-format.ts'
import { type StoredFile, unpackedName } from './stored-file.ts'

const MAX_PROPERTIES_BYTES = 1 << 20

/** As WebGraph calls them. */
type BitCode = 'GAMMA' | 'DELTA' | 'ZETA' | 'UNARY'

/** Codes by the parts of a list, as flags of compression call them. */
const usualCodes = {
  OUTDEGREES: 'GAMMA' as BitCode,
  REFERENCES: 'UNARY' as BitCode,
  BLOCK_COUNT: 'GAMMA' as BitCode,
  BLOCKS: 'GAMMA' as BitCode,
  RESIDUALS: 'ZETA' as BitCode,
}
const FLAG = /^(OUTDEGREES|REFERENCES|BLOCK_COUNT|BLOCKS|RESIDUALS)_(GAMMA|DELTA|ZETA|UNARY)$/

const propertiesPath = (name: string): string => `${unpackedName(name).replace(/\.graph$/i, '')}.properties`

function hasProperties(name: string): boolean {
  const beside = propertiesPath(name)
  if (!existsSync(beside) || statSync(beside).size > MAX_PROPERTIES_BYTES) return false
  return /^\s*graphclass\s*[=:].*BVGraph/m.test(readFileSync(beside, 'latin1'))
}

/** @throws Failure (input) at file:line */
function readProperties(name: string) {
  const beside = propertiesPath(name)
  const entries = new Map<string, { readonly value: string; readonly line: number }>()
  propertiesText(beside)
    .split(/\r?\n/)
    .forEach((line, index) => {
      const [, key, value = ''] = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? []
      if (key !== undefined) entries.set(key.toLowerCase(), { value, line: index + 1 })
    })
  const value = (key: string) => entries.get(key)?.value
  const remedy = 'WebGraph writes this file with the graph; is it the right one?'
  const fail = (key: string, what: string) => inputFailure(`${beside}:${entries.get(key)?.line ?? 1}`, what, remedy)
  const whole = (key: string, usual = 'missing'): number => {
    const text = value(key) ?? usual
    if (!/^\d{1,15}$/.test(text)) throw fail(key, `${key} is "${text}", no whole number`)
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
    entries: whole('arcs'),
    windowSize: whole('windowsize', '7'),
    /** Shortest run stored as an interval; 0: there are none. */
    minIntervalLength: whole('minintervallength', '4'),
    zetaK: whole('zetak', '3'),
    codes,
  }
}

function propertiesText(path: string): string {
  try {
    if (statSync(path).size > MAX_PROPERTIES_BYTES)
      throw inputFailure(path, 'the .properties file is over 1 MiB', 'Is it the right one?')
    return readFileSync(path, 'latin1')
  } catch (error) {
    throw asFailure(error, path)
  }
}

const PUMP_ARCS = 1 << 17

/**
 * WebGraph BV graphs: successor lists as a bit stream, each with parts copied from a list shortly before it, intervals, and
 * residuals (Boldi and Vigna, "The WebGraph Framework I: Compression Techniques", 2004). As many lists as the window is
 * wide stay in memory.
 */
const read: WholeFormat['read'] = async function* (file, context) {
  const properties = readProperties(file.name)
  const { vertices, entries, windowSize } = properties
  requireIds(file.name, vertices)
  // Every list takes at least one bit: nothing is allocated for larger counts.
  if (vertices > 8 * file.bytes)
    throw broken(file, `the .properties file promises ${vertices} nodes, and ${file.bytes} bytes cannot hold so many`)
  const promised = `the .properties file promises ${entries} arcs`
  const lists = new SuccessorLists(file, properties)
  const window: number[][] = Array.from({ length: windowSize + 1 }, () => [])
  let emitted = 0
  let pumped = 0
  context.output.next()
  for (let x = 0; x < vertices; x++) {
    const list = lists.next(x, (r) => window[(x - r) % window.length]!)
    window[x % window.length] = list
    emitted += list.length
    if (emitted > entries) throw broken(file, `${promised}, and node ${x} goes past them`)
    for (const successor of list) context.output.add(x, successor, 1)
    if (emitted - pumped < PUMP_ARCS) continue
    pumped = emitted
    yield lists.readBytes
  }
  if (emitted !== entries) throw broken(file, `${promised}, and the lists hold ${emitted}`)
  return { vertices: { kind: 'counted', vertices, base: 0 }, warnings: [] }
}

const WINDOW_BYTES = 1 << 20
const MAX_BITS = 52

/**
 * A big-endian bit stream and its instantaneous codes of whole numbers from 0 (Boldi and Vigna, "The WebGraph Framework
 * II: Codes for the World-Wide Web", 2004).
 */
class BitReader {
  protected readonly file: StoredFile
  readonly #zetaK: number
  #bytes = new Uint8Array(0)
  /** Position of the window in the file. */
  #base = 0
  /** Next byte of the window, and the bits of it that were read. */
  #at = 0
  #used = 0

  constructor(file: StoredFile, zetaK: number) {
    this.file = file
    this.#zetaK = zetaK
  }

  /** Begun ones count. */
  get readBytes(): number {
    return this.#base + this.#at
  }

  read(code: BitCode): number {
    if (code === 'UNARY') return this.#unary()
    if (code === 'GAMMA') return this.gamma()
    return code === 'DELTA' ? this.#behind(this.gamma()) : this.#zeta()
  }

  /** As many zeros as the number says, then a one. */
  #unary(): number {
    for (let zeros = 0; ;) {
      const rest = this.#byte() & (0xff >> this.#used)
      const lead = Math.clz32(rest) - 24
      zeros += lead - this.#used
      this.#take(Math.min(8, lead + 1) - this.#used)
      if (rest !== 0) return zeros
    }
  }

  /** The length of x + 1 in bits less one, in unary; then its bits without the first. Delta has the length in gamma. */
  gamma(): number {
    return this.#behind(this.#unary())
  }

  #behind(length: number): number {
    return 2 ** length + this.#bits(length) - 1
  }

  /** With h in unary, x + 1 is in [2^(hk), 2^((h+1)k)), in minimal binary. */
  #zeta(): number {
    const k = this.#zetaK
    const h = this.#unary()
    const left = 2 ** (h * k)
    const short = this.#bits(h * k + k - 1)
    return short < left ? short + left - 1 : 2 * short + this.#bits(1) - 1
  }

  #bits(count: number): number {
    if (count > MAX_BITS) throw this.file.shorter(this.file.bytes + 1)
    let value = 0
    for (let missing = count; missing > 0;) {
      const byte = this.#byte()
      const take = Math.min(missing, 8 - this.#used)
      value = value * 2 ** take + ((byte >> (8 - this.#used - take)) & ((1 << take) - 1))
      missing -= take
      this.#take(take)
    }
    return value
  }

  /** Takes bits of the current byte. */
  #take(bits: number): void {
    this.#used += bits
    if (this.#used < 8) return
    this.#at++
    this.#used = 0
  }

  #byte(): number {
    if (this.#at === this.#bytes.length) {
      this.#base += this.#at
      this.#at = 0
      const left = this.file.bytes - this.#base
      if (left <= 0) throw this.file.shorter(this.file.bytes + 1)
      this.#bytes = this.file.read(this.#base, Math.min(WINDOW_BYTES, left))
    }
    return this.#bytes[this.#at]!
  }
}

class SuccessorLists extends BitReader {
  readonly #properties: ReturnType<typeof readProperties>

  constructor(file: StoredFile, properties: ReturnType<typeof readProperties>) {
    super(file, properties.zetaK)
    this.#properties = properties
    if (properties.zetaK < 1 || properties.zetaK > 16) throw broken(file, `zetak is ${properties.zetaK}, not 1 to 16`)
    if (properties.windowSize > 1 << 16) throw broken(file, `the window of ${properties.windowSize} is too large`)
  }

  /** Ascending. @param before the list of x - r */
  next(x: number, before: (r: number) => readonly number[]): number[] {
    const { codes, windowSize, vertices } = this.#properties
    const degree = this.read(codes.OUTDEGREES)
    if (degree === 0) return []
    if (degree > vertices)
      throw broken(this.file, `node ${x} has ${degree} successors, and there are ${vertices} nodes`)
    const reference = windowSize > 0 ? this.read(codes.REFERENCES) : 0
    if (reference > Math.min(windowSize, x))
      throw broken(this.file, `node ${x} refers to the node ${reference} before it`)
    const copied = reference > 0 ? this.#copied(x, before(reference)) : []
    if (copied.length > degree) throw broken(this.file, `node ${x} copies more successors than it has`)
    const intervals = copied.length < degree ? this.#intervals(x, degree - copied.length) : []
    const residuals = this.#residuals(x, degree - copied.length - intervals.length)
    const list = [...copied, ...intervals, ...residuals]
    if (intervals.length + residuals.length > 0 && copied.length + intervals.length > 0) list.sort((a, b) => a - b)
    if (list[0]! < 0 || list.at(-1)! >= vertices)
      throw broken(this.file, `node ${x} has a successor outside of the ${vertices} nodes`)
    return list
  }

  /** Blocks are copied and skipped in turn; the rest is copied where their number is even. */
  #copied(x: number, list: readonly number[]): number[] {
    const blocks = this.read(this.#properties.codes.BLOCK_COUNT)
    if (blocks > list.length + 1)
      throw broken(this.file, `node ${x} has ${blocks} copy blocks for ${list.length} successors`)
    const copied: number[] = []
    let at = 0
    for (let i = 0; i < blocks; i++) {
      const length = this.read(this.#properties.codes.BLOCKS) + (i === 0 ? 0 : 1)
      if (at + length > list.length) throw broken(this.file, `a copy block of node ${x} runs past the list it copies`)
      if (i % 2 === 0) for (let j = at; j < at + length; j++) copied.push(list[j]!)
      at += length
    }
    if (blocks % 2 === 0) for (; at < list.length; at++) copied.push(list[at]!)
    return copied
  }

  #intervals(x: number, room: number): number[] {
    const { minIntervalLength } = this.#properties
    const successors: number[] = []
    const count = minIntervalLength === 0 ? 0 : this.gamma()
    let end = 0
    for (let i = 0; i < count; i++) {
      const left = i === 0 ? x + signed(this.gamma()) : end + 1 + this.gamma()
      const length = this.gamma() + minIntervalLength
      if (successors.length + length > room)
        throw broken(this.file, `the intervals of node ${x} hold too many successors`)
      for (let v = left; v < left + length; v++) successors.push(v)
      end = left + length
    }
    return successors
  }

  #residuals(x: number, count: number): number[] {
    const successors: number[] = []
    let before = 0
    for (let i = 0; i < count; i++) {
      const coded = this.read(this.#properties.codes.RESIDUALS)
      before = i === 0 ? x + signed(coded) : before + 1 + coded
      successors.push(before)
    }
    return successors
  }
}

/** Even numbers stand for 0, 1, 2, ..., odd ones for -1, -2, ... */
const signed = (natural: number): number => (natural % 2 === 0 ? natural / 2 : -(natural + 1) / 2)

function broken(file: StoredFile, what: string) {
  return inputFailure(file.name, what, 'Is the file complete, and the .properties file its own?')
}

export const webgraph: WholeFormat = {
  kind: 'whole',
  name: 'webgraph',
  recognise: (_, name) =>
    /\.graph$/i.test(unpackedName(name)) && hasProperties(name) ? 'a .properties file of a BVGraph is beside it' : null,
  stated: (name) => ({ ...readProperties(name), weighted: false }),
  read,
}
