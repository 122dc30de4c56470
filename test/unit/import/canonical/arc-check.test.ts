import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  ArcCheck,
  type ArcReport,
  canonicalArcs,
  newFingerprintKeys,
  ROOM_BYTES,
} from '../../../../workers/import/build/arc-check.ts'
import type { CsrLayout } from '../../../../workers/import/formats/csr.ts'
import { StoredFile } from '../../../../workers/import/formats/stored-file.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folder = scratchFolder('arc-check')
const keys = newFingerprintKeys()
let files = 0

interface Graph {
  readonly ends: ArrayLike<number>
  readonly targets: ArrayLike<number>
  readonly weights?: ArrayLike<number> | undefined
  /** The bytes of an end: those of 4 have a leading zero, as in .egr. */
  readonly width?: 4 | 8
  readonly vertices?: number
}

interface Cut {
  /** Ends, and arcs, that are looked at in one call. */
  readonly part?: number
  readonly first?: number
  readonly last?: number
}

const bytesOf = (words: NodeJS.TypedArray): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength)

/** Looks at the graph in parts; null where one does not fit. */
function seen({ ends, targets, weights, width = 8, vertices = ends.length }: Graph, cut: Cut = {}): ArcReport | null {
  const { part = ROOM_BYTES / 8, first = 0, last = targets.length } = cut
  const isNarrow = width === 4
  const ascending = Array.from(ends)
  const endBytes = bytesOf(
    isNarrow ? Int32Array.from([0, ...ascending]) : BigInt64Array.from(ascending, (end) => BigInt(end)),
  )
  const targetBytes = bytesOf(Uint32Array.from(targets))
  const weightBytes = weights && bytesOf(Float32Array.from(weights))
  const path = join(folder, `graph-${files++}`)
  writeFileSync(path, Buffer.concat([endBytes, targetBytes, weightBytes ?? new Uint8Array(0), new Uint8Array(8)]))
  const file = StoredFile.open(path)
  const targetsAt = endBytes.length
  const layout: CsrLayout = {
    vertices,
    arcs: targets.length,
    offsets: { at: 0, stride: width, kind: isNarrow ? 'i32' : 'u64', leading: isNarrow },
    targets: { at: targetsAt, stride: 4, kind: 'u32' },
    weights: null,
    warnings: [],
  }
  try {
    const check = new ArcCheck(file, layout, keys, weights !== undefined)
    for (let v = 0; first === 0 && v < ends.length; v += part) {
      const end = Math.min(ends.length, v + part)
      file.fill(check.room.subarray(0, width * (end - v)), width * (v + (isNarrow ? 1 : 0)))
      if (!check.endsFit(v, end, 0)) return null
    }
    for (let arc = first; arc < last; arc += part) {
      const end = Math.min(last, arc + part)
      file.fill(check.room.subarray(4, 4 + 4 * (end - arc)), targetsAt + 4 * arc)
      const beside = weightBytes && { bytes: weightBytes.subarray(4 * arc, 4 * end), floats: true }
      if (!check.arcsFit(arc, end, 4, beside)) return null
    }
    return check.report
  } finally {
    file.close()
  }
}

/** Lists of neighbours by vertex, with or without weights. */
function graphOf(lists: readonly (readonly number[])[], weights?: readonly (readonly number[])[]): Graph {
  let end = 0
  return { ends: lists.map((list) => (end += list.length)), targets: lists.flat(), weights: weights?.flat() }
}

const square = graphOf([
  [2, 3],
  [2, 3],
  [0, 1],
  [0, 1],
])
const symmetric = (graph: Graph): boolean | undefined => {
  const report = seen(graph)
  return report === null ? undefined : canonicalArcs([report]) !== null
}

it('both directions of every edge: symmetric, in one part or many, with ends of either width', () => {
  expect(symmetric(square)).toBe(true)
  expect(seen(square)).toMatchObject({ maxDegree: 2, isolated: 0 })
  for (const part of [1, 2, 3]) expect(seen(square, { part })).toEqual(seen(square))
  expect(seen({ ...square, width: 4 })).toEqual(seen(square))
})

it('parts that were looked at apart add up', () => {
  const parts = [0, 2, 4, 6].map((first) => seen(square, { first, last: first + 2 })!)
  expect(canonicalArcs(parts.slice(0, 3))).toBeNull()
  expect(canonicalArcs(parts)).toMatchObject({ maxDegree: 2 })
})

it('edges that exchange their ends are told apart, although every vertex has its degree', () => {
  // 0-2 and 1-3 one way, 0-3 and 1-2 the other way: what a sum of hashes of the two ends would not see.
  expect(symmetric(graphOf([[2], [3], [1], [0]]))).toBe(false)
  expect(symmetric(graphOf([[2], [3], [0], [1]]))).toBe(true)
})

it('weights belong to their edges', () => {
  const weighted = (weights: readonly (readonly number[])[]): Graph => ({ ...square, weights: weights.flat() })
  const right = weighted([
    [1, 2],
    [3, 4],
    [1, 3],
    [2, 4],
  ])
  expect(symmetric(right)).toBe(true)
  expect(seen(right)).toMatchObject({ smallestWeight: 1, largestWeight: 4 })
  for (const part of [1, 3]) expect(seen(right, { part })).toEqual(seen(right))
  expect(symmetric(weighted([[1, 2], [3, 4], [1, 2], [3, 4]]))).toBe(false) // prettier-ignore
  expect(symmetric(weighted([[1, 2], [3, 4], [1, 3], [2, 4.5]]))).toBe(false) // prettier-ignore
  for (const bad of [0, -1, NaN, Infinity]) expect(seen(weighted([[1, 2], [3, bad], [1, 3], [2, bad]]))).toBe(null) // prettier-ignore
})

