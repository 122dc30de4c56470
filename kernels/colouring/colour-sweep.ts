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
  /** Vertices of other rows that some wait for, the last row of each likewise, and where a vertex is in both. */
  readonly #others: number[] = []
  readonly #lastOf: number[] = []
  readonly #places = new Map<number, number>()
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
    } else
      for (let at = this.#others.length - 1; at >= 0; at--)
        if (colours[this.#others[at]!] !== UNCOLOURED) this.#resume(at)
    this.#isNew = false
    return this.#done
  }

  /** Those that wait for a vertex of other rows. */
  #resume(at: number): void {
    const [others, lastOf, places] = [this.#others, this.#lastOf, this.#places]
    places.delete(others[at]!)
    this.#wake(lastOf[at]!)
    const [vertex, last] = [others.pop()!, lastOf.pop()!]
    if (at < others.length) {
      others[at] = vertex
      lastOf[at] = last
      places.set(vertex, at)
    }
    this.#visitAll()
  }

  #visit(row: number): void {
    this.#stack.push(row)
    this.#visitAll()
  }

  #visitAll(): void {
    const { first, rows } = this.#params
    const { colours } = this.#words
    const [stack, waiting] = [this.#stack, this.#waiting]
    while (stack.length > 0) {
      const top = stack.at(-1)!
      if (waiting[top] !== 0 || colours[first + top] !== UNCOLOURED) {
        stack.pop()
        continue
      }
      const blocker = this.#blocker(top)
      const next = blocker - first
      if (blocker === UNCOLOURED) {
        stack.pop()
        colours[first + top] = this.#leastFree(top)
        this.#done++
        this.#wake(this.#last[top]!)
      } else if (next < 0 || next >= rows) {
        stack.pop()
        this.#waitForOther(top, blocker)
      } else if (waiting[next] !== 0) {
        stack.pop()
        this.#wait(top, this.#last[next]!)
        this.#last[next] = top + 1
      } else stack.push(next)
    }
  }

  #waitForOther(row: number, vertex: number): void {
    const at = this.#places.get(vertex) ?? this.#others.push(vertex) - 1
    this.#wait(row, this.#lastOf[at] ?? 0)
    this.#lastOf[at] = row + 1
    this.#places.set(vertex, at)
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
