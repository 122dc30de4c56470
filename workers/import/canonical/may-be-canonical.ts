import { type CsrLayout, endOf, exactTargets, firstListPast } from '../formats/csr.ts'
import type { StoredFile } from '../formats/stored-file.ts'

const SAMPLED_ARCS = 16

/** Smaller files are read into memory sooner than threads start that copy. */
export const COPIED_FROM_ARCS = 1 << 20

/**
 * Looks at a few arcs from all over a file: whether each has its equal in the other direction. A file with edges in one direction only
 * is found out here, and not after all of it was read; true promises nothing.
 */
export function mayBeCanonical(file: StoredFile, layout: CsrLayout): boolean {
  const { vertices, arcs } = layout
  for (let i = 0; i < SAMPLED_ARCS; i++) {
    const arc = Math.floor(((i + 0.5) * arcs) / SAMPLED_ARCS)
    const u = firstListPast(file, layout, arc)
    const v = exactTargets(file, layout, arc, 1)?.[0] ?? vertices
    if (u >= vertices || v >= vertices || u === v || !holds(file, layout, v, u)) return false
  }
  return true
}

/** Whether the list of u holds v, if it ascends. */
function holds(file: StoredFile, layout: CsrLayout, u: number, v: number): boolean {
  const end = endOf(file, layout, u)
  let [low, high] = [u === 0 ? 0 : endOf(file, layout, u - 1), end]
  if (!(low >= 0 && low <= high && high <= layout.arcs)) return false
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = exactTargets(file, layout, middle, 1)?.[0]
    if (found === undefined) return false
    if (found >= v) high = middle
    else low = middle + 1
  }
  return low < end && exactTargets(file, layout, low, 1)?.[0] === v
}
