import { kernel } from '../kernel.ts'
import { shiftedHash } from '../parts/vertex-order.ts'
import wgsl from './colour-sweep.wgsl?raw'

/** Of a vertex without a colour. */
export const UNCOLOURED = 0xffffffff

type Words = Readonly<Record<'offsets' | 'targets' | 'keys' | 'colours' | 'cursors', Uint32Array>>
type Params = Readonly<Record<'first' | 'rows' | 'low' | 'shift', number>>

/**
 * Colours vertices that wait for no neighbour; see colour-sweep.wgsl. The twin visits the neighbour that a vertex waits for right away, so that one
 * sweep colours all that wait for no vertex of other rows.
 */
export const colourSweep = kernel(
  'colour-sweep',
  wgsl,
  ['first', 'rows', 'low', 'shift'],
  ['offsets', 'targets', 'keys', 'colours', 'cursors', 'counters'],
  (params, { counters, ...words }) => {
    const { first, rows } = params
    const sweep = new Sweep(params, words)
    for (let row = 0; row < rows; row++) {
      if (words.colours[first + row] === UNCOLOURED) sweep.visit(row)
    }
    counters[0]! += sweep.left
    counters[1]! += sweep.done
  },
)

class Sweep {
  left = 0
  done = 0
  readonly #params: Params
  readonly #words: Words
  /** Rows that wait for one that is not coloured in this sweep. */
  readonly #waiting: Uint8Array
  /** Rows that wait for the next one. */
  readonly #stack: number[] = []
  /** The last vertex beside which a colour was seen, by colour. */
  #seen = new Float64Array(1024).fill(-1)

  constructor(params: Params, words: Words) {
    this.#params = params
    this.#words = words
    this.#waiting = new Uint8Array(params.rows)
  }

  visit(row: number): void {
    const { first, rows } = this.#params
    const [stack, waiting] = [this.#stack, this.#waiting]
    if (waiting[row] !== 0) return
    stack.push(row)
    while (stack.length > 0) {
      const top = stack.at(-1)!
      const blocker = this.#blocker(top)
      if (blocker === UNCOLOURED) {
        this.#words.colours[first + top] = this.#leastFree(top)
        this.done++
        stack.pop()
        continue
      }
      const next = blocker - first
      if (next >= 0 && next < rows && waiting[next] === 0) {
        stack.push(next)
        continue
      }
      for (const each of stack) waiting[each] = 1
      this.left += stack.length
      stack.length = 0
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
