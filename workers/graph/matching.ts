import type { Range } from '../base/ranges.ts'
import { hashOfPairs, type Pause, readResult } from './result-file.ts'

/** No mate. */
export const NO_MATE = 0xffffffff

/** Matches the ends of mutual pointers. @param matched a bit for each vertex */
export function markMutual(pointers: Uint32Array, matched: Uint32Array): void {
  for (let v = 0; v < pointers.length; v++)
    if (pointers[v] !== NO_MATE && pointers[pointers[v]!] === v) matched[v >>> 5]! |= 1 << (v & 31)
}

/** Visits the vertices of a range that have no mate, ascending. @param matched a bit for each vertex */
export function eachFree(matched: Uint32Array, { first, end }: Range, visit: (v: number) => void): void {
  for (let v = first; v < end; v++) {
    const word = matched[v >>> 5]!
    if (word === 0xffffffff) v += 31 - (v & 31)
    else if (((word >>> (v & 31)) & 1) === 0) visit(v)
  }
}

export class Matching {
  readonly mates: Uint32Array

  constructor(mates: Uint32Array) {
    this.mates = mates
  }

  get isMutual(): boolean {
    return this.mates.every((mate, v) => mate === NO_MATE || this.mates[mate] === v)
  }

  /** u < v, ascending. */
  *pairs(): Generator<readonly [number, number]> {
    for (let u = 0; u < this.mates.length; u++) {
      const v = this.mates[u]!
      if (v !== NO_MATE && u < v) yield [u, v]
    }
  }

  summary(pause: Pause = () => {}): { readonly pairs: number; readonly hash: string } {
    const { found: pairs, hash } = hashOfPairs(this.mates, pause)
    return { pairs, hash }
  }
}

/** @throws Failure (input) when the length does not fit the graph */
export function readMates(path: string, vertices: number): Matching {
  const mates = new Uint32Array(vertices)
  readResult(path, new Uint8Array(mates.buffer), `the mates of ${vertices} vertices`)
  return new Matching(mates)
}
