import { kernel } from '../kernel.ts'
import { shiftedHash } from '../parts/vertex-order.ts'
import wgsl from './colour-sweep.wgsl?raw'

/** Of a vertex without a colour. */
export const UNCOLOURED = 0xffffffff

type Words = Readonly<Record<'offsets' | 'targets' | 'keys' | 'colours' | 'cursors', Uint32Array>>
type Params = Readonly<Record<'first' | 'rows' | 'low' | 'shift', number>>

/**
 * Colours vertices that wait for no neighbour; see colour-sweep.wgsl. The twin visits the neighbour that a vertex waits for right away, so that one
 * sweep colours all that wait for no vertex of other rows; and the next sweep over the same lists begins with those whose wait is over.
 */
export const colourSweep = kernel(
  'colour-sweep',
  wgsl,
  ['first', 'rows', 'low', 'shift'],
  ['offsets', 'targets', 'keys', 'colours', 'cursors', 'counters'],
  (params, { counters, ...words }) => {
    let sweep = sweeps.get(words.cursors)
    if (sweep?.isOf(params, words) !== true) {
      sweep = new Sweep(params, words)
      sweeps.set(words.cursors, sweep)
    }
    counters[1]! += sweep.go()
    counters[0]! += sweep.left
  },
)

/** The last one of each worker, by its cursors. */
const sweeps = new WeakMap<Uint32Array, Sweep>()

/** Vertices that are waited for, and for each one more than the row that began to wait for it last. */
class Waited {
  readonly vertices: number[] = []
  readonly #last: number[] = []
  readonly #places = new Map<number, number>()

  /** @returns the last one before */
  add(vertex: number, last: number): number {
    const at = this.#places.get(vertex)
    if (at === undefined) {
      this.#places.set(vertex, this.vertices.push(vertex) - 1)
      this.#last.push(last)
      return 0
    }
    const before = this.#last[at]!
    this.#last[at] = last
    return before
  }

  /** Without the one at a place, which the last one takes. */
  take(at: number): number {
    const { vertices } = this
    const found = this.#last[at]!
    this.#places.delete(vertices[at]!)
    const [vertex, last] = [vertices.pop()!, this.#last.pop()!]
    if (at < vertices.length) {
      vertices[at] = vertex
      this.#last[at] = last
      this.#places.set(vertex, at)
    }
    return found
  }
}

/** Vertices of other rows that still wait, after which a sweep ends; every so many sweeps look at all. */
const MOST_LEFT = 1024
const FULL_EVERY = 8

class Sweep {
  /** Rows that wait. */
  left = 0
  #done = 0
  readonly #params: Params
  readonly #words: Words
  readonly #waiting: Uint8Array
  /** One more than the row that began to wait for a row last, and after each row the one before. */
  readonly #last: Uint32Array
  readonly #before: Uint32Array
  /** Vertices of other rows that some wait for, by the bits of their keys. */
  readonly #others = Array.from({ length: 33 }, () => new Waited())
  #calls = 0
  /** Rows that wait for the next one, or are to be visited again. */
  readonly #stack: number[] = []
  /** The last vertex beside which a colour was seen, by colour. */
  #seen = new Float64Array(1024).fill(-1)
  #isNew = true

  constructor(params: Params, words: Words) {
    this.#params = { ...params }
    this.#words = words
    this.#waiting = new Uint8Array(params.rows)
    this.#last = new Uint32Array(params.rows)
    this.#before = new Uint32Array(params.rows)
  }

  isOf({ first, rows }: Params, { offsets, targets, colours }: Words): boolean {
    const [params, words] = [this.#params, this.#words]
    const areSame = words.offsets === offsets && words.targets === targets && words.colours === colours
    return areSame && params.first === first && params.rows === rows
  }

  /** @returns how many it coloured */
  go(): number {
    const { first, rows } = this.#params
    const { colours } = this.#words
    this.#done = 0
    if (this.#isNew) {
      for (let row = 0; row < rows; row++) if (colours[first + row] === UNCOLOURED) this.#visit(row)
    } else this.#resumeAll(++this.#calls % FULL_EVERY === 0 ? Infinity : MOST_LEFT)
    this.#isNew = false
    return this.#done
  }

  /** Those whose wait for vertices of other rows is over: by falling keys, as most wait for the next larger ones, until so many still wait. */
  #resumeAll(most: number): void {
    const { colours } = this.#words
    let left = 0
    for (let bits = 32; bits >= 0 && left <= most; bits--) {
      const waited = this.#others[bits]!
      for (let at = waited.vertices.length - 1; at >= 0; at--) {
        if (colours[waited.vertices[at]!] === UNCOLOURED) continue
        this.#wake(waited.take(at))
        this.#visitAll()
      }
      left += waited.vertices.length
    }
  }

