import type { JobContext } from '../base/job.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { type ListsRead, scanLists } from '../graph/scan-lists.ts'

/** What breaks a law: vertices, and how, by their labels. */
export interface Witness {
  readonly vertices: readonly number[]
  readonly sentence: (labels: readonly string[]) => string
}

/** What was found, by the names of the figures; without a witness the claim holds. */
export interface Checked {
  readonly witness: Witness | undefined
  readonly figures: Readonly<Record<string, number>>
}

const NONE = 0xffffffff

/** @param root that was asked for; undefined: any */
export function checkLevels(graph: GaloisGr, levels: Uint32Array, root: number | undefined, job: JobContext): Checked {
  let [reached, depth, witness] = [0, 0, rootWitness(levels, root)]
  for (const level of levels) {
    if (level === NONE) continue
    reached++
    depth = Math.max(depth, level)
  }
  scanLists(graph, job, 'verify', (lists) => (witness ??= levelWitness(lists, levels)))
  return { witness, figures: { reached, depth } }
}

/**
 * The rules of Graph500 (specification 2.0, validation): parents make a tree, of edges of the graph, whose ends are one level apart; it spans the
 * component of the root; the ends of every edge are at most one level apart, or both outside.
 */
export function checkParents(
  graph: GaloisGr,
  parents: Uint32Array,
  root: number | undefined,
  job: JobContext,
): Checked {
  const found = levelsOf(parents)
  if ('witness' in found) return { witness: found.witness, figures: {} }
  const { levels } = found
  const byLevels = checkLevels(graph, levels, root, job)
  let { witness } = byLevels
  scanLists(graph, job, 'verify', ({ first, offsets, targets }) => {
    for (let row = 0; row + 1 < offsets.length && witness === undefined; row++) {
      const [v, parent] = [first + row, parents[first + row]!]
      if (parent === NONE || parent === v) continue
      const list = targets.subarray(offsets[row], offsets[row + 1])
      const nearer = list.find((u) => levels[u] === levels[v]! - 1)
      if (!list.includes(parent))
        witness = { vertices: [v, parent], sentence: ([a, b]) => `no edge joins ${a} with its parent ${b}` }
      else if (nearer !== parent)
        witness = { vertices: [v, nearer!], sentence: ([a, b]) => `the least parent of ${a} is ${b}` }
    }
  })
  return { ...byLevels, witness }
}

function rootWitness(levels: Uint32Array, root: number | undefined): Witness | undefined {
  const first = levels.indexOf(0)
  const second = levels.indexOf(0, first + 1)
  if (first < 0)
    return levels.length === 0 ? undefined : { vertices: [], sentence: () => 'no vertex is the root: none has level 0' }
  if (second > first)
    return {
      vertices: [first, second],
      sentence: ([a, b]) => `${a} and ${b} are both at level 0, where the root is alone`,
    }
  if (root === undefined || first === root) return undefined
  return { vertices: [first, root], sentence: ([a, b]) => `the root is ${a}, and ${b} was asked for` }
}

function levelWitness({ first, offsets, targets }: ListsRead, levels: Uint32Array): Witness | undefined {
  for (let row = 0; row + 1 < offsets.length; row++) {
    const v = first + row
    const level = levels[v]!
    let hasNearer = level === 0 || level === NONE
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const u = targets[at]!
      const other = levels[u]!
      if ((level === NONE) !== (other === NONE))
        return { vertices: [v, u], sentence: ([a, b]) => `of the neighbours ${a} and ${b} only one is reached` }
      if (level !== NONE && Math.abs(level - other) > 1)
        return {
          vertices: [v, u],
          sentence: ([a, b]) => `the neighbours ${a} and ${b} are ${Math.abs(level - other)} levels apart`,
        }
      if (other === level - 1) hasNearer = true
    }
    if (!hasNearer)
      return {
        vertices: [v],
        sentence: ([a]) => `${a} is at level ${level}, and no neighbour is at level ${level - 1}`,
      }
  }
  return undefined
}

/** By following parents to the root, each vertex once. */
function levelsOf(parents: Uint32Array): { readonly levels: Uint32Array } | { readonly witness: Witness } {
  const levels = new Uint32Array(parents.length).fill(NONE)
  const PENDING = NONE - 1
  for (let start = 0; start < parents.length; start++) {
    const path: number[] = []
    let v = start
    while (levels[v] === NONE && parents[v] !== NONE) {
      levels[v] = PENDING
      path.push(v)
      if (parents[v] === v) break
      if (parents[v]! >= parents.length)
        return { witness: { vertices: [v], sentence: ([a]) => `the parent of ${a} is no vertex` } }
      v = parents[v]!
    }
    if (path.length === 0) continue
    const isRoot = parents[v] === v && path.at(-1) === v
    if (!isRoot && levels[v]! >= PENDING)
      return { witness: { vertices: [start], sentence: ([a]) => `the parents of ${a} do not lead to the root` } }
    let level = isRoot ? 0 : levels[v]! + 1
    for (const u of path.reverse()) levels[u] = level++
  }
  return { levels }
}
