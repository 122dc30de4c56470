import type { CsrLayout } from './csr-layout.ts'
import { numbers } from './csr-numbers.ts'
import type { StoredFile } from './stored-file.ts'

const LIMB = 2 ** 32

/** Ends of the lists of the vertices [first, first + count), unchecked. */
export function endsOf(
  file: StoredFile,
  { offsets }: CsrLayout,
  first: number,
  count: number,
): Float64Array | Float32Array {
  return numbers(file, offsets, first + (offsets.leading ? 1 : 0), count)
}

/** The end of the list of one vertex, unchecked. */
export function endOf(file: StoredFile, layout: CsrLayout, vertex: number): number {
  return endsOf(file, layout, vertex, 1)[0]!
}

/** The first vertex whose list ends past an arc, if the ends ascend; their number where there is none. */
export function firstListPast(file: StoredFile, layout: CsrLayout, arc: number): number {
  let [low, high] = [0, layout.vertices]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (endOf(file, layout, middle) > arc) high = middle
    else low = middle + 1
  }
  return low
}

/** `count` targets from arc `first`; null where one of them has more than 32 bits or is negative. They may still be no vertices. */
export function exactTargets(
  file: StoredFile,
  { targets }: CsrLayout,
  first: number,
  count: number,
): Uint32Array<ArrayBuffer> | null {
  if (count === 0) return new Uint32Array(0)
  const { at, stride, kind } = targets
  const isWide = kind === 'i64' || kind === 'u64'
  const bytes = file.read(at + first * stride, (count - 1) * stride + (isWide ? 8 : 4))
  const words = new Uint32Array(bytes.buffer)
  if (stride === 4) return words
  const step = stride / 4
  const exact = new Uint32Array(count)
  let high = 0
  for (let i = 0; i < count; i++) {
    exact[i] = words[i * step]!
    if (isWide) high |= words[i * step + 1]!
  }
  return high === 0 ? exact : null
}

/** Targets as u32; what does not fit, or is negative, is past all vertices. */
export function targetsOf(file: StoredFile, layout: CsrLayout, first: number, count: number): Uint32Array {
  return (
    exactTargets(file, layout, first, count) ??
    Uint32Array.from(numbers(file, layout.targets, first, count), (v) => (v >= 0 && v < LIMB ? v : LIMB - 1))
  )
}
