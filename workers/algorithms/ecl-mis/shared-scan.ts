/**
 * What the workers of a scan share: the next units from the board, from the back of the file where hubs come first, and the states of all
 * vertices on the host. Processors share a byte each, which also holds the code of a priority; devices give two bits each, and publish them here
 * for one another. Both forms are merged word by word without locks, as a decided state never changes. compute-set.ts makes them, processors.ts
 * and device-task.ts use them.
 */

import { misPack } from '../../../kernels/mis/mis-pack.ts'
import { misMerge } from '../../../kernels/mis/mis-merge.ts'
import type { Range } from '../../base/ranges.ts'
import { sharedMemory, sharedWords } from '../../base/words.ts'
import { IN as IN_CODE, OUT as OUT_CODE, stateBytes } from '../../../kernels/parts/vertex-states.ts'
import { HOST_LISTS } from '../../../kernels/mis/modules.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import type { Priority } from '../../contract/jobs.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import type { ScanBoard, ScanPlace } from '../../streaming/piece-scan.ts'
import { VertexSet, IN, OUT, UNDECIDED, VERTICES_PER_WORD, stateOf, stateWords } from '../../graph/vertex-set.ts'

/** More deferred vertices than this take another pass; fewer lists are read one by one. */
export const MANY_LEFT = 1 << 14

/** Common to all workers of a scan. */
export interface ScanSetup extends ScanPlace {
  readonly order: SetOrder
  /** Whether units are taken from the back: where hubs come first, others decide them before their lists are read. */
  readonly isBackward: boolean
}

/** The next units from the board. @returns undefined behind the last */
export function takeUnits(
  board: ScanBoard,
  { own: { units }, isBackward }: Pick<ScanSetup, 'own' | 'isBackward'>,
  count: number,
): Range | undefined {
  const first = board.take('lists', count)
  if (first >= units.end) return undefined
  const end = Math.min(units.end, first + count)
  const mirrored = (unit: number): number => units.first + units.end - unit
  return isBackward ? { first: mirrored(end), end: mirrored(first) } : { first, end }
}

/** Arcs of the first half of a graph to those of the second. */
const HUBS_FIRST = 5 / 4

/** @param degrees of vertices spread over the graph, in its order */
export function hubsComeFirst(degrees: Uint32Array): boolean {
  const half = degrees.length >>> 1
  const sum = (some: Uint32Array): number => some.reduce((all, degree) => all + degree, 0)
  return sum(degrees.subarray(0, half)) > HUBS_FIRST * sum(degrees.subarray(half))
}

/** The states of all vertices on the host. */
export interface HostStates {
  get(v: number): number
  set(v: number, state: number): void
  /** Two bits a vertex (vertex-states.ts). */
  packed(): Uint32Array
  /** Brings earlier states up to date. @param words of 16 vertices each */
  update(earlier: Uint32Array, words: Range): void
  /** Takes over decided states of two bits each; several threads may merge at a time. @param firstWord of 16 vertices each */
  merge(states: Uint32Array, firstWord?: number): void
  mergeWord(word: number, states: number): void
  members(): VertexSet
}

/** Two bits each, as devices give them. */
export class PackedStates implements HostStates {
  readonly #vertices: number
  readonly #words: Uint32Array

  constructor(vertices: number, words: Uint32Array) {
    this.#vertices = vertices
    this.#words = words
  }

