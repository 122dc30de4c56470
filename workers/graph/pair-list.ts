import { closeSync, fstatSync } from 'node:fs'
import { inputFailure } from '../base/failure.ts'
import { openFile, readFully } from '../base/file-bytes.ts'
import { hashOfValues, otherResult } from './result-file.ts'

/** Partners of all vertices: those of v are partners [starts[v], starts[v + 1]), ascending. */
export interface PartnerLists {
  readonly starts: Uint32Array
  readonly partners: Uint32Array
}

/** Pairs of neighbours in which a vertex may occur several times; the result of a b-matching. Of each the smaller end u, then v, ascending. */
export class PairList {
  readonly words: Uint32Array

  constructor(words: Uint32Array) {
    this.words = words
  }

  get count(): number {
    return this.words.length / 2
  }

  /** The same as that of a matching with the same pairs. */
  get hash(): string {
    return hashOfValues(this.words)
  }

  *pairs(): Generator<readonly [number, number]> {
    for (let i = 0; i < this.words.length; i += 2) yield [this.words[i]!, this.words[i + 1]!]
  }

  partnerLists(vertices: number): PartnerLists {
    const starts = new Uint32Array(vertices + 1)
    for (const v of this.words) starts[v + 1]!++
    for (let v = 0; v < vertices; v++) starts[v + 1]! += starts[v]!
    const partners = new Uint32Array(this.words.length)
    const next = starts.slice()
    // The smaller partners of a vertex come first, as pairs ascend.
    for (const [u, v] of this.pairs()) partners[next[v]!++] = u
    for (const [u, v] of this.pairs()) partners[next[u]!++] = v
    return { starts, partners }
  }
}

/** The pairs whose smaller ends have them among their partners. */
export function pairsOfPartners(starts: Uint32Array, partners: Uint32Array, residual: Uint32Array): PairList {
  const vertices = residual.length
  let count = 0
  const each = (take: (u: number, found: Uint32Array) => void): void => {
    for (let u = 0; u < vertices; u++) {
      const found = partners.subarray(starts[u]!, starts[u + 1]! - residual[u]!)
      if (found.length > 0) take(u, found)
    }
  }
  each((u, found) => found.forEach((v) => u < v && count++))
  const words = new Uint32Array(2 * count)
  let at = 0
  each((u, found) => {
    for (const v of found.slice().sort()) {
      if (v < u) continue
      words[at++] = u
      words[at++] = v
    }
  })
  return new PairList(words)
}

/** @throws Failure (input) where these are no pairs of so many vertices, or have another hash */
export function readPairList(path: string, vertices: number, hash?: string): PairList {
  const file = openFile(path, 'r')
  try {
    const { size } = fstatSync(file)
    const words = new Uint32Array(Math.floor(size / 4))
    readFully(file, new Uint8Array(words.buffer), 0, path)
    const list = new PairList(words)
    if (size % 8 !== 0 || !isAscending(words, vertices))
      throw inputFailure(path, `these are no pairs of ${vertices} vertices`, 'Is it the result of another dataset?')
    if (hash !== undefined && list.hash !== hash) throw otherResult(path, list.hash, hash)
    return list
  } finally {
    closeSync(file)
  }
}

function isAscending(words: Uint32Array, vertices: number): boolean {
  for (let i = 0; i < words.length; i += 2) {
    const [u, v] = [words[i]!, words[i + 1]!]
    if (u >= v || v >= vertices) return false
    if (i > 0 && (u < words[i - 2]! || (u === words[i - 2]! && v <= words[i - 1]!))) return false
  }
  return true
}
