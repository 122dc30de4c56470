import type { ValuesEntry } from '../contract/catalogue.ts'
import type { Labels } from './labels.ts'
import { hashOfWords, otherResult, type Pause, readResult } from './result-file.ts'

/** The value of a vertex that has none, where the entry of the algorithm allows that. */
export const NO_VALUE = 0xffffffff

export class VertexValues {
  readonly values: Uint32Array

  constructor(values: Uint32Array) {
    this.values = values
  }

  hash(pause: Pause = () => {}): string {
    return hashOfWords(this.values, pause).hash
  }

  /** Those of value i are order[starts[i]] to order[starts[i + 1] - 1]. */
  classes(): { readonly starts: Uint32Array; readonly order: Uint32Array } {
    let most = -1
    for (const value of this.values) if (value !== NO_VALUE && value > most) most = value
    if (most >= Math.max(1, this.values.length)) throw new RangeError(`value ${most} of ${this.values.length} vertices`)
    const starts = new Uint32Array(most + 2)
    for (const value of this.values) if (value !== NO_VALUE) starts[value + 1]!++
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    const next = starts.slice()
    const order = new Uint32Array(starts.at(-1)!)
    this.values.forEach((value, v) => value !== NO_VALUE && (order[next[value]!++] = v))
    return { starts, order }
  }
}

/** @throws Failure (input) for another length or hash */
export function readValues(path: string, vertices: number, hash?: string): VertexValues {
  const values = new VertexValues(new Uint32Array(vertices))
  readResult(path, new Uint8Array(values.values.buffer), `the values of ${vertices} vertices`)
  if (hash === undefined) return values
  const own = values.hash()
  if (own !== hash) throw otherResult(path, own, hash)
  return values
}

export function valueWords({ of, none, names }: ValuesEntry, labelOf: Labels['of']): (value: number) => string {
  return (value) => {
    if (value === NO_VALUE && none !== undefined) return none
    return of === 'vertex' ? labelOf(value) : (names?.[value] ?? String(value))
  }
}