  #visit(row: number): void {
    this.#stack.push(row)
    this.#visitAll()
  }

  #visitAll(): void {
    const { first, rows } = this.#params
    const { colours, keys } = this.#words
    const [stack, waiting] = [this.#stack, this.#waiting]
    while (stack.length > 0) {
      const top = stack.at(-1)!
      if (waiting[top] !== 0 || colours[first + top] !== UNCOLOURED) {
        stack.pop()
        continue
      }
      let blocker = this.#blocker(top)
      if (blocker !== UNCOLOURED && this.#mustWait(blocker)) blocker = this.#lastBlocker(top)
      const next = blocker - first
      if (blocker === UNCOLOURED) {
        stack.pop()
        colours[first + top] = this.#leastFree(top)
        this.#done++
        this.#wake(this.#last[top]!)
      } else if (next < 0 || next >= rows) {
        stack.pop()
        this.#wait(top, this.#others[32 - Math.clz32(keys[blocker]!)]!.add(blocker, top + 1))
      } else if (waiting[next] !== 0) {
        stack.pop()
        this.#wait(top, this.#last[next]!)
        this.#last[next] = top + 1
      } else stack.push(next)
    }
  }

  #wait(row: number, before: number): void {
    this.#waiting[row] = 1
    this.#before[row] = before
    this.left++
  }

  /** The rows that wait for one that has its colour. */
  #wake(last: number): void {
    for (let at = last; at !== 0; at = this.#before[at - 1]!) {
      this.#waiting[at - 1] = 0
      this.left--
      this.#stack.push(at - 1)
    }
  }

  /** The neighbour that a row waits for. */
  #blocker(row: number): number {
    const { first, low, shift } = this.#params
    const { offsets, targets, keys, colours, cursors } = this.#words
    const v = first + row
    const [begin, end, key] = [offsets[row]!, offsets[row + 1]!, keys[v]!]
    for (let at = begin + cursors[v - low]!; at < end; at++) {
      const u = targets[at]!
      if (colours[u] !== UNCOLOURED) continue
      const other = keys[u]!
      if (other < key || (other === key && shiftedHash(u + shift) <= shiftedHash(v + shift))) continue
      cursors[v - low] = at - begin
      return u
    }
    return UNCOLOURED
  }

  /** Whether a vertex cannot be coloured here and now. */
  #mustWait(vertex: number): boolean {
    const { first, rows } = this.#params
    return vertex < first || vertex >= first + rows || this.#waiting[vertex - first] !== 0
  }

  /** Of the neighbours that a row waits for the one that is coloured last, as most are in the order of their keys: to wait for each would take longer. */
  #lastBlocker(row: number): number {
    const { first, low, shift } = this.#params
    const { offsets, targets, keys, colours, cursors } = this.#words
    const v = first + row
    const [end, key] = [offsets[row + 1]!, keys[v]!]
    let [last, least] = [UNCOLOURED, Infinity]
    for (let at = offsets[row]! + cursors[v - low]!; at < end; at++) {
      const u = targets[at]!
      if (colours[u] !== UNCOLOURED) continue
      const other = keys[u]!
      if (other >= least || other < key || (other === key && shiftedHash(u + shift) <= shiftedHash(v + shift))) continue
      last = u
      least = other
    }
    return last
  }

  #leastFree(row: number): number {
    const { first } = this.#params
    const { offsets, targets, colours } = this.#words
    const v = first + row
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const colour = colours[targets[at]!]!
      if (colour === UNCOLOURED) continue
      if (colour >= this.#seen.length) this.#grow(colour)
      this.#seen[colour] = v
    }
    let colour = 0
    while (this.#seen[colour] === v) colour++
    return colour
  }

  #grow(colour: number): void {
    const larger = new Float64Array(2 * (colour + 1)).fill(-1)
    larger.set(this.#seen)
    this.#seen = larger
  }
}