  get(v: number): number {
    return stateOf(this.#words, v)
  }

  set(v: number, state: number): void {
    Atomics.or(this.#words, v >>> 4, state << ((v & 15) << 1))
  }

  packed(): Uint32Array {
    return this.#words
  }

  update(earlier: Uint32Array, { first, end }: Range): void {
    earlier.set(this.#words.subarray(first, end))
  }

  merge(states: Uint32Array, firstWord = 0): void {
    const words = this.#words.subarray(firstWord)
    // No other thread writes.
    if (words.buffer instanceof ArrayBuffer) for (let i = 0; i < states.length; i++) words[i]! |= states[i]!
    else for (let i = 0; i < states.length; i++) if ((states[i]! & ~words[i]!) !== 0) Atomics.or(words, i, states[i]!)
  }

  mergeWord(word: number, states: number): void {
    Atomics.or(this.#words, word, states)
  }

  members(): VertexSet {
    const set = new VertexSet(this.#vertices)
    const halves = new Uint16Array(set.bytes.buffer, 0, set.bytes.length >>> 1)
    for (let word = 0; word < halves.length; word++) halves[word] = membersOfWord(this.#words[word]!)
    for (let v = 16 * halves.length; v < this.#vertices; v++) if (stateOf(this.#words, v) === IN) set.add(v)
    return set
  }
}

/** The lower bits of 16 pairs. */
function membersOfWord(word: number): number {
  let bits = word & 0x55555555
  bits = (bits | (bits >>> 1)) & 0x33333333
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f
  bits = (bits | (bits >>> 4)) & 0x00ff00ff
  return (bits | (bits >>> 8)) & 0xffff
}

/** A byte each, as processors share them. */
export class ByteStates implements HostStates {
  readonly #vertices: number
  readonly #states: Uint32Array
  readonly #bytes: Uint8Array

  constructor(vertices: number, states: Uint32Array) {
    this.#vertices = vertices
    this.#states = states
    this.#bytes = stateBytes(states)
  }

  get(v: number): number {
    const code = this.#bytes[v]!
    if (code === IN_CODE) return IN
    return code === OUT_CODE ? OUT : UNDECIDED
  }

  set(v: number, state: number): void {
    this.#bytes[v] = state === IN ? IN_CODE : OUT_CODE
  }

  merge(states: Uint32Array, firstWord = 0): void {
    misMerge.twin({ first: firstWord, count: states.length }, { packed: states, states: this.#states })
  }

  mergeWord(word: number, states: number): void {
    for (let v = VERTICES_PER_WORD * word, left = states; left !== 0; v++, left >>>= 2)
      if ((left & 3) !== UNDECIDED && v < this.#vertices) this.set(v, left & 3)
  }

  packed(): Uint32Array {
    const states = new Uint32Array(stateWords(this.#vertices))
    misPack.twin({ first: 0, count: states.length }, { states: this.#states, packed: states })
    return states
  }

  update(earlier: Uint32Array, { first }: Range): void {
    const states = this.#states
    for (let i = 0, at = 4 * first; i < earlier.length; i++, at += 4) {
      if (isDecided(earlier[i]!)) continue
      let pairs = 0
      for (let j = 0; j < 4; j++) pairs |= pairsOf(states[at + j] ?? 0) << (8 * j)
      earlier[i] = pairs
    }
  }

  members(): VertexSet {
    const set = new VertexSet(this.#vertices)
    const states = this.#states
    const { bytes } = set
    const whole = this.#vertices >>> 3
    for (let i = 0; i < whole; i++) bytes[i] = inNibble(states[2 * i]!) | (inNibble(states[2 * i + 1]!) << 4)
    for (let v = 8 * whole; v < this.#vertices; v++) if (this.#bytes[v] === IN_CODE) set.add(v)
    return set
  }
}

/** All vertices of a word are. */
const isDecided = (word: number): boolean => ((word | (word >>> 1)) & 0x55555555) === 0x55555555

/** Two bits for each of four bytes. */
function pairsOf(word: number): number {
  const members = inNibble(word)
  // Bytes of the complement are 255 where those of the word are 0.
  const others = inNibble(~word)
  return spread(members) | (spread(others) << 1)
}

/** Four bits, to every second one. */
const spread = (bits: number): number => (bits & 1) | ((bits & 2) << 1) | ((bits & 4) << 2) | ((bits & 8) << 3)

/** A bit for each of four bytes: whether it is 255. */
function inNibble(word: number): number {
  // A byte of the complement is 0 for 255; adding 127 to the lower bits of others carries into bit 7.
  const inverse = ~word
  const others = ((inverse & 0x7f7f7f7f) + 0x7f7f7f7f) | inverse
  return (Math.imul((~others & 0x80808080) >>> 7, 0x10204080) >>> 28) & 15
}

/** Shared by processors. */
export interface HostMemory {
  /** Ends of the adjacency lists modulo 2^32, of all vertices or as far as {@link windowOf} says. */
  readonly ends: Uint32Array
  readonly hasWindows: boolean
  /** State bytes (kernels/parts/vertex-order.wgsl). */
  readonly states: Uint32Array
  /** Undefined where JavaScript visits lists. */
  readonly lists: SharedLists | undefined
}

let compiledLists: WebAssembly.Module | undefined

/** Compiled once for all runs of a thread. */
const listsModule = (): WebAssembly.Module =>
  (compiledLists ??= new WebAssembly.Module(Buffer.from(HOST_LISTS, 'base64')))

/** @param threads of a rank, which has no ends of others; undefined: all ends are kept */
export function shareHostMemory(vertices: number, priority: Priority, threads?: number): HostMemory {
  const stateBytes = 4 * Math.ceil(vertices / 4)
  // Equal degrees are compared, if not by their codes.
  const hasWindows = threads !== undefined && (priority === 'hash' || priority === 'ecl')
  const ends = hasWindows ? threads * WINDOW_WORDS : vertices
  const memory = priority === 'column' ? undefined : sharedMemory(stateBytes + 4 * ends + PIECE_BYTES)
  if (memory === undefined && hasWindows) return shareHostMemory(vertices, priority)
  const lists = memory && { module: listsModule(), memory }
  const shared = (at: number, bytes: number): Uint32Array =>
    memory === undefined ? sharedWords(Math.max(1, bytes / 4)) : new Uint32Array(memory.buffer, at, bytes / 4)
  return { states: shared(0, stateBytes), ends: shared(stateBytes, 4 * ends), hasWindows, lists }
}

const WINDOW_WORDS = 1 << 16

/** A thread's place for the ends of the lists that it visits, and the one before them; undefined: all are kept. */
export function windowOf({ ends, hasWindows }: HostMemory, thread: number): Uint32Array | undefined {
  return hasWindows ? ends.subarray(thread * WINDOW_WORDS, (thread + 1) * WINDOW_WORDS) : undefined
}

/** The module of host-lists.wat, and the memory of both arrays; sent to all threads. */
export interface SharedLists {
  readonly module: WebAssembly.Module
  readonly memory: WebAssembly.Memory
}

/** States that several workers share, two bits each: what each of several GPUs published last. */
interface PublishedStates {
  readonly kind: 'published'
  readonly ofDevices: readonly Uint32Array[]
}

/** A byte each where processors take part, else two bits each: what all know. `rank`: of a rank with one GPU, which alone writes those of its slice. */
interface KnownStates {
  readonly kind: 'bytes' | 'packed' | 'rank'
  readonly words: Uint32Array
}

export type SharedStates = PublishedStates | KnownStates

/** @param memory of processors @param isRank whether other ranks take part @returns undefined: processors share their own, and a worker that is alone needs none */
export function shareStates(
  vertices: number,
  memory: HostMemory | undefined,
  workers: number,
  hosts: number,
  isRank: boolean,
): SharedStates | undefined {
  if (!isRank && (workers === 1 || workers === hosts)) return undefined
  if (memory !== undefined) return { kind: 'bytes', words: memory.states }
  const words = (): Uint32Array => sharedWords(Math.max(1, stateWords(vertices)))
  if (isRank && workers === 1) return { kind: 'rank', words: new Uint32Array(stateWords(vertices)) }
  if (isRank) return { kind: 'packed', words: words() }
  return { kind: 'published', ofDevices: Array.from({ length: workers }, words) }
}

/** undefined: nothing on the host knows all that the workers published */
export function knownStates(vertices: number, shared: SharedStates | undefined): HostStates | undefined {
  if (shared === undefined || shared.kind === 'published') return undefined
  return shared.kind === 'bytes' ? new ByteStates(vertices, shared.words) : new PackedStates(vertices, shared.words)
}