it('refuses loops, repetitions, disorder and ids that are too large, across parts too', () => {
  for (const list of [[1, 1], [3, 1], [0], [0, 1], [5, 5], [4, 6, 5], [7]])
    for (const part of [1, 2, 1000]) expect(seen(graphOf([list, [], [], [], [], [], []]), { part })).toBe(null)
  expect(seen(graphOf([[], [], [], [], [1, 4]]))).toBe(null)
  expect(seen(graphOf([[], [], [], [], [3, 2, 5], []]))).toBe(null)
})

it('refuses ends in disorder, past the arcs, or short of them', () => {
  for (const ends of [
    [4, 2, 6, 8],
    [2, 4, 6, 9],
    [2, 4, 6, 7],
    [-1, 4, 6, 8],
    [2, 2 ** 40, 6, 8],
  ])
    for (const part of [1, 1000]) expect(seen({ ...square, ends }, { part })).toBe(null)
  // What looks at arcs has not looked at all ends.
  const disorder = { ...square, ends: [2, 1, 6, 8] }
  expect(seen(disorder, { first: 2, last: 8 })).toBe(null)
})

it('one arc that is missing, of many, is seen in every sum', () => {
  const lists = Array.from({ length: 2000 }, (_, u) => [u - 2, u - 1, u + 1, u + 2].filter((v) => v >= 0 && v < 2000))
  expect(symmetric(graphOf(lists))).toBe(true)
  lists[1000] = [998, 999, 1001, 1003]
  lists[1001] = [999, 1000, 1002, 1004]
  const report = seen(graphOf(lists))!
  expect(canonicalArcs([report])).toBeNull()
  for (const sum of report.sums) expect(sum).not.toBe(0)
})

/** Keys of ends from 0, of weights from 4: one that all hashes share, and one each. */
function hash(word: number, lane: number, from: 0 | 4): number {
  let x = word ^ keys[from]!
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15) ^ keys[from + 1 + lane]!, 0x735a2d97)
  return x ^ (x >>> 15)
}

/** The same sums, arc by arc. */
function sumsOf({ ends, targets, weights }: Graph): Int32Array {
  const sums = new Int32Array(2)
  const words = weights && new Int32Array(Float32Array.from(weights).buffer)
  for (let u = 0, arc = 0; u < ends.length; u++)
    for (; arc < ends[u]!; arc++) {
      const [a, b] = [u, targets[arc]!].map((v) => [0, 1, 2].map((lane) => hash(v, lane, 0)))
      for (let i = 0; i < 2; i++) {
        const turned = Math.imul(a![i]!, b![i + 1]!) - Math.imul(a![i + 1]!, b![i]!)
        sums[i]! += Math.imul(turned, words === undefined ? 1 : hash(words[arc]!, i, 4))
      }
    }
  return sums
}

it('sums are those of the definition, however many lists and arcs are looked at together', () => {
  // More lists than one look takes, some empty, and a long one.
  const lengths = [...Array.from({ length: 140_000 }, (_, u) => u % 9), 150_000]
  const ends: number[] = []
  const targets: number[] = []
  for (const [u, length] of lengths.entries()) {
    let v = u >>> 1
    for (let i = 0; i < length; i++) {
      v += v + 1 === u ? 2 : 1
      targets.push(v)
    }
    ends.push(targets.length)
  }
  const vertices = 300_000
  while (ends.length < vertices) ends.push(targets.length)
  const whole = seen({ ends, targets }, { part: ROOM_BYTES / 8 })!
  expect(whole.sums).toEqual(sumsOf({ ends, targets }))
  const empty = lengths.filter((length) => length === 0).length
  expect(whole).toMatchObject({ maxDegree: 150_000, isolated: empty + vertices - lengths.length })
  expect(seen({ ends, targets, width: 4 }, { part: 70_001 })).toEqual(whole)
  const weighted = { ends, targets, weights: targets.map((_, arc) => 1 + (arc % 5)) }
  expect(seen(weighted, { part: 90_001 })!.sums).toEqual(sumsOf(weighted))
})

it('weights of an arc and its reverse arc that differ in one bit are seen', () => {
  const weights = [1, 2, 3, 4, 1, 3, 2, 4]
  expect(symmetric({ ...square, weights })).toBe(true)
  for (let arc = 0; arc < weights.length; arc++) {
    const changed = new Uint32Array(Float32Array.from(weights).buffer)
    changed[arc]! ^= 1
    expect(symmetric({ ...square, weights: new Float32Array(changed.buffer) })).toBe(false)
  }
})

it('lists of every length are compared to their last target, wherever they begin', () => {
  for (let length = 1; length <= 13; length++)
    for (let before = 0; before < 4; before++) {
      const list = Array.from({ length }, (_, i) => 20 + 2 * i)
      const graph = (last: readonly number[]): Graph =>
        graphOf([
          Array.from({ length: before }, (_, i) => 30 + i),
          [...last],
          [3],
          ...Array.from({ length: 60 }, () => []),
        ])
      expect(seen(graph(list))).not.toBe(null)
      for (let i = 0; i < length; i++) {
        expect(seen(graph(list.map((v, at) => (at === i ? 1 : v))))).toBe(null)
        if (i > 0) expect(seen(graph(list.map((v, at) => (at === i ? list[i - 1]! : v))))).toBe(null)
      }
      expect(seen(graph([...list.slice(0, -1), 63]))).toBe(null)
      expect(seen(graph([...list.slice(0, -1), 62]))).not.toBe(null)
    }
})
